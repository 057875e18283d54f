"""What every match of a query fulfils, said twice: to the store, and to the entries that are held in memory.

The store ranks by meaning under it, the entries are named, grouped and counted by it. Both come from one value, and a
test asks both about every filter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from lorekeeper_mcp.filters import Applied, Clause, comparisons
from lorekeeper_mcp.models import Edition, Family, Kind
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.sources.open5e.requests import possible_kinds
from lorekeeper_mcp.store.filter_expression import (
    all_of,
    any_of,
    list_contains,
    list_contains_any,
    matches,
    of_clause,
    one_of,
)
from lorekeeper_mcp.store.memory.catalog import Entry, places


@dataclass(frozen=True)
class RecordFilter:
    """Kinds, clauses, documents and edition of all matches.

    Embedded records give way for the ``settled`` kinds, those of which the cache has every match of Open5e's.
    """

    family: Family
    kinds: frozenset[Kind]
    settled: frozenset[Kind]
    clauses: tuple[Clause, ...] = ()
    documents: frozenset[str] | None = None
    edition: Edition | None = None

    @property
    def expression(self) -> str:
        """The restriction as the store reads it."""
        parts = [one_of("kind", map(str, self.kinds)), *map(of_clause, self.clauses)]
        if self.documents is not None:
            # Only among the rules and references does one record carry the texts of several documents.
            several = self.family is Family.RULES
            parts.append(
                list_contains_any("documents", self.documents) if several else one_of("document_key", self.documents)
            )
        if self.edition is not None:
            # What belongs to no edition, such as a language, is true of all.
            parts.append(any_of([list_contains("editions", self.edition), 'editions == "|"']))
        if self.settled & self.kinds:
            parts.append(any_of(["replaceable == 0", one_of("kind", map(str, self.kinds - self.settled))]))
        return all_of(parts)

    def and_also(self, further: Iterable[Applied]) -> RecordFilter:
        """This restriction and more filters."""
        clauses = (clause for applied in further for clause in applied.clauses())
        return replace(self, clauses=(*self.clauses, *clauses))

    def of(self, entries: Mapping[str, Entry]) -> dict[str, Entry]:
        """Those of a family's entries that match, by id."""
        at = places(self.family)
        clauses = [
            [(at[condition.column.name], condition) for condition in comparisons(clause)] for clause in self.clauses
        ]
        return {
            id_: entry
            for id_, entry in entries.items()
            if entry.kind in self.kinds
            and not (entry.replaceable and entry.kind in self.settled)
            and (self.documents is None or self._stands_in(entry, self.documents))
            and (self.edition is None or not entry.editions or self.edition in entry.editions)
            and all(
                any(matches(condition, entry.values[place]) for place, condition in alternatives)
                for alternatives in clauses
            )
        }

    def _stands_in(self, entry: Entry, documents: frozenset[str]) -> bool:
        if self.family is Family.RULES:
            return not documents.isdisjoint(entry.documents)
        return entry.document_key in documents


def record_filter(query: Query, settled: frozenset[Kind]) -> RecordFilter:
    """What every match of a query fulfils."""
    clauses = tuple(clause for applied in query.filters for clause in applied.clauses())
    return RecordFilter(query.family, possible_kinds(query), settled, clauses, query.documents, query.edition)
