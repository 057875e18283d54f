"""Results of searching one family: one type per case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.search.scoring import Relevance
from lorekeeper_mcp.store.memory.catalog import Entry


@dataclass(frozen=True)
class Listed:
    """Everything that matches the filters, or the pattern; none is better than another."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class KeyMatch:
    """The one record whose key the question is."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Scored:
    """What the question ranks. ``exact`` are the ids that it names outright.

    ``unambiguous`` where the question, asked of several families, can only be meant of this one. ``is_list`` where it
    consists of filters.
    """

    entries: tuple[Entry, ...]
    scores: Mapping[str, float]
    exact: frozenset[str]
    hints: tuple[str, ...]
    relevance: Relevance
    unambiguous: bool
    is_list: bool


@dataclass(frozen=True)
class Unrelated:
    """Nothing here has to do with the question; ``near`` are names that look like it."""

    near: tuple[str, ...]


Outcome: TypeAlias = Listed | KeyMatch | Scored | Unrelated
