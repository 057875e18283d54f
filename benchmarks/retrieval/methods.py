"""Simple ranking methods to compare the shipped one with, each over the same filtered records.

All of them return names, best first; an entity in several documents counts once. Each question is embedded and searched
once, and the fusions use the other methods' lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from benchmarks.retrieval.judged_questions import Question
from benchmarks.retrieval.open_store import Opened, ask, queries_of
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

_DEEP = 200
_CONSTANT = 60  # of reciprocal-rank fusion
_NAMED = 90.0  # similarity from which a name comes first
SHIPPED = "shipped"
METHODS = (
    "words (BM25)",
    "meaning (MiniLM)",
    "likeness of names",
    "fusion of words and meaning",
    "the same behind names",
    SHIPPED,
)


@dataclass(frozen=True)
class Asked:
    """A question to one family: the query, its vector, and the records that match the filters."""

    query: FamilyQuery
    vector: list[float]
    allowed: Mapping[str, Entry]


async def rankings(store: Opened, question: Question) -> dict[str, list[str]]:
    """The names that each method returns, best first."""
    vector = (await store.cache.embed_question(question.text.strip().casefold()))[0]
    parts = [
        Asked(query, vector, await store.cache.index.candidates(query.record_filter()))
        for query in queries_of(question.tool, question.text, question.filters)
    ]
    words = _best_first([hit for part in parts for hit in await _by_words(store, part)])
    meaning = _best_first([hit for part in parts for hit in await _by_meaning(store, part)])
    likeness = [hit for part in parts for hit in _by_name(part)]
    fused = _fuse([words, meaning])
    named = _best_first([hit for hit in likeness if hit[0] >= _NAMED])
    lists = (words, meaning, _best_first(likeness), fused, list(dict.fromkeys([*named, *fused])))
    return {**dict(zip(METHODS, lists, strict=False)), SHIPPED: await shipped(store, question)}


async def shipped(store: Opened, question: Question) -> list[str]:
    """The answer of the tool."""
    answer = await ask(store, question.tool, question.text, question.filters)
    return [hit.record.name for hit in answer.hits]


async def _by_words(store: Opened, part: Asked) -> list[tuple[float, str]]:
    """BM25 over names and texts."""
    hits = await store.cache.index.by_words(part.query.family, part.query.search, (), 5 * _DEEP)
    return [(score, part.allowed[id_].name) for id_, score in hits if id_ in part.allowed]


async def _by_meaning(store: Opened, part: Asked) -> list[tuple[float, str]]:
    """Cosine of the embeddings: plain vector search."""
    hits = await store.cache.index.nearest(part.query.record_filter(), part.vector, _DEEP)
    return [(score, part.allowed[id_].name) for id_, score in hits if id_ in part.allowed]


def _by_name(part: Asked) -> list[tuple[float, str]]:
    """Similarity of the whole question to a name."""
    names = {entry.folded: entry.name for entry in part.allowed.values()}
    matches = process.extract(fold(part.query.search), list(names), scorer=fuzz.ratio, limit=_DEEP)
    return [(score, names[name]) for name, score, _ in matches]


def _best_first(scored: list[tuple[float, str]]) -> list[str]:
    best: dict[str, str] = {}
    for _, name in sorted(scored, key=lambda hit: (-hit[0], hit[1])):
        best.setdefault(fold(name), name)
    return list(best.values())


def _fuse(lists: Sequence[Sequence[str]]) -> list[str]:
    scores: dict[str, float] = defaultdict(float)
    for names in lists:
        for place, name in enumerate(names):
            scores[name] += 1 / (_CONSTANT + place + 1)
    return sorted(scores, key=lambda name: (-scores[name], name))
