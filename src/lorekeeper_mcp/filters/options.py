"""The filters of ``search_character_option``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lorekeeper_mcp.filters.arguments import CLASS_KEY, class_key
from lorekeeper_mcp.filters.table import Column, ColumnType, Comparison, Condition, Filter, Scalar, compare
from lorekeeper_mcp.models import CharacterClass, CharacterFeature, Kind, Record, Ref, Species
from lorekeeper_mcp.text import fold

_Level = Annotated[int, Field(ge=1, le=20)]
_FEATURE_ONLY = frozenset({Kind.FEATURE})


def _of_class(record: Record) -> list[str]:
    """The class of a subclass; of a feature the class, and the subclass if it is one's."""
    match record:
        case CharacterClass():
            refs = [record.subclass_of]
        case CharacterFeature(character_class=Ref()):
            refs = [record.character_class, record.parent]
        case _:
            refs = []
    names = [name for ref in refs if ref for name in (ref.key, class_key(ref.key.rpartition("_")[2] or ref.name))]
    return list(dict.fromkeys(names))


def _feature_of(record: Record) -> str:
    return f"{record.parent_kind} {fold(record.parent.name)}" if isinstance(record, CharacterFeature) else ""


def _levels(record: Record) -> list[str]:
    return [str(level) for level in record.levels] if isinstance(record, CharacterFeature) else []


def _at_level(value: Scalar) -> tuple[Condition, ...]:
    return (Condition(LEVELS, Comparison.HAS, str(value)),)


CLASS = Column("subclass_of", ColumnType.LIST, _of_class)
LEVELS = Column("levels", ColumnType.LIST, _levels)
SUBSPECIES = Column("is_subspecies", ColumnType.FLAG, lambda r: r.is_subspecies if isinstance(r, Species) else None)
FEATURE_OF = Column("feature_of", ColumnType.TEXT, _feature_of)

OPTION_FILTERS: tuple[Filter, ...] = (
    compare(
        "class_key",
        CLASS_KEY,
        CLASS,
        Comparison.HAS,
        "Subclasses and features of this class: wizard (any edition) or a key such as srd_wizard",
        kinds=lambda _: frozenset({Kind.SUBCLASS, Kind.FEATURE}),
    ),
    Filter(
        "level",
        _Level,
        "Features gained at this level of a class or subclass",
        (LEVELS,),
        _at_level,
        kinds=lambda _: _FEATURE_ONLY,
    ),
)

# No arguments: type="subrace" of the tool sets the one, and the other says of what a feature is a part.
IS_SUBSPECIES = compare("is_subspecies", bool, SUBSPECIES, Comparison.EQUALS, "Lineages of a species")
PART_OF = compare("feature_of", str, FEATURE_OF, Comparison.EQUALS, "Kind and name of what a feature belongs to")
