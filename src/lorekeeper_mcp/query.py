"""What is asked: a value that tools make, the repository plans from, and the cache answers."""

from __future__ import annotations

from dataclasses import dataclass

from lorekeeper_mcp.filters import Applied
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Edition, Family, Kind

LONGEST_SEARCH = 512  # characters that are searched for; more is cut, with a hint


@dataclass(frozen=True)
class Sort:
    """An order of results: by ``name``, or by a filter column of numbers; falling where ``is_falling``."""

    column: str
    is_falling: bool = False


@dataclass(frozen=True)
class Query:
    """One question to one family of kinds.

    ``search`` is trimmed plain words, a name, a key or a pattern; empty for filters alone.
    ``documents`` holds resolved document keys: None is no restriction, empty selects nothing.
    ``names_documents`` where they were given as names, which Open5e's list of documents decides; that was waited for
    ``waited`` seconds already.
    ``sort`` None orders by relevance, or by name where nothing ranks.
    ``considered`` is the most results from which an answer to a question takes passages; None for all of the page.
    ``narrowed`` where ``kinds`` are fewer than the tool has, because an argument chose them.
    """

    family: Family
    kinds: frozenset[Kind]
    search: str = ""
    filters: tuple[Applied, ...] = ()
    documents: frozenset[str] | None = None
    edition: Edition | None = None
    limit: int = 20
    offset: int = 0
    considered: int | None = None
    narrowed: bool = False
    names_documents: bool = False
    waited: float = 0.0
    sort: Sort | None = None

    @property
    def restricted(self) -> bool:
        """Whether arguments select among the records, so that every one that they select is wanted.

        An edition only says whose rules are asked for.
        """
        return bool(self.filters) or self.narrowed or self.documents is not None

    @property
    def possible_kinds(self) -> frozenset[Kind]:
        """The kinds that can fulfil all filters."""
        kinds = self.kinds
        for applied in self.filters:
            only = applied.kinds()
            kinds = kinds if only is None else kinds & only
        return kinds

    def record_filter(self) -> RecordFilter:
        """What every match fulfils."""
        clauses = tuple(clause for applied in self.filters for clause in applied.clauses())
        return RecordFilter(self.family, self.possible_kinds, clauses, self.documents, self.edition)
