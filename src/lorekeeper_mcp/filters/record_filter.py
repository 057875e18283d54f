"""All filters of one search combined. Milvus and the in-memory indexes each compile it for themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lorekeeper_mcp.filters.filter_row import (
    LIST,
    TEXT,
    ActiveFilter,
    AnyOf,
    Clause,
    Column,
    Comparison,
    Condition,
    field_column,
)
from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind

# The columns that every family has in addition to those of its filters.
KIND = field_column("kind", TEXT)
DOCUMENT_KEY = field_column("document_key", TEXT)
DOCUMENTS = field_column("documents", LIST)
EDITIONS = field_column("editions", LIST)
NO_MEMBERS = "|"  # an empty list as stored


@dataclass(frozen=True)
class RecordFilter:
    """The kinds, clauses, documents and editions of all matches, and the ids of records that are excluded."""

    family: Family
    kinds: frozenset[Kind]
    clauses: tuple[Clause, ...] = ()
    documents: frozenset[str] | None = None
    editions: frozenset[Edition] = frozenset()
    excluded: frozenset[str] = frozenset()

    @classmethod
    def everything(cls, family: Family) -> RecordFilter:
        """Match every record of a family."""
        return cls(family, frozenset(FAMILIES[family]))

    def and_also(self, filters: Iterable[ActiveFilter]) -> RecordFilter:
        """Return this filter with more clauses."""
        clauses = (clause for active in filters for clause in active.clauses())
        return replace(self, clauses=(*self.clauses, *clauses))

    def conjuncts(self) -> tuple[Clause, ...]:
        """All clauses that a match satisfies, the cheapest first."""
        clauses: list[Clause] = []
        if self.kinds != frozenset(FAMILIES[self.family]):
            clauses.append(_one_of(KIND, self.kinds))
        if self.documents is not None:
            # Only rules and references have texts of several documents in one record.
            column = DOCUMENTS if self.family is Family.RULES else DOCUMENT_KEY
            clauses.append(_one_of(column, self.documents))
        if self.editions:
            # A record without an edition, such as a language, applies to all.
            has_none = Condition(EDITIONS, Comparison.EQUALS, NO_MEMBERS)
            has_one = (Condition(EDITIONS, Comparison.HAS, edition) for edition in sorted(self.editions))
            clauses.append(AnyOf((*has_one, has_none)))
        return (*clauses, *self.clauses)


def _one_of(column: Column, values: Iterable[str]) -> AnyOf:
    """Match if the column equals one of the values, or its list contains one."""
    return AnyOf(tuple(Condition(column, column.equality, str(value)) for value in sorted(values)))
