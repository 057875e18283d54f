"""The filter columns of creatures, and how each value is read from a stat block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from lorekeeper_mcp.filters.filter_row import Column, ColumnType
from lorekeeper_mcp.filters.granted_spells import spells_compared_to, spells_granted, spells_listed
from lorekeeper_mcp.models import ActionType, Creature, Record
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES
from lorekeeper_mcp.text import slugify

SPEEDS = ("walk", "fly", "swim", "climb", "burrow")
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
_OF_WEAPONS = ["bludgeoning", "piercing", "slashing"]
_DAMAGE = re.compile(rf"\b(?:{'|'.join(DAMAGE_TYPES)})\b")
_CONDITION = re.compile(rf"\b(?:{'|'.join(CONDITIONS)})\b")
_OF_SPELLS = re.compile(r"pellcast|\bspells\b|\bmaterial components\b")
_OF_SPELLS_WORDS = ("pellcast", "spells", "material components")  # faster to look for than the pattern
_AS_ACTION = re.compile(r"\((?:\d\w\w-level|cantrip)[;:] [VSM]\b", re.IGNORECASE)  # a spell listed as an action, in A5E
_LIST = re.compile(r"(?:at will|cantrips?|\d+/day(?: each)?)", re.IGNORECASE)  # a line of a spell list as a trait
_IN_BRACKETS = re.compile(r"\(([^()]*)\)")
_ALIGNMENT_AXES = frozenset({"lawful", "chaotic", "good", "evil", "neutral", "unaligned", "any"})
_LEGENDARY = (ActionType.LEGENDARY_ACTION, ActionType.MYTHIC_ACTION)
_SINGULAR = {"fungi": "fungus", "mummies": "mummy", "sphinxes": "sphinx", "elves": "elf", "dwarves": "dwarf"}


def creature(record: Record) -> Creature:
    """Narrow the type: every reader here gets creatures."""
    return cast(Creature, record)


def _environments(record: Record) -> list[str]:
    """Every environment by key, by bare key and by the words of its name: "Forest or Jungle" matches forest, too."""
    return [
        name
        for ref in creature(record).environments
        for name in (ref.key, ref.key.rpartition("_")[2], slugify(ref.name), *slugify(ref.name).split("-or-"))
    ]


def _sizes(record: Record) -> list[str]:
    """The sizes; "Medium or Small" has both."""
    one = creature(record)
    return [size.lower() for size in one.size_text.split(" or ") if size] or [one.size]


def _subtypes(record: Record) -> list[str]:
    """The subtypes in brackets after the type, and the group in the book: devil, goblinoid.

    Open5e drops the brackets of many creatures and keeps the group ("Devils").
    """
    one = creature(record)
    printed = [part for found in _IN_BRACKETS.findall(one.type_text) for part in re.split(r",| or ", found)]
    group = re.split(r",\s*", one.subcategory)
    return [subtype_key(part) for part in (*printed, *group) if part.strip()]


def subtype_key(text: str) -> str:
    """``Devils`` -> ``devil``, ``Mummies`` -> ``mummy``."""
    key = slugify(text)
    return _SINGULAR.get(key, key.removesuffix("s"))


def _alignments(record: Record) -> list[str]:
    """The printed alignment and each of its words: "evil" matches neutral evil and any evil alignment."""
    printed = creature(record).alignment.lower()
    words = [word for word in re.findall(r"(?<!non-)\b[a-z]+\b", printed) if word in _ALIGNMENT_AXES]
    pairs = re.findall(r"\b(?:lawful|chaotic|neutral) (?:good|evil|neutral)\b", printed)
    true = ["true-neutral"] if printed == "neutral" else []
    return [*true, *(slugify(text) for text in (printed, *pairs, *words) if text)]


def _languages(record: Record) -> list[str]:
    """Languages by key and as printed; languages that are only understood count, too."""
    one = creature(record)
    printed = re.split(r",|;|\band\b|\bor\b|\bplus\b", one.languages.lower())
    words = (re.sub(r"\b(?:understands|speaks|the|languages?|but can.t speak.*)\b", "", part) for part in printed)
    spoken = ["telepathy"] if "telepathy" in one.languages.lower() else []
    return [key for key in (*one.language_keys, *map(slugify, words), *spoken) if key]


def _senses(record: Record) -> list[str]:
    senses = creature(record).senses
    return [name for name in SENSES if getattr(senses, name)]


def _speeds(record: Record) -> list[str]:
    one = creature(record)
    return [*(mode for mode, feet in one.speed.items() if feet), *(["hover"] if one.hover else [])]


def _damage_types(keys: Iterable[str], printed: str) -> list[str]:
    """The damage types as printed. Open5e's keys have all three of weapons where only one applies, or none.

    The keys alone count if nothing is printed, and for "damage from nonmagical weapons".
    """
    if not printed:
        return list(keys)
    named = _DAMAGE.findall(printed.lower())
    if "b/p/s" in printed.lower():
        named += _OF_WEAPONS
    elif not set(named) & set(_OF_WEAPONS) and "weapon" in printed.lower():
        named += [key for key in keys if key in _OF_WEAPONS]
    return list(dict.fromkeys(named))


def _condition_immunities(record: Record) -> list[str]:
    """Open5e's keys, which have "exhausted" as exhaustion, and the printed ones; some books print them with damage."""
    defenses = creature(record).defenses
    printed = f"{defenses.condition_immunities_text} {defenses.damage_immunities_text}".lower()
    return list(dict.fromkeys([*defenses.condition_immunities, *_CONDITION.findall(printed)]))


def _is_legendary(record: Record) -> bool:
    one = creature(record)
    return bool(one.legendary_text) or any(action.type in _LEGENDARY for action in one.actions)


def _casts(record: Record) -> list[str]:
    """Slugs of the spells in its spellcasting lists and of those that traits and actions let it cast."""
    one = creature(record)
    parts = [(part.name, part.text) for part in one.traits] + [(part.name, part.text) for part in one.actions]
    listed = [slug for name, text in parts if _is_of_spells(f"{name} {text}") for slug in spells_listed(text)]
    listed += [slug for name, text in parts if _LIST.fullmatch(name) for slug in spells_listed(f"{name}: {text}")]
    mentioned = [
        slug for _, text in parts for slug in (*spells_granted(text, has_lists=False), *spells_compared_to(text))
    ]
    named = [slugify(name) for name, text in parts if _AS_ACTION.match(text)]
    return list(dict.fromkeys([*listed, *mentioned, *named]))


def _is_of_spells(text: str) -> bool:
    return any(word in text for word in _OF_SPELLS_WORDS) and bool(_OF_SPELLS.search(text))


def _ability(name: str) -> Column:
    return Column(name, ColumnType.INTEGER, lambda r: getattr(creature(r).abilities, name))


def _damage(name: str) -> Column:
    def read(record: Record) -> list[str]:
        defenses = creature(record).defenses
        return _damage_types(getattr(defenses, name), getattr(defenses, f"{name}_text"))

    return Column(name, ColumnType.LIST, read)


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
IMMUNITIES = _damage("damage_immunities")
RESISTANCES = _damage("damage_resistances")
VULNERABILITIES = _damage("damage_vulnerabilities")
CONDITION_IMMUNITIES = Column("condition_immunities", ColumnType.LIST, _condition_immunities)
LEGENDARY = Column("legendary", ColumnType.FLAG, _is_legendary)
CASTS = Column("casts", ColumnType.LIST, _casts)
