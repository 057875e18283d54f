"""The filters of ``search_spell``."""

from __future__ import annotations

from typing import Annotated, cast

from pydantic import Field

from lorekeeper_mcp.filters.arguments import ABILITIES, CLASS_KEY, casting_time_key, choice, class_key, in_form
from lorekeeper_mcp.filters.table import (
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
from lorekeeper_mcp.filters.vocabulary import DAMAGE_TYPES, SCHOOLS
from lorekeeper_mcp.models import Record, Spell

_SPELLS = "v2/spells"
_Level = Annotated[int, Field(ge=0, le=9)]

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
    """Every class by its full key and by its bare name, so that ``wizard`` finds both editions."""
    return [
        name for ref in _spell(record).classes for name in (ref.key, class_key(ref.key.rpartition("_")[2] or ref.name))
    ]


def _send_class(value: Scalar) -> Params:
    """A bare name asks for both editions at once; the repeated rows that this gives are dropped by key."""
    name = str(value)
    return {"classes__key__in": name if "_" in name else f"srd_{name},srd-2024_{name}"}


def _send_casting_time(value: Scalar) -> Params:
    return {"casting_time": str(value)} if value in _CASTING_TIMES else {}


LEVEL = Column("level", ColumnType.INTEGER, lambda r: _spell(r).level)
SCHOOL = Column("school", ColumnType.TEXT, lambda r: _spell(r).school)
CLASSES = Column("classes", ColumnType.LIST, _class_keys)
CONCENTRATION = Column("concentration", ColumnType.FLAG, lambda r: _spell(r).concentration)
RITUAL = Column("ritual", ColumnType.FLAG, lambda r: _spell(r).ritual)
CASTING_TIME = Column("casting_time", ColumnType.TEXT, lambda r: _spell(r).casting_time)
DAMAGE = Column("damage_types", ColumnType.LIST, lambda r: _spell(r).damage_types)
SAVE = Column("saving_throw", ColumnType.TEXT, lambda r: _spell(r).saving_throw)

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
        "On this class's list: wizard (any edition) or a key such as srd_wizard",
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
        in_form(casting_time_key),
        CASTING_TIME,
        Comparison.EQUALS,
        "action, bonus action, reaction, 1 minute, 10 minutes, 1 hour …",
        {_SPELLS: _send_casting_time},
    ),
    compare("damage_type", choice(*DAMAGE_TYPES), DAMAGE, Comparison.HAS, "Deals this damage"),
    compare("saving_throw", choice(*ABILITIES), SAVE, Comparison.EQUALS, "Ability that the target saves with"),
)
