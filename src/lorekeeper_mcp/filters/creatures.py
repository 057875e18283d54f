"""The filters of ``search_creature``."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from lorekeeper_mcp.filters import creature_columns as columns
from lorekeeper_mcp.filters.argument_types import AbilityScores, ChallengeRating, choice, measure, normalised_by
from lorekeeper_mcp.filters.creature_columns import (
    ABILITY_SCORES,
    FASTEST,
    SENSES,
    SPEED_MODES,
    SPEED_OF,
    SUBTYPES,
    TYPE,
    subtype_key,
)
from lorekeeper_mcp.filters.everyday_values import FEET, POINTS, expand_alignment, match_key, parse_amount
from lorekeeper_mcp.filters.filter_row import (
    AnyOf,
    Clause,
    Column,
    Comparison,
    Condition,
    Filter,
    Params,
    Scalar,
    compare,
    send,
)
from lorekeeper_mcp.models.vocabulary import CONDITIONS, CREATURE_SUBTYPES, CREATURE_TYPES, DAMAGE_TYPES, SIZES
from lorekeeper_mcp.text import slugify

_CREATURES = "v2/creatures"
_Number = Annotated[int, Field(ge=0, le=100_000)]
_Count, _Feet = measure(_Number, POINTS), measure(_Number, FEET)
MODES = ("fly", "swim", "climb", "burrow", "hover")
_SPEED = re.compile(r"(?P<mode>\D*?)(?: ?(?:speed )?(?:of )?(?P<feet>\d.*))?", re.DOTALL)
_LONGEST_SPEED = 64  # characters
# What people call habitats, with Open5e's keys.
_HABITATS = {
    "underwater": "ocean",
    "aquatic": "ocean",
    "water": "ocean",
    "sea": "ocean",
    "coastal": "coast",
    "beach": "coast",
    "shore": "coast",
    "underdark": "underworld",
    "jungle": "forest",
    "woods": "forest",
    "woodland": "forest",
    "rainforest": "forest",
    "tundra": "arctic",
    "snow": "arctic",
    "ice": "arctic",
    "plains": "grassland",
    "plain": "grassland",
    "prairie": "grassland",
    "savanna": "grassland",
    "marsh": "swamp",
    "bog": "swamp",
    "wetland": "swamp",
    "mountainous": "mountain",
    "city": "urban",
    "town": "urban",
    "cave": "caves",
    "dungeon": "ruins",
    "hill": "hills",
    "graveyard": "tomb",
    "crypt": "tomb",
}


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


def _by_ability(value: Scalar) -> dict[str, int]:
    """Read the sorted pairs, in which abilities are passed so that an applied filter is comparable and hashable."""
    return (
        {name: int(score) for name, _, score in (pair.partition("=") for pair in str(value).split(","))}
        if value
        else {}
    )


def _abilities(argument: str, comparison: Comparison, lookup: str, help_: str) -> Filter:
    def conditions(value: Scalar) -> tuple[Condition, ...]:
        return tuple(Condition(ABILITY_SCORES[name], comparison, score) for name, score in _by_ability(value).items())

    def params(value: Scalar) -> Params:
        return {f"ability_score_{name}__{lookup}": str(score) for name, score in _by_ability(value).items()}

    return Filter(argument, AbilityScores, help_, tuple(ABILITY_SCORES.values()), conditions, {_CREATURES: params})


def _type_conditions(value: Scalar) -> tuple[Condition, ...]:
    """A creature type is compared with the type; any other word, such as devil, with the subtypes."""
    if value in CREATURE_TYPES:
        return (Condition(TYPE, Comparison.EQUALS, value),)
    return (Condition(SUBTYPES, Comparison.HAS, value),)


def _as_speed(value: object) -> object:
    """``flying`` -> ``fly``; ``fly 60 ft.`` -> ``fly=60``, at least 60 feet."""
    if not isinstance(value, str) or len(value) > _LONGEST_SPEED:
        return value
    match = _SPEED.fullmatch(value.strip().lower())
    mode, feet = match.group("mode", "feet") if match else ("", "")
    found = match_key(slugify(mode), (*MODES, "walk"))
    least = parse_amount(feet, FEET) if feet else None
    if found is None or (feet and least is None):
        raise ValueError
    return f"{found}={least:g}" if least is not None else found


def _mode_conditions(value: Scalar) -> tuple[Condition, ...]:
    mode, _, feet = str(value).partition("=")
    if feet:
        return (Condition(_column_of(mode), Comparison.AT_LEAST, float(feet)),)
    return (Condition(SPEED_MODES, Comparison.HAS, mode),)


def _column_of(mode: str) -> Column:
    return SPEED_OF["fly" if mode == "hover" else mode]


def _speed_conditions(value: Scalar) -> tuple[Clause, ...]:
    """``60`` is compared with the fastest speed, ``fly=60`` with the mode that the argument ``speed`` names."""
    modes, _, feet = str(value).rpartition("=")
    if not modes:
        return (Condition(FASTEST, Comparison.AT_LEAST, float(feet)),)
    return (
        AnyOf(
            tuple(
                Condition(_column_of(mode.partition("=")[0]), Comparison.AT_LEAST, float(feet))
                for mode in modes.split(",")
            )
        ),
    )


def _defense(argument: str, column: Column, help_: str) -> Filter:
    return compare(argument, choice(*DAMAGE_TYPES), column, Comparison.HAS, help_)


# Both names are sent: Open5e before 2.0.0 knows only the second, later releases only the first.
CREATURE_FILTERS: tuple[Filter, ...] = (
    compare(
        "cr",
        ChallengeRating,
        columns.RATING,
        Comparison.EQUALS,
        'Challenge rating: 5, 0.25 or "1/4"',
        {_CREATURES: send("challenge_rating", "challenge_rating_decimal")},
    ),
    compare(
        "cr_min",
        ChallengeRating,
        columns.RATING,
        Comparison.AT_LEAST,
        "Lowest challenge rating",
        {_CREATURES: send("challenge_rating__gte", "challenge_rating_decimal__gte")},
    ),
    compare(
        "cr_max",
        ChallengeRating,
        columns.RATING,
        Comparison.AT_MOST,
        "Highest challenge rating",
        {_CREATURES: send("challenge_rating__lte", "challenge_rating_decimal__lte")},
    ),
    Filter(
        "type",
        choice(*CREATURE_TYPES, unlisted=CREATURE_SUBTYPES),
        "Creature type",
        (TYPE, SUBTYPES),
        _type_conditions,
        {_CREATURES: lambda value: {"type": str(value)} if value in CREATURE_TYPES else {}},
        takes_several=True,
    ),
    compare(
        "subtype", normalised_by(subtype_key), SUBTYPES, Comparison.HAS, "devil, demon, goblinoid, shapechanger, elf …"
    ),
    compare("size", choice(*SIZES), columns.SIZE, Comparison.HAS, "Size", {_CREATURES: send("size")}),
    compare(
        "alignment",
        normalised_by(lambda text: expand_alignment(slugify(text))),
        columns.ALIGNMENT,
        Comparison.HAS,
        "chaotic good, or one word: evil, unaligned …",
    ),
    compare(
        "armor_class_min",
        _Count,
        columns.ARMOR_CLASS,
        Comparison.AT_LEAST,
        "Lowest armor class",
        {_CREATURES: send("armor_class__gte")},
    ),
    compare("hit_points_min", _Count, columns.HIT_POINTS, Comparison.AT_LEAST, "Lowest hit points"),
    compare(
        "environment",
        normalised_by(habitat_key),
        columns.ENVIRONMENTS,
        Comparison.HAS,
        "Where it lives: forest, arctic, caves, desert, ocean, urban …",
    ),
    _abilities("ability_min", Comparison.AT_LEAST, "gte", 'Lowest ability scores, e.g. {"strength": 16}'),
    _abilities("ability_max", Comparison.AT_MOST, "lte", 'Highest ability scores, e.g. {"intelligence": 4}'),
    Filter(
        "speed",
        Annotated[str, BeforeValidator(_as_speed), WithJsonSchema({"enum": [*MODES], "type": "string"})],
        "Way of moving",
        (SPEED_MODES,),
        _mode_conditions,
        takes_several=True,
    ),
    Filter(
        "speed_min",
        _Feet,
        "Lowest speed in feet: the mode in speed, else the fastest",
        (FASTEST, *SPEED_OF.values()),
        _speed_conditions,
        qualified_by="speed",
    ),
    compare("sense", choice(*SENSES), columns.SENSE, Comparison.HAS, "Special sense"),
    compare(
        "language", normalised_by(_language), columns.LANGUAGES, Comparison.HAS, "Speaks or understands: deep speech …"
    ),
    _defense("damage_immunity", columns.IMMUNITIES, "Immune to this damage"),
    _defense("damage_resistance", columns.RESISTANCES, "Resists this damage"),
    _defense("damage_vulnerability", columns.VULNERABILITIES, "Vulnerable to this damage"),
    compare(
        "condition_immunity",
        choice(*CONDITIONS),
        columns.CONDITION_IMMUNITIES,
        Comparison.HAS,
        "Immune to this condition",
    ),
    compare("legendary", bool, columns.LEGENDARY, Comparison.EQUALS, "Has legendary actions"),
    compare("casts", normalised_by(_spell_slug), columns.CASTS, Comparison.HAS, "Casts this spell: a name or key"),
)
