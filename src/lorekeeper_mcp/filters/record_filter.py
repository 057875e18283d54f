"""All filters of one search combined; Milvus and the in-memory indexes each compile it for themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lorekeeper_mcp.filters.filter_row import AnyOf, Applied, Clause, Column, ColumnType, Comparison, Condition
from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind

# The columns that every family has, besides those of its filters.
KIND = Column("kind", ColumnType.TEXT, lambda record: record.kind)
DOCUMENT_KEY = Column("document_key", ColumnType.TEXT, lambda record: record.document_key)
DOCUMENTS = Column("documents", ColumnType.LIST, lambda record: record.documents)
EDITIONS = Column("editions", ColumnType.LIST, lambda record: record.editions)
NO_MEMBERS = "|"  # an empty list as stored


@dataclass(frozen=True)
class RecordFilter:
    """The kinds, clauses, documents and edition of all matches."""

    family: Family
    kinds: frozenset[Kind]
    clauses: tuple[Clause, ...] = ()
    documents: frozenset[str] | None = None
    edition: Edition | None = None

    @classmethod
    def everything(cls, family: Family) -> RecordFilter:
        """Match every record of a family."""
        return cls(family, frozenset(FAMILIES[family]))

    def and_also(self, further: Iterable[Applied]) -> RecordFilter:
        """Return this filter with more clauses."""
        clauses = (clause for applied in further for clause in applied.clauses())
        return replace(self, clauses=(*self.clauses, *clauses))

    def conjuncts(self) -> tuple[Clause, ...]:
        """Everything that a match satisfies, clause by clause, cheapest first."""
        found: list[Clause] = []
        if self.kinds != frozenset(FAMILIES[self.family]):
            found.append(_one_of(KIND, self.kinds))
        if self.documents is not None:
            # Only rules and references have texts of several documents in one record.
            column = DOCUMENTS if self.family is Family.RULES else DOCUMENT_KEY
            found.append(_one_of(column, self.documents))
        if self.edition is not None:
            # A record without an edition, such as a language, applies to all.
            none = Condition(EDITIONS, Comparison.EQUALS, NO_MEMBERS)
            found.append(AnyOf((Condition(EDITIONS, Comparison.HAS, self.edition), none)))
        return (*found, *self.clauses)


def _one_of(column: Column, values: Iterable[str]) -> AnyOf:
    """Match if the column equals one of the values, or its list contains one."""
    comparison = Comparison.HAS if column.type is ColumnType.LIST else Comparison.EQUALS
    return AnyOf(tuple(Condition(column, comparison, str(value)) for value in sorted(values)))
