"""Searches of a Milvus server: its queries apply the filters, and find what other clients have stored since.

Words are searched in our own full-text index: no server version has a BM25 with the same scores as Milvus Lite, and
those before 2.5 have none at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.store.filter_expression import expression_of
from lorekeeper_mcp.store.memory.catalog import Entry, entry_from_row
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.passage_cosines import PassageCosines, passage_cosines
from lorekeeper_mcp.store.memory.query_terms import query_terms
from lorekeeper_mcp.store.server.server_writer import ServerWriter
from lorekeeper_mcp.store.session import ReadStore


class MilvusIndex:
    """A SearchIndex that queries Milvus. ``mirror`` has the catalog, and the words of searched families."""

    def __init__(self, read: ReadStore[ServerWriter], mirror: MemoryMirror) -> None:
        self._read = read
        self._mirror = mirror

    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        ids = await self._read(lambda writer: writer.store.ids(where.family, expression_of(where)))
        known = self._mirror.catalog.of(where.family)
        found = {id_: entry for id_, entry in known.items() if id_ in ids}
        if new := ids - found.keys():
            rows = await self._read(lambda writer: list(writer.store.catalog(where.family, new)))
            found |= {entry.id: entry for entry in map(entry_from_row, rows)}
        return found

    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""
        expression = expression_of(where)
        return await self._read(lambda writer: writer.store.nearest(where.family, vector, expression, limit))

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores of records that share words with a text or contain a phrase, best first."""
        await self.load_words(family)
        return await asyncio.to_thread(self._mirror.words.search, family, text, phrases, limit)

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, places and BM25 scores of the passages that share significant words with a text, best first."""
        await self.load_words(family)
        return await asyncio.to_thread(self._mirror.words.search_passages, family, text, limit)

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        packed = await self._read(lambda writer: writer.store.passages(family, ids))
        return await asyncio.to_thread(passage_cosines, packed, vectors)

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """Return the number of a family's passages that contain each significant word of a text."""
        if not (words := query_terms(text)):
            return {}
        await self.load_words(family)
        known = await asyncio.to_thread(self._mirror.words.frequencies, family, words)
        return {word: known.get(word, 0) for word in words}

    async def load_words(self, family: Family) -> None:
        """Load a family's words into memory, unless they are loaded."""
        if not self._mirror.holds_words(family):
            await self._read(lambda writer: writer.load_words(family))

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        wanted = {entry.id: entry.kind for entry in entries}
        return await self._read(lambda writer: writer.store.records(wanted))

    def warm_up_steps(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """Return steps that load what the first searches need."""
        return (partial(self.load_words, family) for family in Family)
