"""The filters of ``search_spell``."""

from __future__ import annotations

import re
from typing import Annotated, cast

from pydantic import Field

from lorekeeper_mcp.filters.argument_types import (
    CLASS_KEY,
    casting_time_key,
    choice,
    class_key,
    level,
    measure,
    normalised_by,
)
from lorekeeper_mcp.filters.caused_conditions import conditions_caused
from lorekeeper_mcp.filters.everyday_values import FEET, GP
from lorekeeper_mcp.filters.filter_row import (
    Column,
    ColumnType,
    Comparison,
    Filter,
    Params,
    Scalar,
    compare,
    send,
    send_flag,
)
from lorekeeper_mcp.models import Record, Spell
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES, SCHOOLS, SRD_CLASSES
from lorekeeper_mcp.text import slugify

_SPELLS = "v2/spells"
_Level = level(0, 9)
_Gold = measure(Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)], GP)
_Feet = measure(Annotated[int, Field(ge=0, le=100_000_000)], FEET)
_FEET_OF = {"feet": 1, "miles": 5280}
_SIGHT = 2020  # feet: what Open5e has for a range of sight, which has no number

# Open5e answers 400 to any other value of its ``casting_time`` parameter.
_CASTING_TIMES = frozenset(
    [
        "reaction",
        "bonus-action",
        "action",
        "turn",
        "round",
        "1minute",
        "5minutes",
        "10minutes",
        "1hour",
        "4hours",
        "7hours",
        "8hours",
        "9hours",
        "12hours",
        "24hours",
        "1week",
    ]
)


def _spell(record: Record) -> Spell:
    return cast(Spell, record)


def _class_keys(record: Record) -> list[str]:
    """Every class and subclass by its full key and by its bare name, so that ``wizard`` matches both editions."""
    spell = _spell(record)
    return [
        name
        for ref in (*spell.classes, *spell.subclasses)
        for name in (ref.key, class_key(ref.key.rpartition("_")[2] or ref.name))
    ]


def is_of_class(value: Scalar) -> bool:
    """Whether a ``class_key`` is a class's. Open5e's spells name no subclasses; their lists are in their own texts."""
    return str(value).rpartition("_")[2] in SRD_CLASSES


def _send_class(value: Scalar) -> Params:
    """A bare name queries both editions; the duplicate rows in the response are dropped by key."""
    name = str(value)
    if not is_of_class(name):
        return {}
    return {"classes__key__in": name if "_" in name else f"srd_{name},srd-2024_{name}"}


def _send_casting_time(value: Scalar) -> Params:
    return {"casting_time": str(value)} if value in _CASTING_TIMES else {}


def _duration(record: Record) -> list[str]:
    """The printed duration, and its first part alone: "1 minute" of "1 minute, until expended"."""
    printed = _spell(record).duration.lower().removeprefix("up to ")
    return [key for key in dict.fromkeys((slugify(printed), slugify(re.split(r",| or |;", printed)[0]))) if key]


def duration_key(text: str) -> str:
    """``Concentration, up to 1 minute`` and ``1 min`` -> ``1-minute``."""
    plain = re.sub(r"^(?:concentration,?\s*)?(?:up to )?", "", text.strip().lower())
    plain = re.sub(r"\bmins?\b\.?", "minute", re.sub(r"\bhrs?\b\.?", "hour", plain))
    plain = re.sub(r"\b(?:(?:[02-9]|[1-9]\d+)) (minute|hour|day|round)\b", lambda found: f"{found[0]}s", plain)
    return "instantaneous" if plain == "instant" else slugify(plain)


def _range(record: Record) -> float | None:
    """The range in feet; None for sight and special ranges."""
    spell = _spell(record)
    if spell.range is None or spell.range == _SIGHT or spell.range_text.lower() == "special":
        return None
    return spell.range * _FEET_OF.get(spell.range_unit or "feet", 1)


LEVEL = Column("level", ColumnType.INTEGER, lambda r: _spell(r).level)
SCHOOL = Column("school", ColumnType.TEXT, lambda r: _spell(r).school)
CLASSES = Column("classes", ColumnType.LIST, _class_keys)
CONCENTRATION = Column("concentration", ColumnType.FLAG, lambda r: _spell(r).concentration)
RITUAL = Column("ritual", ColumnType.FLAG, lambda r: _spell(r).ritual)
CASTING_TIME = Column("casting_time", ColumnType.TEXT, lambda r: _spell(r).casting_time)
DAMAGE = Column("damage_types", ColumnType.LIST, lambda r: _spell(r).damage_types)
SAVE = Column("saving_throw", ColumnType.TEXT, lambda r: _spell(r).saving_throw)
CAUSES = Column("conditions", ColumnType.LIST, lambda r: conditions_caused(_spell(r).text))
DURATION = Column("durations", ColumnType.LIST, _duration)
VERBAL = Column("verbal", ColumnType.FLAG, lambda r: _spell(r).verbal)
SOMATIC = Column("somatic", ColumnType.FLAG, lambda r: _spell(r).somatic)
MATERIAL = Column("material", ColumnType.FLAG, lambda r: _spell(r).material)
MATERIAL_COST = Column("material_cost", ColumnType.NUMBER, lambda r: _spell(r).material_cost)
RANGE = Column("range", ColumnType.NUMBER, _range)

SPELL_FILTERS: tuple[Filter, ...] = (
    compare("level", _Level, LEVEL, Comparison.EQUALS, "Spell level; 0 = cantrip", {_SPELLS: send("level")}),
    compare("level_min", _Level, LEVEL, Comparison.AT_LEAST, "Lowest level", {_SPELLS: send("level__gte")}),
    compare("level_max", _Level, LEVEL, Comparison.AT_MOST, "Highest level", {_SPELLS: send("level__lte")}),
    compare("school", choice(*SCHOOLS), SCHOOL, Comparison.EQUALS, "School of magic", {_SPELLS: send("school__key")}),
    compare(
        "class_key",
        CLASS_KEY,
        CLASSES,
        Comparison.HAS,
        "On the list of this class or subclass: wizard (any edition) or a key such as srd_wizard",
        {_SPELLS: _send_class},
    ),
    compare(
        "concentration",
        bool,
        CONCENTRATION,
        Comparison.EQUALS,
        "Needs concentration",
        {_SPELLS: send_flag("concentration")},
    ),
    compare("ritual", bool, RITUAL, Comparison.EQUALS, "Can be cast as a ritual"),
    compare(
        "casting_time",
        normalised_by(casting_time_key),
        CASTING_TIME,
        Comparison.EQUALS,
        "action, bonus action, reaction, 1 minute, 10 minutes, 1 hour …",
        {_SPELLS: _send_casting_time},
    ),
    compare("damage_type", choice(*DAMAGE_TYPES), DAMAGE, Comparison.HAS, "Deals this damage"),
    compare("saving_throw", choice(*ABILITIES), SAVE, Comparison.EQUALS, "Ability that the target saves with"),
    compare("condition", choice(*CONDITIONS), CAUSES, Comparison.HAS, "Causes this condition"),
    compare("duration", normalised_by(duration_key), DURATION, Comparison.HAS, "instantaneous, 1 minute, 8 hours …"),
    compare("verbal", bool, VERBAL, Comparison.EQUALS, "Has a verbal component"),
    compare("somatic", bool, SOMATIC, Comparison.EQUALS, "Has a somatic component"),
    compare("material", bool, MATERIAL, Comparison.EQUALS, "Has a material component"),
    compare("material_cost_min", _Gold, MATERIAL_COST, Comparison.AT_LEAST, "Lowest cost of the material in gp"),
    compare("material_cost_max", _Gold, MATERIAL_COST, Comparison.AT_MOST, "Highest cost of the material in gp"),
    compare("range_min", _Feet, RANGE, Comparison.AT_LEAST, "Lowest range in feet"),
)
