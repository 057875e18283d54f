"""The search index: the queries on the stored records that a search needs, none of which blocks the event loop.

They are answered in memory for a local store, and by Milvus for a server; one test suite runs against both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.query_terms import query_terms
from lorekeeper_mcp.store.open_store import read_records
from lorekeeper_mcp.store.session import StoreSession

PassageCosines = dict[str, dict[int, float]]
"""Cosine similarities of passages, by record id and the passage's place."""


class SearchIndex:
    """Searches stored records. Methods raise StoreError if the store cannot be read."""

    def __init__(self, session: StoreSession) -> None:
        self._read = session.read

    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        return await self._read(lambda store: store.candidates(where))

    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id.

        Records without a vector score 0.
        """
        return await self._read(lambda store: store.nearest(where, vector, limit))

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores of records that share words with a text or contain a phrase, best first."""
        return await self._read(lambda store: store.words(family).search(family, text, phrases, limit))

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, places and BM25 scores of the passages that share significant words with a text, best first."""
        return await self._read(lambda store: store.words(family).search_passages(family, text, limit))

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """Return the number of a family's passages that contain each significant word of a text."""
        words = query_terms(text)
        counts = await self._read(lambda store: store.words(family).frequencies(family, words)) if words else {}
        return {word: counts.get(word, 0) for word in words}

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        return await self._read(lambda store: passage_cosines(store.rows.passages(family, ids), vectors))

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        kinds = {entry.id: entry.kind for entry in entries}
        return await self._read(lambda store: read_records(store.rows, kinds))

    def warm_up_steps(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """Return steps that load what the first searches need."""
        return (partial(self._load, family) for family in Family)

    async def _load(self, family: Family) -> None:
        await self._read(lambda store: store.load(family))


def passage_cosines(packed: Mapping[str, bytes], vectors: Sequence[Sequence[float]]) -> PassageCosines:
    """Return the similarity of packed passages, of four bits per number, to the nearest of some vectors.

    It is computed only for records that are candidates already, a few thousand passages at most.
    """
    places, similarities = (array.tolist() for array in cosines(b"".join(packed.values()), vectors))
    by_id: PassageCosines = {}
    start = 0
    for id_, passages in packed.items():
        stop = start + len(passages) // PASSAGE_BYTES
        by_id[id_] = dict(zip(places[start:stop], similarities[start:stop], strict=True))
        start = stop
    return by_id
