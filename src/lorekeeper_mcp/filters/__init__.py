"""The filters of every kind tool, each declared once."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.filters import equipment, options
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
    FilterValue,
    Scalar,
    comparisons,
)
from lorekeeper_mcp.filters.options import IS_SUBSPECIES, OPTION_FILTERS, PART_OF
from lorekeeper_mcp.filters.rules import RULE_FILTERS
from lorekeeper_mcp.filters.spells import SPELL_FILTERS
from lorekeeper_mcp.models import Family

FILTERS: Mapping[Family, tuple[Filter, ...]] = {
    Family.SPELLS: SPELL_FILTERS,
    Family.CREATURES: CREATURE_FILTERS,
    Family.EQUIPMENT: EQUIPMENT_FILTERS,
    Family.OPTIONS: OPTION_FILTERS,
    Family.RULES: RULE_FILTERS,
}
HIDDEN_FILTERS: Mapping[Family, tuple[Filter, ...]] = {
    Family.EQUIPMENT: (equipment.GIVES_SPELL, IS_GEAR_AGAIN),
    Family.OPTIONS: (IS_SUBSPECIES, PART_OF, options.GIVES_SPELL, options.HAS_PREREQUISITE, options.HIT_DIE),
}


def columns(family: Family) -> tuple[Column, ...]:
    """The filter columns of a family's collection, each once, in a stable order."""
    filters = (*FILTERS[family], *HIDDEN_FILTERS.get(family, ()))
    return tuple({column.name: column for filter_ in filters for column in filter_.columns}.values())


__all__ = [
    "FILTERS",
    "HIDDEN_FILTERS",
    "ID",
    "IS_GEAR_AGAIN",
    "IS_SUBSPECIES",
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
