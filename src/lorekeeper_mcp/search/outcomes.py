"""The outcomes of searching one family, one type per case, and the searches that need no scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.name_match import match_pattern, nearest_names, similar_names
from lorekeeper_mcp.search.names.part_names import NamedPart
from lorekeeper_mcp.search.ranking_weights import MAX_OTHER_SCORE
from lorekeeper_mcp.search.scores import Relevance
from lorekeeper_mcp.store.catalog import Entry


@dataclass(frozen=True)
class UnrankedMatches:
    """Everything that matches the filters or the pattern, by id, not ranked."""

    entries: Mapping[str, Entry]


@dataclass(frozen=True)
class KeyMatch:
    """The record whose key is the question."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class ScoredMatches:
    """Ranked records by id. ``exact`` are the ids that the question names exactly.

    ``is_unambiguous`` if a question to several families can only mean this one. ``is_list`` if it consists of filters
    alone; ``sort`` is then the order it asks for. ``is_restricted`` if the question has filters, all of whose matches
    are wanted.
    """

    entries: Mapping[str, Entry]
    scores: Mapping[str, float]
    exact: frozenset[str]
    hints: tuple[str, ...]
    relevance: Relevance
    is_unambiguous: bool
    is_list: bool
    sort: Sort | None = None
    is_restricted: bool = False


@dataclass(frozen=True)
class NoMatch:
    """Nothing is related to the question; ``similar_names`` has similar names."""

    similar_names: tuple[str, ...]


Outcome: TypeAlias = UnrankedMatches | KeyMatch | ScoredMatches | NoMatch


def match_by_pattern(search: str, entries: Iterable[Entry]) -> Outcome:
    """Return the matches of a pattern, or the nearest names if there are none."""
    searched = list(entries)
    ids = match_pattern(search, searched)
    if ids:
        return UnrankedMatches({entry.id: entry for entry in searched if entry.id in ids})
    return NoMatch(tuple(nearest_names(search.replace("*", " ").replace("%", " "), searched)))


def match_by_parts(parts: Iterable[NamedPart], entries: Mapping[str, Entry]) -> Outcome:
    """Return the holders of the parts that a question names: for each part the shown one first."""
    scores: dict[str, float] = {}
    for number, part in enumerate(parts):
        for place, entry in enumerate(part.holders):
            scores.setdefault(entry.id, MAX_OTHER_SCORE * (1 - number / 100) if place == 0 else 0.5 - place / 10_000)
    scores = {id_: max(0.1, score) for id_, score in scores.items() if id_ in entries}
    held = {id_: entries[id_] for id_ in scores}
    return ScoredMatches(held, scores, frozenset(), (), Relevance.STRONG, is_unambiguous=False, is_list=False)


def match_by_spelling(search: str, names: NameIndex, entries: Mapping[str, Entry]) -> Outcome:
    """Return records whose names resemble a question to which nothing is related, or the nearest names."""
    shares = {id_: MAX_OTHER_SCORE * share for id_, share in similar_names(search, names, entries).items()}
    if not shares:
        return NoMatch(tuple(nearest_names(search, entries.values())))
    similar = {id_: entries[id_] for id_ in shares}
    return ScoredMatches(similar, shares, frozenset(), (), Relevance.WEAK, is_unambiguous=False, is_list=False)
