"""The kinds that share a tool and a collection of the cache, and the model of each kind."""

from __future__ import annotations

from enum import StrEnum

from lorekeeper_mcp.models.base import Kind, Record
from lorekeeper_mcp.models.creature import Creature
from lorekeeper_mcp.models.equipment import Equipment
from lorekeeper_mcp.models.options import Background, CharacterClass, CharacterFeature, Feat, Species
from lorekeeper_mcp.models.rules import Document, Reference, Rule
from lorekeeper_mcp.models.spell import Spell


class Family(StrEnum):
    """Kinds that are searched together: one tool, one table of filters, one collection."""

    SPELLS = "spells"
    CREATURES = "creatures"
    EQUIPMENT = "equipment"
    OPTIONS = "options"
    RULES = "rules"


# All kinds without a row of their own are short reference lists.
_FAMILY_AND_MODEL: dict[Kind, tuple[Family, type[Record]]] = dict.fromkeys(Kind, (Family.RULES, Reference)) | {
    Kind.SPELL: (Family.SPELLS, Spell),
    Kind.CREATURE: (Family.CREATURES, Creature),
    Kind.WEAPON: (Family.EQUIPMENT, Equipment),
    Kind.ARMOR: (Family.EQUIPMENT, Equipment),
    Kind.ITEM: (Family.EQUIPMENT, Equipment),
    Kind.MAGIC_ITEM: (Family.EQUIPMENT, Equipment),
    Kind.SERVICE: (Family.EQUIPMENT, Equipment),
    Kind.CLASS: (Family.OPTIONS, CharacterClass),
    Kind.SUBCLASS: (Family.OPTIONS, CharacterClass),
    Kind.SPECIES: (Family.OPTIONS, Species),
    Kind.BACKGROUND: (Family.OPTIONS, Background),
    Kind.FEAT: (Family.OPTIONS, Feat),
    Kind.FEATURE: (Family.OPTIONS, CharacterFeature),
    Kind.RULE: (Family.RULES, Rule),
    Kind.RULE_SET: (Family.RULES, Rule),
    Kind.DOCUMENT: (Family.RULES, Document),
}
FAMILIES: dict[Family, tuple[Kind, ...]] = {
    family: tuple(kind for kind in Kind if _FAMILY_AND_MODEL[kind][0] is family) for family in Family
}


def family_of(kind: Kind) -> Family:
    """Return the family of a kind."""
    return _FAMILY_AND_MODEL[kind][0]


def model_of(kind: Kind) -> type[Record]:
    """Return the model of a kind's records."""
    return _FAMILY_AND_MODEL[kind][1]
