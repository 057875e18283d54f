"""Simple ways to rank that the shipped one is compared with, each over the same filtered records.

All of them give names, best first; an entity that stands in several documents counts once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence

from rapidfuzz import fuzz

from benchmarks.retrieval.judged import Question
from benchmarks.retrieval.opened import Opened, ask, queries_of
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.repository.restricting import restriction
from lorekeeper_mcp.text import fold

Method = Callable[[Opened, Question], Awaitable[list[str]]]
_DEEP = 200
_CONSTANT = 60  # of reciprocal-rank fusion
_NAMED = 90.0  # likeness from which a name goes in front
_EVERY_KIND = frozenset(Kind)


async def by_words(store: Opened, question: Question) -> list[str]:
    """BM25 over names and texts."""
    scored: list[tuple[float, str]] = []
    for query in queries_of(question.tool, question.text, question.filters):
        allowed = restriction(query, _EVERY_KIND).of(store.cache.catalog.of(query.family))
        hits = await store.cache.by_words(query.family, question.text, (), 5 * _DEEP)
        scored += [(score, _name(store, query.family, id_)) for id_, score in hits if id_ in allowed]
    return _best_first(scored)


async def by_meaning(store: Opened, question: Question) -> list[str]:
    """Cosine of the embeddings: plain vector search."""
    vector = await store.cache.embed_query(question.text.strip().casefold())
    scored: list[tuple[float, str]] = []
    for query in queries_of(question.tool, question.text, question.filters):
        hits = await store.cache.nearest(query.family, vector, restriction(query, _EVERY_KIND).expression, _DEEP)
        scored += [(score, _name(store, query.family, id_)) for id_, score in hits]
    return _best_first(scored)


async def by_name(store: Opened, question: Question) -> list[str]:
    """Likeness of the whole question to a name."""
    folded = fold(question.text)
    scored: list[tuple[float, str]] = []
    for query in queries_of(question.tool, question.text, question.filters):
        allowed = restriction(query, _EVERY_KIND).of(store.cache.catalog.of(query.family))
        named = {_name(store, query.family, id_) for id_ in allowed}
        scored += [(fuzz.ratio(folded, fold(name)), name) for name in named]
    return _best_first(scored)


async def fused(store: Opened, question: Question) -> list[str]:
    """Reciprocal-rank fusion of words and meaning."""
    return _fuse([await by_words(store, question), await by_meaning(store, question)])


async def fused_behind_names(store: Opened, question: Question) -> list[str]:
    """The same behind names that are like the question."""
    folded = fold(question.text)
    named = [name for name in await by_name(store, question) if fuzz.ratio(folded, fold(name)) >= _NAMED]
    return list(dict.fromkeys([*named, *await fused(store, question)]))


async def shipped(store: Opened, question: Question) -> list[str]:
    """What the tool answers."""
    answer = await ask(store, question.tool, question.text, question.filters)
    return [hit.record.name for hit in answer.hits]


METHODS: Mapping[str, Method] = {
    "words (BM25)": by_words,
    "meaning (MiniLM)": by_meaning,
    "likeness of names": by_name,
    "fusion of words and meaning": fused,
    "the same behind names": fused_behind_names,
    "shipped": shipped,
}


def _name(store: Opened, family: Family, id_: str) -> str:
    entry = store.cache.catalog.get(family, id_)
    return entry.name if entry else id_


def _best_first(scored: list[tuple[float, str]]) -> list[str]:
    best: dict[str, str] = {}
    for _, name in sorted(scored, key=lambda one: (-one[0], one[1])):
        best.setdefault(fold(name), name)
    return list(best.values())


def _fuse(lists: Sequence[Sequence[str]]) -> list[str]:
    scores: dict[str, float] = defaultdict(float)
    for names in lists:
        for place, name in enumerate(names):
            scores[name] += 1 / (_CONSTANT + place + 1)
    return sorted(scores, key=lambda name: (-scores[name], name))
