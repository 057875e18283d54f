"""The search index: the queries on the stored records that a search needs, in memory or on a Milvus server.

``Cache`` chooses one of the two when it opens the store; one test suite runs against both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.store.filter_expression import expression_of
from lorekeeper_mcp.store.memory.catalog import Entry, entry_from_row, select
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.query_terms import query_terms
from lorekeeper_mcp.store.server.server_writer import ServerWriter
from lorekeeper_mcp.store.session import ReadStore
from lorekeeper_mcp.store.writer import Writer, read_records

_RECENT = 8  # cached selections per family
_MOST_ENTRIES = 50_000  # in all of them before a further one is cached; 100 bytes each

PassageCosines = dict[str, dict[int, float]]
"""Cosine similarities of passages, by record id and the passage's place."""


class SearchIndex(ABC):
    """Searches stored records. Methods raise StoreError if the store cannot be read; none blocks the event loop."""

    def __init__(self, read: ReadStore[Writer], mirror: MemoryMirror) -> None:
        """``mirror`` is the memory of the store that ``read`` reads."""
        self._read = read
        self._mirror = mirror

    @abstractmethod
    async def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""

    @abstractmethod
    async def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id.

        Records without a vector score 0.
        """

    @abstractmethod
    async def load(self, family: Family) -> None:
        """Load what the first searches of a family need."""

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return ids and BM25 scores of records that share words with a text or contain a phrase, best first."""
        return await self._read(lambda writer: writer.words(family).search(family, text, phrases, limit))

    async def passages_by_words(self, family: Family, text: str, limit: int) -> list[tuple[str, int, float]]:
        """Return ids, places and BM25 scores of the passages that share significant words with a text, best first."""
        return await self._read(lambda writer: writer.words(family).search_passages(family, text, limit))

    async def word_frequencies(self, family: Family, text: str) -> dict[str, int]:
        """Return the number of a family's passages that contain each significant word of a text."""
        words = query_terms(text)
        known = self._mirror.words.counted_before(family, words)
        if known is None:
            known = await self._read(lambda writer: writer.words(family).frequencies(family, words))
        return {word: known.get(word, 0) for word in words}

    async def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Collection[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        return await self._read(lambda writer: passage_cosines(writer.store.passages(family, ids), vectors))

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        kinds = {entry.id: entry.kind for entry in entries}
        return await self._read(lambda writer: read_records(writer.store, kinds))

    def warm_up_steps(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """Return steps that load what the first searches need."""
        return (partial(self.load, family) for family in Family)


class MemoryIndex(SearchIndex):
    """Searches a local store: filters and vectors in memory, words and whole records from the row file.

    Milvus Lite's exact search loops over its rows in Python: 20 to 30 ms for 80 hits among 3,500 rows, where this takes
    1 ms. When open, it also takes several times the memory.
    """

    def __init__(self, read: ReadStore[Writer], mirror: MemoryMirror) -> None:
        super().__init__(read, mirror)
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

    async def load(self, family: Family) -> None:
        """Load a family's embeddings."""
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


class MilvusIndex(SearchIndex):
    """Searches a Milvus server, whose queries apply the filters and find what other clients have stored since.

    Words are searched in our own full-text index: no server version has a BM25 with the same scores as Milvus Lite, and
    those before 2.5 have none at all.
    """

    def __init__(self, read: ReadStore[ServerWriter], mirror: MemoryMirror) -> None:
        super().__init__(read, mirror)
        self._read: ReadStore[ServerWriter] = read

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

    async def load(self, family: Family) -> None:
        """Load a family's words into memory, unless they are loaded."""
        await self._read(lambda writer: writer.words(family))


def passage_cosines(packed: Mapping[str, bytes], vectors: Sequence[Sequence[float]]) -> PassageCosines:
    """Return the similarity of packed passages, of four bits per number, to the nearest of some vectors.

    It is computed only for records that are candidates already, a few thousand passages at most.
    """
    places, near = cosines(b"".join(packed.values()), vectors)
    all_places, all_near = places.tolist(), near.tolist()
    found: PassageCosines = {}
    start = 0
    for id_, one in packed.items():
        stop = start + len(one) // PASSAGE_BYTES
        found[id_] = dict(zip(all_places[start:stop], all_near[start:stop], strict=True))
        start = stop
    return found
