"""The filters of ``search_creature``."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, WithJsonSchema

from lorekeeper_mcp.filters import creature_columns as columns
from lorekeeper_mcp.filters.argument_types import (
    AbilityScores,
    ChallengeRating,
    choice,
    measure,
    normalized_by,
    text_reader,
)
from lorekeeper_mcp.filters.everyday_values import FEET, POINTS, expand_alignment, match_key, parse_amount
from lorekeeper_mcp.filters.filter_row import (
    AnyOf,
    Clause,
    Comparison,
    Condition,
    Filter,
    Params,
    Scalar,
    at_least,
    at_most,
    compare,
    integer_column,
    number_column,
    send,
    text_column,
)
from lorekeeper_mcp.models.vocabulary import CONDITIONS, CREATURE_SUBTYPES, CREATURE_TYPES, DAMAGE_TYPES, SIZES
from lorekeeper_mcp.text import slugify

_CREATURES = "v2/creatures"
_Number = Annotated[int, Field(ge=0, le=100_000)]
_Count, _Feet = measure(_Number, POINTS), measure(_Number, FEET)
MODES = ("fly", "swim", "climb", "burrow", "hover")
_SPEED = re.compile(r"(?P<mode>\D*?)(?: ?(?:speed )?(?:of )?(?P<feet>\d.*))?", re.DOTALL)
_TYPE = text_column("type")
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


def _language(text: str) -> str:
    return slugify(text).removesuffix("-language")


def _spell_slug(text: str) -> str:
    """``Fireball`` and ``srd_fireball`` -> ``fireball``."""
    return slugify(text.rpartition("_")[2])


def _score_by_ability(value: Scalar) -> dict[str, int]:
    """Read the sorted pairs that represent ability scores, so that filters are comparable and hashable."""
    pairs = (pair.partition("=") for pair in str(value).split(",") if pair)
    return {name: int(score) for name, _, score in pairs}


def _abilities(argument: str, comparison: Comparison, lookup: str, help_: str) -> Filter:
    def conditions(value: Scalar) -> tuple[Condition, ...]:
        scores = _score_by_ability(value)
        return tuple(Condition(columns.ABILITY_SCORES[name], comparison, score) for name, score in scores.items())

    def params(value: Scalar) -> Params:
        return {f"ability_score_{name}__{lookup}": str(score) for name, score in _score_by_ability(value).items()}

    return Filter(
        argument, AbilityScores, help_, tuple(columns.ABILITY_SCORES.values()), conditions, {_CREATURES: params}
    )


def _type_conditions(value: Scalar) -> tuple[Condition, ...]:
    """A creature type is compared with the type; any other word, such as devil, with the subtypes."""
    if value in CREATURE_TYPES:
        return (Condition(_TYPE, Comparison.EQUALS, value),)
    return (Condition(columns.SUBTYPES, Comparison.HAS, value),)


def _as_speed(text: str) -> str:
    """``flying`` -> ``fly``; ``fly 60 ft.`` -> ``fly=60``, at least 60 feet."""
    match = _SPEED.fullmatch(text.strip().lower())
    name, amount = match.group("mode", "feet") if match else ("", "")
    mode = match_key(slugify(name), (*MODES, "walk"))
    if mode is None:
        raise ValueError
    if not amount:
        return mode
    feet = parse_amount(amount, FEET)
    if feet is None:
        raise ValueError
    return f"{mode}={feet:g}"


def _mode_conditions(value: Scalar) -> tuple[Condition, ...]:
    mode, _, feet = str(value).partition("=")
    return (_at_least_as_fast(mode, feet) if feet else Condition(columns.SPEED_MODES, Comparison.HAS, mode),)


def _at_least_as_fast(mode: str, feet: str) -> Condition:
    return Condition(columns.SPEED_OF["fly" if mode == "hover" else mode], Comparison.AT_LEAST, float(feet))


def _speed_conditions(value: Scalar) -> tuple[Clause, ...]:
    """``60`` is compared with the fastest speed, ``fly=60`` with the mode that the argument ``speed`` names."""
    modes, _, feet = str(value).rpartition("=")
    if not modes:
        return (Condition(columns.FASTEST, Comparison.AT_LEAST, float(feet)),)
    return (AnyOf(tuple(_at_least_as_fast(mode.partition("=")[0], feet) for mode in modes.split(","))),)


_RATING = number_column("challenge_rating")
_DAMAGE_TYPE = choice(*DAMAGE_TYPES)

# Both names of a rating are sent: Open5e before 2.0.0 knows only the second, later releases only the first.
CREATURE_FILTERS: tuple[Filter, ...] = (
    compare(
        "cr",
        ChallengeRating,
        _RATING,
        'Challenge rating: 5, 0.25 or "1/4"',
        {_CREATURES: send("challenge_rating", "challenge_rating_decimal")},
    ),
    at_least(
        "cr_min",
        ChallengeRating,
        _RATING,
        "Minimum challenge rating",
        {_CREATURES: send("challenge_rating__gte", "challenge_rating_decimal__gte")},
    ),
    at_most(
        "cr_max",
        ChallengeRating,
        _RATING,
        "Maximum challenge rating",
        {_CREATURES: send("challenge_rating__lte", "challenge_rating_decimal__lte")},
    ),
    Filter(
        "type",
        choice(*CREATURE_TYPES, unlisted=CREATURE_SUBTYPES),
        "Creature type",
        (_TYPE, columns.SUBTYPES),
        _type_conditions,
        {_CREATURES: lambda value: {"type": str(value)} if value in CREATURE_TYPES else {}},
        takes_several=True,
    ),
    compare(
        "subtype", normalized_by(columns.subtype_key), columns.SUBTYPES, "devil, demon, goblinoid, shapechanger, elf …"
    ),
    compare("size", choice(*SIZES), columns.SIZES, "Size", {_CREATURES: send("size")}),
    compare(
        "alignment",
        normalized_by(lambda text: expand_alignment(slugify(text))),
        columns.ALIGNMENTS,
        "chaotic good, or one word: evil, unaligned …",
    ),
    at_least(
        "armor_class_min",
        _Count,
        integer_column("armor_class"),
        "Minimum armor class",
        {_CREATURES: send("armor_class__gte")},
    ),
    at_least("hit_points_min", _Count, integer_column("hit_points"), "Minimum hit points"),
    compare(
        "environment",
        normalized_by(habitat_key),
        columns.ENVIRONMENTS,
        "Where it lives: forest, arctic, caves, desert, ocean, urban …",
    ),
    _abilities("ability_min", Comparison.AT_LEAST, "gte", 'Minimum ability scores, e.g. {"strength": 16}'),
    _abilities("ability_max", Comparison.AT_MOST, "lte", 'Maximum ability scores, e.g. {"intelligence": 4}'),
    Filter(
        "speed",
        Annotated[str, text_reader(_as_speed), WithJsonSchema({"enum": [*MODES], "type": "string"})],
        "Movement mode",
        (columns.SPEED_MODES,),
        _mode_conditions,
        takes_several=True,
    ),
    Filter(
        "speed_min",
        _Feet,
        "Minimum speed in feet: in the mode given as speed, else the fastest",
        (columns.FASTEST, *columns.SPEED_OF.values()),
        _speed_conditions,
        qualified_by="speed",
    ),
    compare("sense", choice(*columns.SENSES), columns.SENSE, "Special sense"),
    compare("language", normalized_by(_language), columns.LANGUAGES, "Speaks or understands: deep speech …"),
    compare("damage_immunity", _DAMAGE_TYPE, columns.IMMUNITIES, "Immune to this damage"),
    compare("damage_resistance", _DAMAGE_TYPE, columns.RESISTANCES, "Resists this damage"),
    compare("damage_vulnerability", _DAMAGE_TYPE, columns.VULNERABILITIES, "Vulnerable to this damage"),
    compare("condition_immunity", choice(*CONDITIONS), columns.CONDITION_IMMUNITIES, "Immune to this condition"),
    compare("condition", choice(*CONDITIONS), columns.CONDITIONS_CAUSED, "Can cause this condition"),
    compare("trait", normalized_by(columns.trait_key), columns.TRAITS, "Trait or action: Pack Tactics, Parry …"),
    compare("legendary", bool, columns.LEGENDARY, "Has legendary actions"),
    compare("casts", normalized_by(_spell_slug), columns.CASTS, "Casts this spell: a name or key"),
)
