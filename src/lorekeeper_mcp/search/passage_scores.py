"""How well each passage of a record answers a question."""

from __future__ import annotations

from lorekeeper_mcp.answer import ScoredPassage
from lorekeeper_mcp.models import Edition, Record
from lorekeeper_mcp.passages import passages_of
from lorekeeper_mcp.store.memory.fulltext_index import query_terms
from lorekeeper_mcp.text import fold


def scored_passages(record: Record, search: str, edition: Edition | None) -> tuple[ScoredPassage, ...]:
    """The passages of a record by the share of the question's words that stand in them, the best first."""
    asked = {_stem(word) for word in query_terms(search)}
    found = []
    for passage in passages_of(record, edition):
        text = {_stem(word) for word in fold(" ".join([*passage.heading, passage.markdown])).split()}
        found.append(ScoredPassage(passage, len(asked & text) / max(1, len(asked))))
    return tuple(sorted(found, key=lambda one: (-one.score, one.passage.place)))


def _stem(word: str) -> str:
    """A word without the endings that questions and texts differ in."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word
