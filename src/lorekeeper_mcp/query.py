"""A query: created by the tools, used by the repository to plan fetches, and answered from the cache."""

from __future__ import annotations

from dataclasses import dataclass

from lorekeeper_mcp.filters import ActiveFilter
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Edition, Family, Kind

MAX_SEARCH = 512  # characters; a longer search is cut, with a hint


@dataclass(frozen=True)
class Sort:
    """An order of results: by ``name``, or by a numeric filter column; descending if ``is_descending``."""

    column: str
    is_descending: bool = False


@dataclass(frozen=True, kw_only=True)
class Query:
    """What a call asks for, whatever the family.

    ``search`` is trimmed plain words, a name, a key or a pattern; "" for filters alone. ``documents`` are resolved
    document keys: None is no restriction, empty matches nothing. ``editions`` are those asked for;
    empty is all. ``has_document_names`` if the documents were given as names,
    which Open5e's list of documents resolves. If ``sort``
    is None, results are ordered by relevance, or by name if nothing ranks. ``passage_results`` is the number of results
    from which an answer to a question takes passages; None for the whole page. ``has_chosen_kinds`` if ``kinds`` are
    fewer than the tool has, because an argument chose them. ``named_only`` if the answer to a name is what has this
    name, with a few related names of books that are always stored, so that it is the same at any moment.
    """

    kinds: frozenset[Kind]
    search: str = ""
    documents: frozenset[str] | None = None
    editions: frozenset[Edition] = frozenset()
    limit: int = 20
    offset: int = 0
    passage_results: int | None = None
    named_only: bool = False
    has_chosen_kinds: bool = False
    has_document_names: bool = False
    sort: Sort | None = None

    @property
    def edition(self) -> Edition | None:
        """The edition whose texts are shown: the only one that is asked for."""
        return next(iter(self.editions)) if len(self.editions) == 1 else None

    @property
    def is_restricted(self) -> bool:
        """Whether arguments select among the records, so that all of the selected ones are wanted.

        An edition does not count: it only says whose rules are asked for.
        """
        return self.has_chosen_kinds or self.documents is not None

    def of_family(self, family: Family, filters: tuple[ActiveFilter, ...]) -> FamilyQuery:
        """Return the query for the records of one family that match its filters."""
        return FamilyQuery(**vars(self), family=family, filters=filters)


@dataclass(frozen=True, kw_only=True)
class FamilyQuery(Query):
    """A query for the records of one family, which have its filters."""

    family: Family
    filters: tuple[ActiveFilter, ...] = ()

    @property
    def is_restricted(self) -> bool:
        """Whether arguments select among the records; filters do, too."""
        return bool(self.filters) or super().is_restricted

    @property
    def possible_kinds(self) -> frozenset[Kind]:
        """The kinds that can satisfy all filters."""
        kinds = self.kinds
        for active in self.filters:
            only = active.kinds()
            kinds = kinds if only is None else kinds & only
        return kinds

    def record_filter(self) -> RecordFilter:
        """The filter that every match satisfies."""
        clauses = tuple(clause for active in self.filters for clause in active.clauses())
        return RecordFilter(self.family, self.possible_kinds, clauses, self.documents, self.editions)
