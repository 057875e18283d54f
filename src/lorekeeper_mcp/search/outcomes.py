"""Results of searching one family: one type per case, and those that need no scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.name_match import matching, nearest_names, spelled_alike
from lorekeeper_mcp.search.ranking_weights import OTHERS_TO
from lorekeeper_mcp.search.scores import Relevance
from lorekeeper_mcp.store.memory.catalog import Entry


@dataclass(frozen=True)
class Listed:
    """Everything that matches the filters, or the pattern, by id; none is better than another."""

    entries: Mapping[str, Entry]


@dataclass(frozen=True)
class KeyMatch:
    """The one record whose key the question is."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Scored:
    """What the question ranks, by id. ``exact`` are the ids that it names outright.

    ``unambiguous`` where the question, asked of several families, can only be meant of this one. ``is_list`` where it
    consists of filters; ``sort`` is then the order that it asks for.
    """

    entries: Mapping[str, Entry]
    scores: Mapping[str, float]
    exact: frozenset[str]
    hints: tuple[str, ...]
    relevance: Relevance
    unambiguous: bool
    is_list: bool
    sort: Sort | None = None


@dataclass(frozen=True)
class Unrelated:
    """Nothing here has to do with the question; ``near`` are names that look like it."""

    near: tuple[str, ...]


Outcome: TypeAlias = Listed | KeyMatch | Scored | Unrelated


def by_pattern(search: str, entries: Iterable[Entry]) -> Outcome:
    """What a pattern matches, or at least the names nearest to it."""
    known = list(entries)
    ids = matching(search, known)
    if ids:
        return Listed({entry.id: entry for entry in known if entry.id in ids})
    return Unrelated(tuple(nearest_names(search.replace("*", " ").replace("%", " "), known)))


def by_spelling(search: str, names: NameIndex, entries: Mapping[str, Entry]) -> Outcome:
    """What looks like a question that nothing has to do with, or at least the names nearest to it."""
    alike = {id_: OTHERS_TO * share for id_, share in spelled_alike(search, names, entries).items()}
    if not alike:
        return Unrelated(tuple(nearest_names(search, entries.values())))
    found = {id_: entries[id_] for id_ in alike}
    return Scored(found, alike, frozenset(), (), Relevance.WEAK, unambiguous=False, is_list=False)
