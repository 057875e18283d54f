"""The filters of ``search_creature``."""

from __future__ import annotations

from typing import Annotated, cast

from pydantic import Field

from lorekeeper_mcp.filters.arguments import ABILITIES, AbilityScores, ChallengeRating, choice, in_form
from lorekeeper_mcp.filters.table import (
    Column,
    ColumnType,
    Comparison,
    Condition,
    Filter,
    Params,
    Scalar,
    compare,
    send,
)
from lorekeeper_mcp.filters.vocabulary import CREATURE_TYPES, SIZES
from lorekeeper_mcp.models import Creature, Record
from lorekeeper_mcp.text import slugify

_CREATURES = "v2/creatures"
_Count = Annotated[int, Field(ge=0, le=100_000)]


def _creature(record: Record) -> Creature:
    return cast(Creature, record)


def _environments(record: Record) -> list[str]:
    """Every environment by key, by bare key and by the words of its name: Forest or Jungle is forest too."""
    return [
        name
        for ref in _creature(record).environments
        for name in (ref.key, ref.key.rpartition("_")[2], slugify(ref.name), *slugify(ref.name).split("-or-"))
    ]


def _sizes(record: Record) -> list[str]:
    """Both sizes of what is printed as Medium or Small."""
    creature = _creature(record)
    return [size.lower() for size in creature.size_text.split(" or ") if size] or [creature.size]


def _ability(name: str) -> Column:
    return Column(name, ColumnType.INTEGER, lambda r: getattr(_creature(r).abilities, name))


def _by_ability(value: Scalar) -> dict[str, int]:
    """Abilities travel as sorted pairs, so that an applied filter can be compared and hashed."""
    return (
        {name: int(score) for name, _, score in (pair.partition("=") for pair in str(value).split(","))}
        if value
        else {}
    )


def _abilities(argument: str, comparison: Comparison, lookup: str, help_: str) -> Filter:
    columns = {name: _ability(name) for name in ABILITIES}

    def conditions(value: Scalar) -> tuple[Condition, ...]:
        return tuple(Condition(columns[name], comparison, score) for name, score in _by_ability(value).items())

    def params(value: Scalar) -> Params:
        return {f"ability_score_{name}__{lookup}": str(score) for name, score in _by_ability(value).items()}

    return Filter(argument, AbilityScores, help_, tuple(columns.values()), conditions, {_CREATURES: params})


RATING = Column("challenge_rating", ColumnType.NUMBER, lambda r: _creature(r).challenge_rating)
TYPE = Column("type", ColumnType.TEXT, lambda r: _creature(r).type)
SIZE = Column("size", ColumnType.LIST, _sizes)
ARMOR_CLASS = Column("armor_class", ColumnType.INTEGER, lambda r: _creature(r).armor_class)
HIT_POINTS = Column("hit_points", ColumnType.INTEGER, lambda r: _creature(r).hit_points)
ENVIRONMENTS = Column("environments", ColumnType.LIST, _environments)


# The challenge rating goes out under both names: Open5e before 2.0.0 knows only the second, later only the first.
CREATURE_FILTERS: tuple[Filter, ...] = (
    compare(
        "cr",
        ChallengeRating,
        RATING,
        Comparison.EQUALS,
        'Challenge rating: 5, 0.25; "1/4" is understood',
        {_CREATURES: send("challenge_rating", "challenge_rating_decimal")},
    ),
    compare(
        "cr_min",
        ChallengeRating,
        RATING,
        Comparison.AT_LEAST,
        "Lowest challenge rating",
        {_CREATURES: send("challenge_rating__gte", "challenge_rating_decimal__gte")},
    ),
    compare(
        "cr_max",
        ChallengeRating,
        RATING,
        Comparison.AT_MOST,
        "Highest challenge rating",
        {_CREATURES: send("challenge_rating__lte", "challenge_rating_decimal__lte")},
    ),
    compare("type", choice(*CREATURE_TYPES), TYPE, Comparison.EQUALS, "Creature type", {_CREATURES: send("type")}),
    compare("size", choice(*SIZES), SIZE, Comparison.HAS, "Size", {_CREATURES: send("size")}),
    compare(
        "armor_class_min",
        _Count,
        ARMOR_CLASS,
        Comparison.AT_LEAST,
        "Lowest armor class",
        {_CREATURES: send("armor_class__gte")},
    ),
    compare("hit_points_min", _Count, HIT_POINTS, Comparison.AT_LEAST, "Lowest hit points"),
    compare(
        "environment",
        in_form(slugify),
        ENVIRONMENTS,
        Comparison.HAS,
        "Where it lives: forest, arctic, caves, desert, ocean, urban …",
    ),
    _abilities("ability_min", Comparison.AT_LEAST, "gte", 'Lowest ability scores, e.g. {"strength": 16}'),
    _abilities("ability_max", Comparison.AT_MOST, "lte", 'Highest ability scores, e.g. {"intelligence": 4}'),
)
