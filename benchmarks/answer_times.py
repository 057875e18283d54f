"""Measures answers over stdio, cold and warm, against numpy over as many vectors and the encoder alone."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure, median, percentile
from benchmarks.processes import BARE_COMMAND, OUR_COMMAND, Server, environment, served
from lorekeeper_mcp.embedding.embedder import packaged_weights
from lorekeeper_mcp.embedding.minilm import MiniLM
from lorekeeper_mcp.embedding.precomputed import FILE

Call = tuple[str, Mapping[str, object]]
_THINGS = (
    "fire",
    "a locked door",
    "the dead",
    "deep water",
    "a lost child",
    "poison",
    "the wind",
    "sleep",
    "old bones",
)
_WHAT = ("something that guards against", "magic that speaks to", "what hides in", "a way to escape from")
QUESTIONS = [f"{what} {thing}" for what, thing in itertools.product(_WHAT, _THINGS)]
_WARMING_SECONDS = 10.0  # without a call, so that the server can finish its warm-up
BRIEF = {"limit": 10, "detail": "brief"}
_COLD = ("search_creature", {"search": "undead that drain life", **BRIEF})
FILTERED = ("search_creature", {"type": "undead", "cr_max": 5, **BRIEF})
# The document filter is measured on questions with and without it; the book is in both stores.
_DOCUMENT = {"documents": ["srd-2014"]}


def _filters() -> list[Call]:
    spells = [("search_spell", {"level": level, "school": "evocation", **BRIEF}) for level in range(6)]
    creatures = [("search_creature", {"type": "undead", "cr_min": cr, **BRIEF}) for cr in range(8)]
    things = [("search_equipment", {"rarity": rarity, **BRIEF}) for rarity in ("common", "uncommon", "rare")]
    return [*spells, *creatures, *things]


def _semantic(more: Mapping[str, object]) -> list[Call]:
    return [
        ("search_spell", {"search": text, "level_max": 5, **BRIEF, **more})
        if number % 2
        else ("search_creature", {"search": text, "cr_max": 10, **BRIEF, **more})
        for number, text in enumerate(QUESTIONS)
    ]


def measure(db: Path, name: str, bare_start: float, rounds: int) -> Iterator[Figure]:
    """Yield all figures of one store. ``bare_start`` is a bare server's time to its list of tools, in seconds."""
    variables = environment(db, LOREKEEPER_OFFLINE="true")
    colds = []
    for _ in range(rounds):
        with served(OUR_COMMAND, variables) as server:
            server.call(*_COLD)
            colds.append(server.age())
    yield Figure(
        f"{name}: first semantic answer", median(colds), "s", rounds, 5, bare_start, "bare start", of_yardstick=True
    )
    first, _ = first_filtered(db, FILTERED, rounds)
    yield Figure(f"{name}: first filtered answer after initialize", first, "s", rounds, 1.2, bare_start, "bare start")
    with served(BARE_COMMAND, variables) as server:
        bare_memory = server.memory()
    with served(OUR_COMMAND, variables) as server:
        yield from _warm(server, name, rounds, bare_memory)


def first_filtered(db: Path, call: Call, rounds: int) -> tuple[float, float]:
    """Seconds from start to the first answer to a filter, listing the tools included, and the memory at that time."""
    figures = []
    for _ in range(rounds):
        with served(OUR_COMMAND, environment(db, LOREKEEPER_OFFLINE="true")) as server:
            server.call(*call)
            figures.append((server.age() - server.initialized, server.memory()))
    return median([seconds for seconds, _ in figures]), median([memory for _, memory in figures])


def _warm(server: Server, name: str, rounds: int, bare_memory: float) -> Iterator[Figure]:
    server.call(*_COLD)
    time.sleep(_WARMING_SECONDS)
    for call in (*_semantic({})[:2], *_filters()[::6], ("list_documents", {})):
        server.call(*call)
    fresh = _times(server, _semantic({}))
    exact, encoder = _yardsticks()
    against = "numpy, encoder"
    yield Figure(f"{name}: semantic + filter", median(fresh), "ms", len(fresh), 60, exact + encoder, against)
    yield Figure(f"{name}: semantic + filter, p95", percentile(fresh, 0.95), "ms", len(fresh), 100)
    again = _times(server, _semantic({}) * rounds)
    yield Figure(f"{name}: the same again", median(again), "ms", len(again), None, median(fresh), "first time")
    filters = _times(server, _filters() * rounds)
    yield Figure(f"{name}: structured filter", median(filters), "ms", len(filters), 15)
    everywhere = _times(server, [("search_all", {"query": text}) for text in QUESTIONS])
    yield Figure(f"{name}: search_all, a default answer", median(everywhere), "ms", len(everywhere), 150)
    documents = _times(server, [("list_documents", {})] * 5 * rounds)
    yield Figure(f"{name}: list_documents", median(documents), "ms", len(documents), 10)
    pairs = [
        (server.call(*plain)[0], server.call(*within)[0])
        for _ in range(rounds)
        for plain, within in zip(_semantic({}), _semantic(_DOCUMENT), strict=True)
    ]
    added = median([within - plain for plain, within in pairs])
    yield Figure(f"{name}: a document filter adds", added, "ms", len(pairs), 10)
    ten = _semantic({})[:10]
    parallel = median([server.together(ten)[-1][0] for _ in range(rounds)])
    sequence = median([sum(_times(server, ten)) for _ in range(rounds)])
    yield Figure(
        f"{name}: ten searches at once", parallel, "ms", rounds, 1.0, sequence, "in sequence", of_yardstick=True
    )
    memory = server.memory()
    yield Figure(f"{name}: memory after use", memory, "MB", server.calls, 600, bare_memory, "bare server")


def growth_of_memory(db: Path, calls: int) -> Iterator[Figure]:
    """The memory that a warm server gains over ``calls`` calls, questions and filters mixed, half of them new."""
    with served(OUR_COMMAND, environment(db, LOREKEEPER_OFFLINE="true")) as server:
        _times(server, [*_semantic({}), *_filters()])
        before = server.memory()
        for number in range(calls):
            question = f"{QUESTIONS[number % len(QUESTIONS)]} {number // 2}"
            call = ("search_spell", {"search": question, **BRIEF}) if number % 2 else _filters()[number % 17]
            server.call(*call)
        yield Figure(f"memory gained over {calls:,} calls", server.memory() - before, "MB", calls, None, before, "warm")


def _times(server: Server, calls: Sequence[Call]) -> list[float]:
    return [server.call(*call)[0] for call in calls]


def _yardsticks() -> tuple[float, float]:
    """Milliseconds of an exact search in numpy over the shipped vectors, and of embedding a question."""
    with np.load(FILE) as arrays:
        vectors = arrays["codes"].astype(np.float32) * arrays["scales"][:, None]
    encoder = MiniLM(packaged_weights())
    encoder.encode(["warm"])
    exact, embedded = [], []
    for text in QUESTIONS:
        start = time.perf_counter()
        [vector] = encoder.encode([text])
        between = time.perf_counter()
        near = vectors @ vector
        best = np.argpartition(near, -20)[-20:]
        best[np.argsort(-near[best])]
        embedded.append(1000 * (between - start))
        exact.append(1000 * (time.perf_counter() - between))
    return median(exact), median(embedded)
