"""Sentences for a question that found nothing: which filter is to blame, and what would have worked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process

from lorekeeper_mcp.filters import Applied, ColumnType
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.search.record_filter import record_filter
from lorekeeper_mcp.search.scoring import Relevance
from lorekeeper_mcp.store.cache import Cache

_NEAR = 3  # names that are suggested


def relevance_hints(found: Sequence[tuple[Relevance, Sequence[str]]]) -> list[str]:
    """A hint where nothing or little has to do with a question: how much of each family has, and its nearest names."""
    most = max((how for how, _ in found), default=Relevance.STRONG)
    if most is Relevance.WEAK:
        return ["Little here has to do with that question; what has nothing to do with it is left out."]
    if most is Relevance.STRONG:
        return []
    told = [name for _, names in found for name in names[: max(1, _NEAR // len(found))]]
    known = f" Names near it: {', '.join(told)}." if told else ""
    return [f"Nothing here has to do with that question.{known}"]


def empty_hints(cache: Cache, queries: Sequence[Query]) -> list[str]:
    """For each query with filters: which value nothing has, or which filter to leave out and what that gives."""
    hints = []
    for query in queries:
        unknown = [_unknown_value(cache, query, applied) for applied in query.filters]
        hints += [hint for hint in unknown if hint]
        if query.filters and not hints:
            hints += _without_one(cache, query)
    return hints


def _unknown_value(cache: Cache, query: Query, applied: Applied) -> str | None:
    """A hint where a free text equals nothing in its column, with the nearest values that exist."""
    column = applied.filter.columns[0]
    if column.type not in (ColumnType.LIST, ColumnType.TEXT) or not isinstance(applied.value, str):
        return None
    values = cache.values(query.family, column.name)
    if applied.value in values:
        return None
    if not values:
        return f"Nothing stored here has any {applied.filter.argument}."
    near = [
        value
        for value, _, _ in process.extract(applied.value, sorted(values), scorer=fuzz.WRatio, limit=5, score_cutoff=50)
    ]
    allowed = f"near it: {', '.join(near)}" if near else f"there is, for example, {', '.join(sorted(values)[:8])}"
    return f'Nothing stored here has {applied.filter.argument} "{applied.value[:60]}"; {allowed}.'


def _without_one(cache: Cache, query: Query) -> list[str]:
    """How many there are without each of the filters, for those where it helps."""
    if len(query.filters) + (query.edition is not None) + (query.documents is not None) < 2:
        return []
    found = []
    for applied in query.filters:
        fewer = replace(query, filters=tuple(other for other in query.filters if other is not applied))
        count = len(record_filter(fewer, frozenset()).of(cache.catalog.of(query.family)))
        if count:
            found.append(f"without {applied.filter.argument} there are {count}")
    return [f"Nothing fulfils all of these at once; {', '.join(found)}."] if found else []
