"""Measures how costs grow: two stores of synthetic records, one ten times as large, filled and searched in one run."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tests.own_records import spell

from benchmarks.answer_times import BRIEF, QUESTIONS, first_filtered
from benchmarks.figures import Figure, median
from benchmarks.processes import OUR_COMMAND, environment, served
from lorekeeper_mcp.embedding.vector import Embedding
from lorekeeper_mcp.models import Family, Record, Source, Spell
from lorekeeper_mcp.settings import Settings, load_settings
from lorekeeper_mcp.store.cache import Cache, open_store
from lorekeeper_mcp.store.catalog import Catalog
from lorekeeper_mcp.store.folder import bytes_on_disk

_WORDS = [
    "amber",
    "bell",
    "cinder",
    "dusk",
    "ember",
    "fog",
    "gale",
    "hollow",
    "iron",
    "jade",
    "kelp",
    "lantern",
    "moss",
    "night",
    "owl",
    "pine",
    "quartz",
    "rain",
]
_PAGE = 2_000
_MIN_WARMING, _WARMED_A_SECOND = 8.0, 1_500  # seconds, and rows per second of which a server reads words and vectors
_REFRESHES = 10


def spells(count: int, first: int = 0) -> Iterator[Spell]:
    """Invented spells, with texts of a hundred words."""
    for number in range(first, first + count):
        words = [_WORDS[(number * 7 + place * place) % len(_WORDS)] for place in range(100)]
        yield spell(
            number,
            " ".join(words),
            name=f"{words[0].title()} {words[1].title()} {number}",
            document_source=Source.OPEN5E_V2,
            school="evocation" if number % 3 else "abjuration",
        )


def _embeddings(records: Sequence[Record]) -> list[Embedding]:
    """Random directions: the meaning of vectors does not affect their cost."""
    drawn = np.random.default_rng(len(records)).standard_normal((len(records), 384)).astype(np.float32)
    return [Embedding(row.tolist(), "") for row in drawn / np.linalg.norm(drawn, axis=1, keepdims=True)]


async def _fill(settings: Settings, count: int) -> list[float]:
    """Store ``count`` records page by page; return the seconds of each page."""
    store = await asyncio.to_thread(open_store, settings, Catalog(), _embeddings)
    taken = []
    records = spells(count)
    while page := list(itertools.islice(records, _PAGE)):
        start = time.perf_counter()
        await asyncio.to_thread(store.put, page)
        taken.append(time.perf_counter() - start)
    await asyncio.to_thread(store.close)
    return taken


def _answers(db: Path, count: int, times: int) -> tuple[float, float, float]:
    """Milliseconds of a question with a filter and of a filter alone, over stdio and warm; then megabytes."""
    with served(OUR_COMMAND, environment(db, LOREKEEPER_OFFLINE="true")) as server:
        calls = [("search_spell", {"search": text, "school": "evocation", **BRIEF}) for text in QUESTIONS]
        filters = [("search_spell", {"level": level, "school": "evocation", **BRIEF}) for level in range(10)]
        server.call(*calls[0])
        time.sleep(max(_MIN_WARMING, count / _WARMED_A_SECOND))
        for call in (*calls[:5], *filters):
            server.call(*call)
        seconds = [server.call(*call)[0] for call in calls[5:] * times]
        filtered = median([server.call(*call)[0] for call in filters * times])
        return median(seconds), filtered, server.memory()


async def _after_refreshes(settings: Settings, count: int) -> tuple[float, float]:
    """Megabytes of a store that was filled once, and after ten refreshes of everything in it."""
    cache = await Cache.open(settings)
    try:
        await cache.put(list(spells(count)))
        fresh = bytes_on_disk(settings.milvus_db_path)
        for _ in range(_REFRESHES):
            await cache.replace(Family.SPELLS, list(spells(count)), lambda _: False)
        return fresh / 1e6, bytes_on_disk(settings.milvus_db_path) / 1e6
    finally:
        await cache.aclose()


def measure(folder: Path, count: int, times: int) -> Iterator[Figure]:
    """Compare filling and searching ``count`` records with a tenth of them, and measure a store after ten refreshes."""
    smaller, larger = (load_settings(milvus_db_path=folder / f"{n}.db", offline=True) for n in (count // 10, count))
    asyncio.run(_fill(smaller, count // 10))
    small = _answers(smaller.milvus_db_path, count // 10, times)
    pages = asyncio.run(_fill(larger, count))
    large = _answers(larger.milvus_db_path, count, times)
    against = f"{count // 10:,} records"
    for place, name in enumerate(("semantic + filter", "structured filter")):
        yield Figure(
            f"{count:,} records: {name}", large[place], "ms", times, 12, small[place], against, of_yardstick=True
        )
    ask = ("search_spell", {"level": 3, "school": "evocation", **BRIEF})
    seconds, _ = first_filtered(larger.milvus_db_path, ask, times)
    before, _ = first_filtered(smaller.milvus_db_path, ask, times)
    yield Figure(f"{count:,} records: first filtered answer", seconds, "s", times, 6, before, against)
    yield Figure(f"{count:,} records: memory after use", large[2], "MB", times, 700, small[2], against)
    tenth = max(1, len(pages) // 10)
    last, first = median(pages[-tenth:]), median(pages[: max(3, tenth)])
    yield Figure(
        f"storing the last {_PAGE:,} of {count:,}", last, "s", tenth, 1.5, first, "the first", of_yardstick=True
    )
    fresh, after = asyncio.run(
        _after_refreshes(load_settings(milvus_db_path=folder / "refreshed.db", offline=True), 3_000)
    )
    yield Figure(f"size after {_REFRESHES} refreshes", after, "MB", 1, 1.3, fresh, "fresh", of_yardstick=True)
