"""Things whose names differ between Open5e and the package, and those that Open5e lacks.

Both were reviewed against every srd-2014 record of Open5e v2. Keys and names are facts; a thing is renamed here so that
both sources give it the same key.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Ref
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from srd_converter.srd2014.document import ref
from srd_converter.srd2014.entries import Entry

SUBCLASSES = {
    "berserker": "Path of the Berserker",
    "lore": "College of Lore",
    "life": "Life Domain",
    "land": "Circle of the Land",
    "open-hand": "Way of the Open Hand",
    "devotion": "Oath of Devotion",
    "draconic": "Draconic Bloodline",
    "fiend": "The Fiend",
    "evocation": "School of Evocation",
}

EQUIPMENT = {
    "half-plate-armor": "Half plate",
    "arrow": "Arrow (bow)",
    "blowgun-needle": "Blowgun needles",
    "sling-bullet": "Sling bullets",
    "caltrops": "Caltrops (bag of 20)",
    "oil-flask": "Lamp oil (flask)",
    "poison-basic-vial": "Poison, Basic",
    "tent-two-person": "Tent",
}

MAGIC_ITEMS = {
    "glamoured-studded-leather-armor": "Glamoured Studded Leather",
    # The package has the family and its common member under one name; the common member is Open5e's.
    "potion-of-healing": "Potion of Healing (all rarities)",
}
# Open5e names a member of a family after it: Ioun Stone (Absorption).
_MEMBERS = (
    (re.compile(r"(.+) (Figurine of Wondrous Power|Horn of Valhalla)"), r"\2 (\1)"),
    (re.compile(r"(Ioun Stone) of (.+)"), r"\1 (\2)"),
    (re.compile(r"(Spell Scroll) \((\d\w+)\)"), r"\1 (\2 Level)"),
)


def ability_name(ability: Entry) -> str:
    """The name of an ability, for which the package has the abbreviation."""
    return ABILITY_BY_ABBREVIATION.get(ability.index, ability.name).capitalize()


def subclass_ref(subclass: Entry) -> Ref:
    """A reference to a subclass, for which the package uses half of its name."""
    return ref(SUBCLASSES.get(subclass.index, subclass.name))


def equipment_ref(item: Entry) -> Ref:
    """A reference to a mundane item under the name that Open5e gives it."""
    return ref(EQUIPMENT.get(item.index, item.name))


def magic_item_ref(item: Entry) -> Ref:
    """A reference to a magic item under the name that Open5e gives it."""
    name = MAGIC_ITEMS.get(item.index, item.name)
    for pattern, replacement in _MEMBERS:
        name = pattern.sub(replacement, name)
    return ref(name)
