"""Searches of a local store: filters and vectors in memory, words and whole records from the row file.

Milvus Lite's exact search loops over its rows in Python: 20 to 30 ms for 80 hits among 3,500 rows, where this takes 1
ms. When open, it also takes several times the memory.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.passage_cosines import PassageCosines
from lorekeeper_mcp.store.memory.query_terms import query_terms
from lorekeeper_mcp.store.memory.selection import select
from lorekeeper_mcp.store.session import ReadStore
from lorekeeper_mcp.store.writer import Writer

_RECENT = 8  # cached selections per family
_MOST_ENTRIES = 50_000  # in all of them before a further one is cached; 100 bytes each


class MemoryIndex:
    """A SearchIndex over a local store."""

    def __init__(self, read: ReadStore[Writer], mirror: MemoryMirror) -> None:
        self._read = read
        self._mirror = mirror
        self._recent: dict[Family, _Selections] = {}

    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        return self._selected(where)

    def _selected(self, where: RecordFilter) -> Mapping[str, Entry]:
        entries = self._mirror.catalog.of(where.family)
        recent = self._recent.get(where.family)
        if recent is None or recent.entries is not entries:
            self._recent[where.family] = recent = _Selections(entries)
        return recent.of(where)

    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""
        ids = self._selected(where).keys()
        return await self._read(lambda _: self._mirror.vectors.nearest(where.family, vector, ids, limit))

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores of records that share words with a text or contain a phrase, best first."""
        return await self._read(lambda _: self._mirror.words.search(family, text, phrases, limit))

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, places and BM25 scores of the passages that share significant words with a text, best first."""
        return await self._read(lambda _: self._mirror.words.search_passages(family, text, limit))

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        return await self._read(lambda _: self._mirror.passage_cosines(family, vectors, ids))

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """Return the number of a family's passages that contain each significant word of a text."""
        words = query_terms(text)
        known = self._mirror.words.counted_before(family, words)
        if known is None:
            known = await self._read(lambda _: self._mirror.words.frequencies(family, words))
        return {word: known.get(word, 0) for word in words}

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        kinds = {entry.id: entry.kind for entry in entries}
        return await self._read(lambda _: self._mirror.records(kinds))

    def warm_up_steps(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """Return steps that load what the first searches need: one family's embeddings each."""
        for family in Family:
            yield partial(self._load, family)

    async def _load(self, family: Family) -> None:
        await self._read(lambda _: self._mirror.vectors.load(family))


class _Selections:
    """Caches selections from a family's entries for the next page or question."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self.entries = entries
        self._found: dict[RecordFilter, Mapping[str, Entry]] = {}

    def of(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the entries that a filter selects."""
        if (found := self._found.get(where)) is None:
            while len(self._found) >= _RECENT or sum(map(len, self._found.values())) > _MOST_ENTRIES:
                del self._found[next(iter(self._found))]
            self._found[where] = found = MappingProxyType(select(where, self.entries))
        return found
