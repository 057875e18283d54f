"""Things whose names differ between Open5e and the package, and those that Open5e lacks.

Both were reviewed against every srd-2014 record of Open5e v2. Keys and names are facts; a thing is renamed here so that
both sources give it the same key.
"""

from __future__ import annotations

from lorekeeper_mcp.models import Ref
from lorekeeper_mcp.text import slugify
from srd_converter.srd2014.entries import Entry

ABILITIES = {
    "str": "strength", "dex": "dexterity", "con": "constitution",
    "int": "intelligence", "wis": "wisdom", "cha": "charisma",
}  # fmt: skip

DAMAGE_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic",
    "piercing", "poison", "psychic", "radiant", "slashing", "thunder",
)  # fmt: skip

SUBCLASSES = {
    "berserker": "Path of the Berserker",
    "lore": "College of Lore",
    "life": "Life Domain",
    "land": "Circle of the Land",
    "champion": "Champion",
    "open-hand": "Way of the Open Hand",
    "devotion": "Oath of Devotion",
    "hunter": "Hunter",
    "thief": "Thief",
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
    **{
        f"figurine-of-wondrous-power-{slugify(figure)}": f"Figurine of Wondrous Power ({figure})"
        for figure in (
            "Bronze Griffon", "Ebony Fly", "Golden Lions", "Ivory Goats", "Marble Elephant", "Obsidian Steed",
            "Onyx Dog", "Serpentine Owl", "Silver Raven",
        )
    },
    **{
        f"horn-of-valhalla-{slugify(metal)}": f"Horn of Valhalla ({metal})"
        for metal in ("Silver", "Brass", "Bronze", "Iron")
    },
    **{
        f"ioun-stone-of-{slugify(stone)}": f"Ioun Stone ({stone})"
        for stone in (
            "Absorption", "Agility", "Awareness", "Fortitude", "Greater Absorption", "Insight", "Intellect",
            "Leadership", "Mastery", "Protection", "Regeneration", "Reserve", "Strength", "Sustenance",
        )
    },
    **{
        f"spell-scroll-{level}": f"Spell Scroll ({level} Level)"
        for level in ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
    },
}  # fmt: skip


def key_of(name: str) -> str:
    """The Open5e key of a thing of the SRD 5.1, whose prefix differs from the document's key."""
    return f"srd_{slugify(name)}"


def subclass_ref(subclass: Entry) -> Ref:
    """A reference to a subclass, for which the package uses half of its name."""
    name = SUBCLASSES.get(subclass.index, subclass.name)
    return Ref(name=name, key=key_of(name))


def equipment_ref(item: Entry) -> Ref:
    """A reference to a mundane item under the name that Open5e gives it."""
    name = EQUIPMENT.get(item.index, item.name)
    return Ref(name=name, key=key_of(name))


def magic_item_ref(item: Entry) -> Ref:
    """A reference to a magic item under the name that Open5e gives it."""
    name = MAGIC_ITEMS.get(item.index, item.name)
    return Ref(name=name, key=key_of(name))
