"""The filter columns of creatures, and how each value is read from a stat block."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lorekeeper_mcp.filters.caused_conditions import conditions_caused
from lorekeeper_mcp.filters.filter_row import Column, ColumnType, integer_column
from lorekeeper_mcp.filters.granted_spells import spells_compared_to, spells_granted, spells_listed
from lorekeeper_mcp.models import Action, ActionType, Creature, Section
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES
from lorekeeper_mcp.text import slugify

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


def _environments(creature: Creature) -> list[str]:
    """Every environment by key, bare key and the parts of its name, so that "Forest or Jungle" also matches forest."""
    return [
        name
        for ref in creature.environments
        for name in (ref.key, ref.key.rpartition("_")[2], slugify(ref.name), *slugify(ref.name).split("-or-"))
    ]


def _sizes(creature: Creature) -> list[str]:
    """The sizes; "Medium or Small" has both."""
    return [size.lower() for size in creature.size_text.split(" or ") if size] or [creature.size]


def _subtypes(creature: Creature) -> list[str]:
    """The subtypes in brackets after the type, and the group in the book: devil, goblinoid.

    Open5e drops the brackets of many creatures and keeps the group ("Devils").
    """
    printed = [name for tags in _IN_BRACKETS.findall(creature.type_text) for name in re.split(r",| or ", tags)]
    groups = re.split(r",\s*", creature.subcategory)
    return [subtype_key(name) for name in (*printed, *groups) if name.strip()]


def subtype_key(text: str) -> str:
    """``Devils`` -> ``devil``, ``Mummies`` -> ``mummy``."""
    key = slugify(text)
    return _SINGULAR.get(key, key.removesuffix("s"))


def _alignments(creature: Creature) -> list[str]:
    """The printed alignment and each of its words: "evil" matches neutral evil and any evil alignment."""
    printed = creature.alignment.lower()
    words = [word for word in re.findall(r"(?<!non-)\b[a-z]+\b", printed) if word in _ALIGNMENT_AXES]
    pairs = re.findall(r"\b(?:lawful|chaotic|neutral) (?:good|evil|neutral)\b", printed)
    true_neutral = ["true-neutral"] if printed == "neutral" else []
    return [*true_neutral, *(slugify(text) for text in (printed, *pairs, *words) if text)]


def _languages(creature: Creature) -> list[str]:
    """Languages by key and as printed; languages that are only understood count, too."""
    printed = creature.languages.lower()
    parts = re.split(r",|;|\band\b|\bor\b|\bplus\b", printed)
    names = (re.sub(r"\b(?:understands|speaks|the|languages?|but can.t speak.*)\b", "", part) for part in parts)
    telepathy = ["telepathy"] if "telepathy" in printed else []
    return [key for key in (*creature.language_keys, *map(slugify, names), *telepathy) if key]


def _speed_modes(creature: Creature) -> list[str]:
    return [*(mode for mode, feet in creature.speed.items() if feet), *(["hover"] if creature.hover else [])]


def _damage_types(keys: Iterable[str], printed: str) -> list[str]:
    """The damage types as printed. Open5e's keys have all three types of weapons where only one applies, or none.

    The keys are used if nothing is printed, or for "damage from nonmagical weapons".
    """
    if not printed:
        return list(keys)
    text = printed.lower()
    types = _DAMAGE.findall(text)
    if "b/p/s" in text:
        types += _OF_WEAPONS
    elif not set(types) & set(_OF_WEAPONS) and "weapon" in text:
        types += [key for key in keys if key in _OF_WEAPONS]
    return list(dict.fromkeys(types))


def _condition_immunities(creature: Creature) -> list[str]:
    """Open5e's keys, with exhaustion for "exhausted", and the printed ones, which some books list with damage."""
    defenses = creature.defenses
    printed = f"{defenses.condition_immunities_text} {defenses.damage_immunities_text}".lower()
    return list(dict.fromkeys([*defenses.condition_immunities, *_CONDITION.findall(printed)]))


def _entries(creature: Creature) -> list[Section | Action]:
    return [*creature.traits, *creature.actions]


def _traits(creature: Creature) -> list[str]:
    """The names of its traits and of all of its actions, without remarks: ``legendary-resistance``."""
    return list(dict.fromkeys(filter(None, (trait_key(entry.name) for entry in _entries(creature)))))


def trait_key(text: str) -> str:
    """``Fire Breath (Recharge 5-6)`` -> ``fire-breath``."""
    return slugify(_IN_BRACKETS.sub("", text))


def _conditions(creature: Creature) -> list[str]:
    """The conditions that its traits and actions cause."""
    return list(dict.fromkeys(key for entry in _entries(creature) for key in conditions_caused(entry.text)))


def _is_legendary(creature: Creature) -> bool:
    return bool(creature.legendary_text) or any(action.type in _LEGENDARY for action in creature.actions)


def _casts(creature: Creature) -> list[str]:
    """Slugs of the spells in its spellcasting lists and of those that traits and actions let it cast."""
    entries = _entries(creature)
    listed: list[str] = []
    mentioned: list[str] = []
    for entry in entries:
        if _is_about_spells(f"{entry.name} {entry.text}"):
            listed += spells_listed(entry.text)
        mentioned += spells_granted(entry.text, has_lists=False)
        mentioned += spells_compared_to(entry.text)
    for entry in entries:
        if _LIST.fullmatch(entry.name):
            listed += spells_listed(f"{entry.name}: {entry.text}")
    as_actions = [slugify(entry.name) for entry in entries if _AS_ACTION.match(entry.text)]
    return list(dict.fromkeys([*listed, *mentioned, *as_actions]))


def _is_about_spells(text: str) -> bool:
    return any(word in text for word in _OF_SPELLS_WORDS) and bool(_OF_SPELLS.search(text))


def _damage_column(name: str) -> Column:
    def read(creature: Creature) -> list[str]:
        defenses = creature.defenses
        return _damage_types(getattr(defenses, name), getattr(defenses, f"{name}_text"))

    return Column(name, ColumnType.LIST, read)


def _speed_column(mode: str) -> Column:
    return Column(f"{mode}_speed", ColumnType.NUMBER, lambda creature: creature.speed.get(mode))


SUBTYPES = Column("subtypes", ColumnType.LIST, _subtypes)
SIZES = Column("size", ColumnType.LIST, _sizes)
ALIGNMENTS = Column("alignment", ColumnType.LIST, _alignments)
ENVIRONMENTS = Column("environments", ColumnType.LIST, _environments)
ABILITY_SCORES = {name: integer_column(name, path=f"abilities.{name}") for name in ABILITIES}
SPEED_MODES = Column("speed_modes", ColumnType.LIST, _speed_modes)
SPEED_OF = {mode: _speed_column(mode) for mode in ("walk", "fly", "swim", "climb", "burrow")}
FASTEST = Column("fastest_speed", ColumnType.NUMBER, lambda creature: max(creature.speed.values(), default=None))
SENSE = Column("senses", ColumnType.LIST, lambda creature: [name for name in SENSES if getattr(creature.senses, name)])
LANGUAGES = Column("languages", ColumnType.LIST, _languages)
IMMUNITIES = _damage_column("damage_immunities")
RESISTANCES = _damage_column("damage_resistances")
VULNERABILITIES = _damage_column("damage_vulnerabilities")
CONDITION_IMMUNITIES = Column("condition_immunities", ColumnType.LIST, _condition_immunities)
LEGENDARY = Column("legendary", ColumnType.FLAG, _is_legendary)
TRAITS = Column("traits", ColumnType.LIST, _traits)
CONDITIONS_CAUSED = Column("conditions", ColumnType.LIST, _conditions)
CASTS = Column("casts", ColumnType.LIST, _casts)
