"""The search index: what a search may ask of the stored records.

Two implementations: ``memory.index.MemoryIndex`` for a local store, whose rows this process has copies of, and
``milvus_index.MilvusIndex`` for a Milvus server, which is asked. ``Cache`` chooses one when it opens the store; one
test suite runs against both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.passage_cosines import PassageCosines


class SearchIndex(Protocol):
    """Records to search. Every method raises StoreError where the store cannot be read; none blocks the event loop."""

    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """The records that a filter selects, in brief, by id."""
        ...

    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Ids and cosine similarities of the nearest records that a filter selects, best first, equals by id.

        What has no embedding yet is as near as nothing, 0.
        """
        ...

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Ids and BM25 scores of a family's records that share words with a text or hold phrases, best first."""
        ...

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Ids, places and BM25 scores of the passages that share telling words with a text, best first."""
        ...

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """How near each passage of some records is to the nearest of some vectors; left out if not embedded."""
        ...

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """In how many of a family's passages each telling word of a text stands."""
        ...

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """The whole records of some entries by id; those that are gone by now are left out."""
        ...

    def warming(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """What the first questions would otherwise wait for, in pieces."""
        ...
