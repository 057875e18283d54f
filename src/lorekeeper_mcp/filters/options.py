"""The filters of ``search_character_option``."""

from __future__ import annotations

from lorekeeper_mcp.filters.arguments import CLASS_KEY, class_key
from lorekeeper_mcp.filters.table import Column, ColumnType, Comparison, Filter, compare
from lorekeeper_mcp.models import CharacterClass, Kind, Record, Species


def _parent_class(record: Record) -> list[str]:
    parent = record.subclass_of if isinstance(record, CharacterClass) else None
    return [parent.key, class_key(parent.key.rpartition("_")[2] or parent.name)] if parent else []


CLASS = Column("subclass_of", ColumnType.LIST, _parent_class)
SUBSPECIES = Column("is_subspecies", ColumnType.FLAG, lambda r: r.is_subspecies if isinstance(r, Species) else None)

OPTION_FILTERS: tuple[Filter, ...] = (
    compare(
        "class_key",
        CLASS_KEY,
        CLASS,
        Comparison.HAS,
        "Subclasses of this class: wizard (any edition) or a key such as srd_wizard",
        kinds=lambda _: frozenset({Kind.SUBCLASS}),
    ),
)

# Not an argument of its own: type="subrace" of the tool sets it.
IS_SUBSPECIES = compare("is_subspecies", bool, SUBSPECIES, Comparison.EQUALS, "Lineages of a species")
