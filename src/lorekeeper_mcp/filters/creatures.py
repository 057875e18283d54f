"""The filters of ``search_creature``, their columns, and how each value is read from a stat block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Annotated

from pydantic import Field

from lorekeeper_mcp.filters.argument_types import (
    FEET,
    POINTS,
    AbilityScores,
    ChallengeRating,
    alignment_key,
    choice,
    measure,
    normalized_by,
)
from lorekeeper_mcp.filters.caused_conditions import conditions_caused
from lorekeeper_mcp.filters.filter_row import (
    AnyOf,
    Clause,
    Column,
    ColumnType,
    Comparison,
    Condition,
    Filter,
    Params,
    Scalar,
    bounds,
    compare,
    integer_column,
    number_column,
    send,
    text_column,
)
from lorekeeper_mcp.filters.granted_spells import spells_granted, spells_listed
from lorekeeper_mcp.models import Action, ActionType, Creature, Section
from lorekeeper_mcp.models.vocabulary import (
    ABILITIES,
    CONDITIONS,
    CREATURE_SUBTYPES,
    CREATURE_TYPES,
    DAMAGE_TYPES,
    SIZES,
)
from lorekeeper_mcp.text import slugify

_CREATURES = "v2/creatures"
_Number = Annotated[int, Field(ge=0, le=100_000)]
_Count, _Feet = measure(_Number, POINTS), measure(_Number, FEET)
MODES = ("fly", "swim", "climb", "burrow", "hover")
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
_LEGENDARY_ACTIONS = (ActionType.LEGENDARY_ACTION, ActionType.MYTHIC_ACTION)
_SINGULAR = {"fungi": "fungus", "mummies": "mummy", "sphinxes": "sphinx", "elves": "elf", "dwarves": "dwarf"}
# Other names of the habitats, by Open5e's keys.
_HABITAT_NAMES = {
    "ocean": "underwater aquatic water sea",
    "coast": "coastal beach shore",
    "underworld": "underdark",
    "forest": "jungle woods woodland rainforest",
    "arctic": "tundra snow ice",
    "grassland": "plains plain prairie savanna",
    "swamp": "marsh bog wetland",
    "mountain": "mountainous",
    "urban": "city town",
    "caves": "cave",
    "ruins": "dungeon",
    "hills": "hill",
    "tomb": "graveyard crypt",
}
_HABITATS = {name: key for key, names in _HABITAT_NAMES.items() for name in names.split()}


def habitat_key(text: str) -> str:
    """The key of a habitat: ``underwater`` -> ``ocean``, ``mountains`` -> ``mountain``; ``forest`` is kept."""
    key = slugify(text)
    plain = key if key in ("caves", "hills", "ruins") else key.removesuffix("s")
    return _HABITATS.get(key) or _HABITATS.get(plain) or (key if key.startswith(("srd_", "tob_")) else plain)


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
    return bool(creature.legendary_text) or any(action.type in _LEGENDARY_ACTIONS for action in creature.actions)


def _casts(creature: Creature) -> list[str]:
    """Slugs of the spells in its spellcasting lists and of those that traits and actions let it cast."""
    entries = _entries(creature)
    listed: list[str] = []
    mentioned: list[str] = []
    for entry in entries:
        if _is_about_spells(f"{entry.name} {entry.text}"):
            listed += spells_listed(entry.text)
        mentioned += spells_granted(entry.text, has_lists=False)
    for entry in entries:
        if _LIST.fullmatch(entry.name):
            listed += spells_listed(f"{entry.name}: {entry.text}")
    as_actions = [slugify(entry.name) for entry in entries if _AS_ACTION.match(entry.text)]
    return list(dict.fromkeys([*listed, *mentioned, *as_actions]))


def _is_about_spells(text: str) -> bool:
    return any(word in text for word in _OF_SPELLS_WORDS) and bool(_OF_SPELLS.search(text))


def _score_by_ability(value: Scalar) -> dict[str, int]:
    """Read the sorted pairs that represent ability scores, so that filters are comparable and hashable."""
    pairs = (pair.partition("=") for pair in str(value).split(",") if pair)
    return {name: int(score) for name, _, score in pairs}


def _abilities(argument: str, comparison: Comparison, lookup: str, help_: str) -> Filter:
    def conditions(value: Scalar) -> tuple[Condition, ...]:
        scores = _score_by_ability(value)
        return tuple(Condition(_ABILITY_SCORES[name], comparison, score) for name, score in scores.items())

    def params(value: Scalar) -> Params:
        return {f"ability_score_{name}__{lookup}": str(score) for name, score in _score_by_ability(value).items()}

    return Filter(argument, AbilityScores, help_, tuple(_ABILITY_SCORES.values()), conditions, {_CREATURES: params})


def _type_conditions(value: Scalar) -> tuple[Condition, ...]:
    """A creature type is compared with the type; any other word, such as devil, with the subtypes."""
    if value in CREATURE_TYPES:
        return (Condition(_TYPE, Comparison.EQUALS, value),)
    return (Condition(_SUBTYPES, Comparison.HAS, value),)


def _at_least_as_fast(mode: str, feet: str) -> Condition:
    return Condition(_SPEED_OF["fly" if mode == "hover" else mode], Comparison.AT_LEAST, float(feet))


def _speed_conditions(value: Scalar) -> tuple[Clause, ...]:
    """``60`` is compared with the fastest speed, ``fly=60`` with the mode that the argument ``speed`` names."""
    modes, _, feet = str(value).rpartition("=")
    if not modes:
        return (Condition(_FASTEST, Comparison.AT_LEAST, float(feet)),)
    return (AnyOf(tuple(_at_least_as_fast(mode, feet) for mode in modes.split(","))),)


def _damage_column(name: str) -> Column:
    def read(creature: Creature) -> list[str]:
        defenses = creature.defenses
        return _damage_types(getattr(defenses, name), getattr(defenses, f"{name}_text"))

    return Column(name, ColumnType.LIST, read)


def _speed_column(mode: str) -> Column:
    return Column(f"{mode}_speed", ColumnType.NUMBER, lambda creature: creature.speed.get(mode))


_list = partial(Column, type=ColumnType.LIST)
_RATING = number_column("challenge_rating")
_TYPE = text_column("type")
_SUBTYPES = _list("subtypes", read=_subtypes)
_ABILITY_SCORES = {name: integer_column(name, path=f"abilities.{name}") for name in ABILITIES}
_SPEED_OF = {mode: _speed_column(mode) for mode in ("walk", "fly", "swim", "climb", "burrow")}
_FASTEST = Column("fastest_speed", ColumnType.NUMBER, lambda creature: max(creature.speed.values(), default=None))
_SENSES = _list("senses", read=lambda creature: [name for name in SENSES if getattr(creature.senses, name)])
_LEGENDARY = Column("legendary", ColumnType.FLAG, _is_legendary)
TRAITS = _list("traits", read=_traits)
CASTS = _list("casts", read=_casts)
_sent = partial(send, _CREATURES)

# Both names of a rating are sent: Open5e before 2.0.0 knows only the second, later releases only the first.
CREATURE_FILTERS: tuple[Filter, ...] = (
    compare(
        "cr",
        ChallengeRating,
        _RATING,
        'Challenge rating: 5, 0.25 or "1/4"',
        _sent("challenge_rating", "challenge_rating_decimal"),
    ),
    *bounds(
        "cr", ChallengeRating, _RATING, "challenge rating", _CREATURES, "challenge_rating", "challenge_rating_decimal"
    ),
    Filter(
        "type",
        choice(*CREATURE_TYPES, unlisted=CREATURE_SUBTYPES),
        "Creature type",
        (_TYPE, _SUBTYPES),
        _type_conditions,
        {_CREATURES: lambda value: {"type": str(value)} if value in CREATURE_TYPES else {}},
        takes_several=True,
    ),
    compare("subtype", normalized_by(subtype_key), _SUBTYPES, "devil, demon, goblinoid, shapechanger, elf …"),
    compare("size", choice(*SIZES), _list("size", read=_sizes), "Size", _sent("size")),
    compare(
        "alignment",
        normalized_by(alignment_key),
        _list("alignment", read=_alignments),
        "chaotic good, or one word: evil, unaligned …",
    ),
    *bounds("armor_class", _Count, integer_column("armor_class"), "armor class", _CREATURES, "armor_class", ends="min"),
    *bounds("hit_points", _Count, integer_column("hit_points"), "hit points", ends="min"),
    compare(
        "environment",
        normalized_by(habitat_key),
        _list("environments", read=_environments),
        "Where it lives: forest, arctic, caves, desert, ocean, urban …",
    ),
    _abilities("ability_min", Comparison.AT_LEAST, "gte", 'Minimum ability scores, e.g. {"strength": 16}'),
    _abilities("ability_max", Comparison.AT_MOST, "lte", 'Maximum ability scores, e.g. {"intelligence": 4}'),
    compare("speed", choice(*MODES, unlisted=("walk",)), _list("speed_modes", read=_speed_modes), "Movement mode"),
    Filter(
        "speed_min",
        _Feet,
        "Minimum speed in feet: in the mode given as speed, else the fastest",
        (_FASTEST, *_SPEED_OF.values()),
        _speed_conditions,
        qualified_by="speed",
    ),
    compare("sense", choice(*SENSES), _SENSES, "Special sense"),
    compare(
        "language",
        normalized_by(lambda text: slugify(text).removesuffix("-language")),
        _list("languages", read=_languages),
        "Speaks or understands: deep speech …",
    ),
    *(
        compare(argument, choice(*DAMAGE_TYPES), _damage_column(name), f"{help_} this damage")
        for argument, name, help_ in (
            ("damage_immunity", "damage_immunities", "Immune to"),
            ("damage_resistance", "damage_resistances", "Resists"),
            ("damage_vulnerability", "damage_vulnerabilities", "Vulnerable to"),
        )
    ),
    compare(
        "condition_immunity",
        choice(*CONDITIONS),
        _list("condition_immunities", read=_condition_immunities),
        "Immune to this condition",
    ),
    compare("condition", choice(*CONDITIONS), _list("conditions", read=_conditions), "Can cause this condition"),
    compare("trait", normalized_by(trait_key), TRAITS, "Trait or action: Pack Tactics, Parry …"),
    compare("legendary", bool, _LEGENDARY, "Has legendary actions"),
    # A name or a key: "Fireball" and "srd_fireball" are "fireball".
    compare(
        "casts", normalized_by(lambda text: slugify(text.rpartition("_")[2])), CASTS, "Casts this spell: a name or key"
    ),
)
