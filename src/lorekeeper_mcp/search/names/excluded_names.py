"""A hint about a record that the search names, but that other arguments of the call exclude."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lorekeeper_mcp.filters import FILTERS, Scalar
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.models.printed_values import words
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.names.kind_words import VALUE_KINDS
from lorekeeper_mcp.search.names.name_index import FamilyIndexes
from lorekeeper_mcp.store.catalog import Entry, select

_SELECTORS = {Family.RULES: "rule_type"}  # the argument that chooses kinds, where it is not "type"
_MAX_VALUE_TEXT = 60  # characters of a value


def excluded_name_hint(search: str, queries: Sequence[FamilyQuery], indexes: FamilyIndexes, *, everything: bool) -> str:
    """Say that a record with this name or key is stored, and which arguments exclude it; "" if there is none.

    ``everything`` if the tool is ``search_all``.
    """
    families = list(Family) if everything else [query.family for query in queries]
    excluded = []
    for family in families:
        index = indexes.of(family)
        named_entries = (index.entries[id_] for id_ in index.names.lookup(search) if id_ in index.entries)
        for entry in named_entries:
            arguments = list(_excluding_arguments(entry, family, queries, everything=everything))
            if arguments and not (everything and entry.kind in VALUE_KINDS):
                excluded.append((entry, arguments))
    if not excluded:
        return ""
    entry, arguments = min(excluded, key=lambda pair: (len(pair[1]), SRD_ORDER.get(pair[0].document_key, 2)))
    return f'"{entry.name}" ({words(entry.kind)}) is stored, but does not match {", ".join(arguments)}.'


def selector(family: Family, *, everything: bool) -> str:
    """The argument that chooses kinds."""
    return "content_types" if everything else _SELECTORS.get(family, "type")


def _excluding_arguments(
    entry: Entry, family: Family, queries: Sequence[FamilyQuery], *, everything: bool
) -> Iterator[str]:
    """The arguments that an entry does not match, each with its value."""
    shared = queries[0]
    kinds = frozenset(kind for query in queries for kind in query.kinds)
    unrestricted = RecordFilter.everything(family)
    unmatched = [active for active in shared.filters if not _matches(entry, unrestricted.and_also([active]))]
    own_filters = [active for active in unmatched if active.filter in FILTERS[family]]
    if entry.kind not in kinds or len(own_filters) < len(unmatched):  # a type may imply filters
        argument = selector(family, everything=everything)
        yield _with_values(argument, kinds) if len(kinds) == 1 else argument
    for active in own_filters:
        yield _with_values(active.filter.argument, active.values)
    if shared.editions and not _matches(entry, replace(unrestricted, editions=shared.editions)):
        yield _with_values("edition", sorted(shared.editions))
    if shared.documents is not None and not _matches(entry, replace(unrestricted, documents=shared.documents)):
        yield _with_values("documents", sorted(shared.documents))


def _matches(entry: Entry, where: RecordFilter) -> bool:
    return bool(select(where, {entry.id: entry}))


def _with_values(argument: str, values: Iterable[Scalar]) -> str:
    text = ", ".join(map(format_value, values))
    return f"{argument}={text}" if len(text) <= _MAX_VALUE_TEXT else argument


def format_value(value: Scalar) -> str:
    """A value as a caller would write it: ``5`` for 5.0, ``true``."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
