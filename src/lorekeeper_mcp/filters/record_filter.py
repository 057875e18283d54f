"""What every match of a search fulfils, said once: Milvus and the indexes in memory compile it, each for itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lorekeeper_mcp.filters.filter_row import AnyOf, Applied, Clause, Column, ColumnType, Comparison, Condition
from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind

# The columns that every family has, beside those of its filters.
KIND = Column("kind", ColumnType.TEXT, lambda record: record.kind)
DOCUMENT_KEY = Column("document_key", ColumnType.TEXT, lambda record: record.document_key)
DOCUMENTS = Column("documents", ColumnType.LIST, lambda record: record.documents)
EDITIONS = Column("editions", ColumnType.LIST, lambda record: record.editions)
NO_MEMBERS = "|"  # an empty list as it is stored


@dataclass(frozen=True)
class RecordFilter:
    """Kinds, clauses, documents and edition of all matches."""

    family: Family
    kinds: frozenset[Kind]
    clauses: tuple[Clause, ...] = ()
    documents: frozenset[str] | None = None
    edition: Edition | None = None

    @classmethod
    def everything(cls, family: Family) -> RecordFilter:
        """Every record of a family."""
        return cls(family, frozenset(FAMILIES[family]))

    def and_also(self, further: Iterable[Applied]) -> RecordFilter:
        """This filter and more clauses."""
        clauses = (clause for applied in further for clause in applied.clauses())
        return replace(self, clauses=(*self.clauses, *clauses))

    def conjuncts(self) -> tuple[Clause, ...]:
        """All that a match fulfils, clause by clause, the cheapest first."""
        found: list[Clause] = []
        if self.kinds != frozenset(FAMILIES[self.family]):
            found.append(_one_of(KIND, self.kinds))
        if self.documents is not None:
            # Only among the rules and references does one record carry the texts of several documents.
            column = DOCUMENTS if self.family is Family.RULES else DOCUMENT_KEY
            found.append(_one_of(column, self.documents))
        if self.edition is not None:
            # What belongs to no edition, such as a language, is true of all.
            none = Condition(EDITIONS, Comparison.EQUALS, NO_MEMBERS)
            found.append(AnyOf((Condition(EDITIONS, Comparison.HAS, self.edition), none)))
        return (*found, *self.clauses)


def _one_of(column: Column, values: Iterable[str]) -> AnyOf:
    """The column equals one of the values, or its list holds one of them."""
    comparison = Comparison.HAS if column.type is ColumnType.LIST else Comparison.EQUALS
    return AnyOf(tuple(Condition(column, comparison, str(value)) for value in sorted(values)))
