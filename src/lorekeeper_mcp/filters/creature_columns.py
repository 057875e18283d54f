"""The columns that creatures are filtered by, and how each value is read from a stat block."""

from __future__ import annotations

import re
from typing import cast

from lorekeeper_mcp.filters.spell_mentions import spells_listed, spells_mentioned
from lorekeeper_mcp.filters.table import Column, ColumnType
from lorekeeper_mcp.models import ActionType, Creature, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.text import slugify

SPEEDS = ("walk", "fly", "swim", "climb", "burrow")
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
_IN_BRACKETS = re.compile(r"\(([^()]*)\)")
_ALIGNMENT_AXES = frozenset({"lawful", "chaotic", "good", "evil", "neutral", "unaligned", "any"})
_SINGULAR = {"Fungi": "fungus", "Mummies": "mummy", "Sphinxes": "sphinx"}


def creature(record: Record) -> Creature:
    """The record, which every reader here knows to be a creature."""
    return cast(Creature, record)


def _environments(record: Record) -> list[str]:
    """Every environment by key, by bare key and by the words of its name: Forest or Jungle is forest too."""
    return [
        name
        for ref in creature(record).environments
        for name in (ref.key, ref.key.rpartition("_")[2], slugify(ref.name), *slugify(ref.name).split("-or-"))
    ]


def _sizes(record: Record) -> list[str]:
    """Both sizes of what is printed as Medium or Small."""
    one = creature(record)
    return [size.lower() for size in one.size_text.split(" or ") if size] or [one.size]


def _subtypes(record: Record) -> list[str]:
    """What stands in brackets after the type, and the group that the book files the creature under: devil, goblinoid.

    Open5e drops the brackets of many creatures and keeps the group ("Devils").
    """
    one = creature(record)
    printed = [part for found in _IN_BRACKETS.findall(one.type_text) for part in re.split(r",| or ", found)]
    group = re.split(r",\s*", one.subcategory)
    return [slugify(_SINGULAR.get(part, part.removesuffix("s"))) for part in (*printed, *group) if part.strip()]


def _alignments(record: Record) -> list[str]:
    """The alignment as printed, and each of its words: evil finds neutral evil and any evil alignment."""
    printed = creature(record).alignment.lower()
    words = [word for word in re.findall(r"(?<!non-)\b[a-z]+\b", printed) if word in _ALIGNMENT_AXES]
    pairs = re.findall(r"\b(?:lawful|chaotic|neutral) (?:good|evil|neutral)\b", printed)
    return [slugify(text) for text in (printed, *pairs, *words) if text]


def _languages(record: Record) -> list[str]:
    """Languages by key and as printed; what only understands a language counts too."""
    one = creature(record)
    printed = re.split(r",|;|\band\b|\bor\b|\bplus\b", one.languages.lower())
    words = (re.sub(r"\b(?:understands|speaks|the|languages?|but can.t speak.*)\b", "", part) for part in printed)
    return [key for key in (*one.language_keys, *map(slugify, words)) if key]


def _senses(record: Record) -> list[str]:
    senses = creature(record).senses
    return [name for name in SENSES if getattr(senses, name)]


def _speeds(record: Record) -> list[str]:
    one = creature(record)
    return [*(mode for mode, feet in one.speed.items() if feet), *(["hover"] if one.hover else [])]


def _is_legendary(record: Record) -> bool:
    one = creature(record)
    return bool(one.legendary_text) or any(action.type is ActionType.LEGENDARY_ACTION for action in one.actions)


def _casts(record: Record) -> list[str]:
    """Slugs of the spells in its spellcasting lists, and of those that a trait or an action has it cast."""
    one = creature(record)
    parts = [(part.name, part.text) for part in one.traits] + [(part.name, part.text) for part in one.actions]
    listed = [slug for name, text in parts if "pellcasting" in name for slug in spells_listed(text)]
    told = [slug for _, text in parts for slug in spells_mentioned(text, has_lists=False)]
    return list(dict.fromkeys([*listed, *told]))


def _ability(name: str) -> Column:
    return Column(name, ColumnType.INTEGER, lambda r: getattr(creature(r).abilities, name))


def _speed(mode: str) -> Column:
    return Column(f"{mode}_speed", ColumnType.NUMBER, lambda r: creature(r).speed.get(mode))


RATING = Column("challenge_rating", ColumnType.NUMBER, lambda r: creature(r).challenge_rating)
TYPE = Column("type", ColumnType.TEXT, lambda r: creature(r).type)
SUBTYPES = Column("subtypes", ColumnType.LIST, _subtypes)
SIZE = Column("size", ColumnType.LIST, _sizes)
ALIGNMENT = Column("alignment", ColumnType.LIST, _alignments)
ARMOR_CLASS = Column("armor_class", ColumnType.INTEGER, lambda r: creature(r).armor_class)
HIT_POINTS = Column("hit_points", ColumnType.INTEGER, lambda r: creature(r).hit_points)
ENVIRONMENTS = Column("environments", ColumnType.LIST, _environments)
ABILITY_SCORES = {name: _ability(name) for name in ABILITIES}
SPEED_MODES = Column("speed_modes", ColumnType.LIST, _speeds)
SPEED_OF = {mode: _speed(mode) for mode in SPEEDS}
FASTEST = Column("fastest_speed", ColumnType.NUMBER, lambda r: max(creature(r).speed.values(), default=None))
SENSE = Column("senses", ColumnType.LIST, _senses)
LANGUAGES = Column("languages", ColumnType.LIST, _languages)
IMMUNITIES = Column("damage_immunities", ColumnType.LIST, lambda r: creature(r).defenses.damage_immunities)
RESISTANCES = Column("damage_resistances", ColumnType.LIST, lambda r: creature(r).defenses.damage_resistances)
VULNERABILITIES = Column(
    "damage_vulnerabilities", ColumnType.LIST, lambda r: creature(r).defenses.damage_vulnerabilities
)
CONDITION_IMMUNITIES = Column(
    "condition_immunities", ColumnType.LIST, lambda r: creature(r).defenses.condition_immunities
)
LEGENDARY = Column("legendary", ColumnType.FLAG, _is_legendary)
CASTS = Column("casts", ColumnType.LIST, _casts)
