"""The filters of every kind tool, each declared once."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.filters.creatures import CREATURE_FILTERS
from lorekeeper_mcp.filters.equipment import EQUIPMENT_FILTERS, IS_GEAR_AGAIN
from lorekeeper_mcp.filters.filter_row import (
    ID,
    ActiveFilter,
    AnyOf,
    Clause,
    Column,
    ColumnType,
    Comparison,
    Condition,
    Filter,
    comparisons,
)
from lorekeeper_mcp.filters.options import IS_SUBSPECIES, OPTION_FILTERS
from lorekeeper_mcp.filters.rules import RULE_FILTERS
from lorekeeper_mcp.filters.spells import SPELL_FILTERS
from lorekeeper_mcp.filters.words import FilterValue, Scalar
from lorekeeper_mcp.models import Family

ROWS: Mapping[Family, tuple[Filter, ...]] = {
    Family.SPELLS: SPELL_FILTERS,
    Family.CREATURES: CREATURE_FILTERS,
    Family.EQUIPMENT: EQUIPMENT_FILTERS,
    Family.OPTIONS: OPTION_FILTERS,
    Family.RULES: RULE_FILTERS,
}
# Those that are arguments of the tools.
FILTERS: Mapping[Family, tuple[Filter, ...]] = {
    family: tuple(row for row in rows if row.is_argument) for family, rows in ROWS.items()
}


def columns(family: Family) -> tuple[Column, ...]:
    """The filter columns of a family's collection, each once, in a stable order."""
    return tuple({column.name: column for row in ROWS[family] for column in row.columns}.values())


__all__ = [
    "FILTERS",
    "ID",
    "IS_GEAR_AGAIN",
    "IS_SUBSPECIES",
    "ROWS",
    "ActiveFilter",
    "AnyOf",
    "Clause",
    "Column",
    "ColumnType",
    "Comparison",
    "Condition",
    "Filter",
    "FilterValue",
    "Scalar",
    "columns",
    "comparisons",
]
