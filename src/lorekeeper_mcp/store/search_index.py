"""The search index: the queries on the stored records that a search needs.

Two implementations: ``memory.memory_index.MemoryIndex`` for a local store, and
``milvus_index.MilvusIndex`` for a Milvus server. ``Cache`` chooses one when it opens the store; one test suite runs
against both.
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
    """Searches stored records. Methods raise StoreError if the store cannot be read; none blocks the event loop."""

    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        ...

    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id.

        Records without a vector score 0.
        """
        ...

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores of records that share words with a text or contain a phrase, best first."""
        ...

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, places and BM25 scores of the passages that share significant words with a text, best first."""
        ...

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        ...

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """Return the number of a family's passages that contain each significant word of a text."""
        ...

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        ...

    def warm_up_steps(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """Return steps that load what the first searches need."""
        ...
