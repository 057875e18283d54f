"""Compiles filters for the catalog. They select the same records as their Milvus expressions; a test compares both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from lorekeeper_mcp.filters import ID, Comparison, Condition, comparisons
from lorekeeper_mcp.filters.record_filter import DOCUMENT_KEY, DOCUMENTS, EDITIONS, KIND, NO_MEMBERS, RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.filter_expression import matches
from lorekeeper_mcp.store.memory.catalog import Entry, places

Value: TypeAlias = str | int | float | tuple[str, ...]
Read: TypeAlias = Callable[[Entry], Value]
_OF_EVERY_FAMILY: Mapping[str, Read] = {
    ID.name: lambda entry: entry.id,
    KIND.name: lambda entry: entry.kind,
    DOCUMENT_KEY.name: lambda entry: entry.document_key,
    DOCUMENTS.name: lambda entry: entry.documents,
    EDITIONS.name: lambda entry: entry.editions,
}


def select(where: RecordFilter, entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """Return the entries of a family that match, by id."""
    for clause in where.conjuncts():
        fulfils = _predicate(comparisons(clause), where.family)
        entries = {id_: entry for id_, entry in entries.items() if fulfils(entry)}
    return entries


def _predicate(alternatives: Sequence[Condition], family: Family) -> Callable[[Entry], bool]:
    """Return a test whether an entry satisfies any of some conditions."""
    columns = {condition.column.name for condition in alternatives}
    read = {name: _reader(name, family) for name in columns}
    if len(columns) == 1 and columns <= {KIND.name, DOCUMENT_KEY.name}:  # one lookup instead of one per value
        (value_of,), wanted = read.values(), frozenset(condition.value for condition in alternatives)
        return lambda entry: value_of(entry) in wanted
    if len(alternatives) == 1:
        (condition,), (value_of,) = alternatives, read.values()
        return lambda entry: _fulfils(condition, value_of(entry))
    known = [(condition, read[condition.column.name]) for condition in alternatives]
    return lambda entry: any(_fulfils(condition, value_of(entry)) for condition, value_of in known)


def _reader(column: str, family: Family) -> Read:
    """Return a function that reads a column's value from an entry."""
    if column in _OF_EVERY_FAMILY:
        return _OF_EVERY_FAMILY[column]
    place = places(family)[column]
    return lambda entry: entry.values[place]


def _fulfils(condition: Condition, value: Value) -> bool:
    if not isinstance(value, tuple):
        return matches(condition, value)
    if condition.comparison is Comparison.HAS:
        return str(condition.value) in value
    return not value and condition.value == NO_MEMBERS
