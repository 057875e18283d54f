"""Searches in Milvus: filters are part of its queries, and what other clients have stored since is found too.

Words are looked for in an index of our own even so: the servers that this runs on have no BM25 that gives the same
scores as Milvus Lite's (those before 2.5 have none at all).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.store.filter_expression import expression_of
from lorekeeper_mcp.store.memory.catalog import Entry, entry_from_row
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.passage_cosines import PassageCosines, passage_cosines
from lorekeeper_mcp.store.memory.query_terms import query_terms
from lorekeeper_mcp.store.writer import Writer

T = TypeVar("T")


class ReadStore(Protocol):
    """Runs work in a thread, and again with the writer of the store's next owner where this one goes."""

    async def __call__(self, work: Callable[[Writer], T]) -> T:
        """What the work gives."""
        ...


class MilvusIndex:
    """A SearchIndex that asks the store. ``mirror`` has the catalog, and the words of families that were asked for."""

    def __init__(self, read: ReadStore, mirror: MemoryMirror) -> None:
        self._read = read
        self._mirror = mirror

    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """The records that a filter selects, in brief, by id."""
        ids = await self._read(lambda writer: writer.store.ids(where.family, expression_of(where)))
        known = self._mirror.catalog.of(where.family)
        found = {id_: entry for id_, entry in known.items() if id_ in ids}
        if new := ids - found.keys():
            rows = await self._read(lambda writer: list(writer.store.catalog(where.family, new)))
            found |= {entry.id: entry for entry in map(entry_from_row, rows)}
        return found

    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Ids and cosine similarities of the nearest records that a filter selects, best first, equals by id."""
        return await self._read(lambda writer: writer.store.nearest(where.family, vector, expression_of(where), limit))

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Ids and BM25 scores of a family's records that share words with a text or hold phrases, best first."""
        await self.load_words(family)
        return await asyncio.to_thread(self._mirror.words.search, family, text, phrases, limit)

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Ids, places and BM25 scores of the passages that share telling words with a text, best first."""
        await self.load_words(family)
        return await asyncio.to_thread(self._mirror.words.search_passages, family, text, limit)

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """How near each passage of some records is to the nearest of some vectors; left out if not embedded."""
        packed = await self._read(lambda writer: writer.store.passages(family, ids))
        return await asyncio.to_thread(passage_cosines, packed, vectors)

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """In how many of a family's passages each telling word of a text stands."""
        if not (words := query_terms(text)):
            return {}
        await self.load_words(family)
        known = await asyncio.to_thread(self._mirror.words.frequencies, family, words)
        return {word: known.get(word, 0) for word in words}

    async def load_words(self, family: Family) -> None:
        """Read a family's words into memory, unless they are there."""
        if not self._mirror.holds_words(family):
            await self._read(lambda writer: writer.load_words(family))

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """The whole records of some entries by id; those that are gone by now are left out."""
        wanted = {entry.id: entry.kind for entry in entries}
        return await self._read(lambda writer: writer.store.records(wanted))

    def warming(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """What the first questions would otherwise wait for, in pieces."""
        return (partial(self.load_words, family) for family in Family)
