"""The spells of subclasses with their own lists, since spells of third-party and imported books name no subclasses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from lorekeeper_mcp.filters import FILTERS, ActiveFilter, Scalar
from lorekeeper_mcp.filters.argument_types import class_key
from lorekeeper_mcp.filters.granted_spells import spells_on_list
from lorekeeper_mcp.filters.spells import CLASSES, is_of_class
from lorekeeper_mcp.models import CharacterClass, Family, Kind
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.repository.linked_spells import LinkScope, nearest_spells
from lorekeeper_mcp.search.grammar import is_of_another
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

_SPELLS = re.compile(r" (?:spells?|cantrips?) ")


def asks_for_list(query: FamilyQuery) -> bool:
    """Whether a query asks for the spells of a possible subclass."""
    return any(not is_of_class(value) for active in query.filters for value in _class_values(active))


async def with_mentioned_subclass(query: FamilyQuery, cache: Cache) -> FamilyQuery:
    """Add the subclass that the query's text names, if it has a list: "wind domain spells" of 3rd level.

    A name of one word must come right before "spells"; if there are several names, the longest one is used.
    """
    is_open = query.family is Family.SPELLS and not any(_class_values(active) for active in query.filters)
    text = f" {fold(query.search)} "
    if not is_open or not _SPELLS.search(text):
        return query
    names = {entry.folded for entry in cache.catalog.among(Family.OPTIONS, frozenset({Kind.SUBCLASS}))}
    mentioned = [name for name in names if _mentions(text, name)]
    if not mentioned:
        return query
    row = next(row for row in FILTERS[Family.SPELLS] if CLASSES in row.columns)
    key = class_key(max(mentioned, key=len))
    extended = replace(query, filters=(*query.filters, ActiveFilter(row, key)))
    has_list = key in cache.catalog.column_values(Family.SPELLS, CLASSES.name)
    return extended if has_list or (await with_subclass_lists(extended, cache)).filters[-1].ids else query


def _mentions(text: str, name: str) -> bool:
    """Whether a text, between blanks, asks for the spells of a subclass with a name."""
    starts = (text.find(f" {name} {suffix}") for suffix in (("",) if " " in name else ("spell ", "spells ")))
    return any(start >= 0 and not is_of_another(text[:start], Family.SPELLS) for start in starts)


async def with_subclass_lists(query: FamilyQuery, cache: Cache) -> FamilyQuery:
    """Extend each ``class_key`` of a subclass with the ids of the spells on the list in its text.

    If several spells have one name, the one of the subclass's book, or of its edition, is meant. Subclasses that their
    spells name need no extension.
    """
    if not asks_for_list(query):
        return query
    keys_in_spells = cache.catalog.column_values(Family.SPELLS, CLASSES.name)
    values = [value for active in query.filters for value in _class_values(active)]
    subclasses = [
        entry
        for entry in cache.catalog.among(Family.OPTIONS, frozenset({Kind.SUBCLASS}))
        if entry.key not in keys_in_spells and any(_is_called(entry, value) for value in values)
    ]
    scope = LinkScope(lambda family: cache.catalog.of(family).values(), query.documents, query.edition)
    lists = {
        record.key: tuple(entry.id for entry in nearest_spells(record, spells_on_list(record), scope))
        for record in (await cache.records(subclasses)).values()
        if isinstance(record, CharacterClass)
    }
    return replace(query, filters=tuple(_with_ids(active, subclasses, lists) for active in query.filters))


def _class_values(active: ActiveFilter) -> tuple[Scalar, ...]:
    return active.values if CLASSES in active.filter.columns else ()


def _is_called(entry: Entry, value: Scalar) -> bool:
    """Whether a ``class_key`` names a subclass by its key, the end of the key, or its name."""
    return value in (entry.key, entry.key.rpartition("_")[2], class_key(entry.name))


def _with_ids(active: ActiveFilter, subclasses: list[Entry], lists: Mapping[str, tuple[str, ...]]) -> ActiveFilter:
    values = _class_values(active)
    keys = [entry.key for entry in subclasses if any(_is_called(entry, value) for value in values)]
    return replace(active, ids=tuple(dict.fromkeys(id_ for key in keys for id_ in lists.get(key, ()))))
