"""The cache: all stored records behind one async interface, with the queries of a search; no call blocks the loop."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from lorekeeper_mcp.embedding.embedder import Embedder
from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines
from lorekeeper_mcp.embedding.record_embedder import RecordEmbedder
from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Kind, Record, Source, family_of
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.catalog import Catalog, Entry
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError
from lorekeeper_mcp.store.lite.local_store import open_local_store
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenStore, read_records
from lorekeeper_mcp.store.query_terms import query_terms
from lorekeeper_mcp.store.rows import NewRow, Row, decode_payload
from lorekeeper_mcp.store.server.server_store import ServerStore
from lorekeeper_mcp.store.session import IDLE_SECONDS, StoreSession

_EMBED_AT_ONCE = 16  # records, each with some seven passages
PassageCosines = dict[str, dict[int, float]]
"""Cosine similarities of passages, by record id and the passage's index."""


def open_store(settings: Settings, catalog: Catalog) -> OpenStore:
    """Open the store in the settings, and fill the catalog. Blocks. Raises StoreUnavailableError with a sentence."""
    encoder = encoder_identity(settings.embedding_model)
    if settings.milvus_uri is None:
        return open_local_store(settings.milvus_db_path, encoder, catalog)
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        return ServerStore(MilvusStore(str(settings.milvus_uri).rstrip("/"), encoder, token), catalog)
    except StoreError as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error


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


class Cache:
    """All stored records. Open it with ``Cache.open``, close it with ``aclose``."""

    def __init__(self, settings: Settings, idle_seconds: float = IDLE_SECONDS) -> None:
        """Open the store; blocks. Milvus is filled after ``idle_seconds`` without writes."""
        self.catalog = Catalog()  # has an entry for every record
        self.embedder = Embedder(settings.embedding_model)
        self._record_embedder = RecordEmbedder(self.embedder)
        self.reconciling = asyncio.Lock()  # one import at a time
        self.copy_notice = ""  # a sentence for the user if the store is a copy
        self.session = StoreSession(partial(open_store, settings, self.catalog), idle_seconds=idle_seconds)
        self.index = SearchIndex(self.session)

    @classmethod
    async def open(cls, settings: Settings, idle_seconds: float = IDLE_SECONDS) -> Cache:
        """Open or create the store in the settings, and read its catalog. If cancelled, it leaves nothing open."""
        opening = asyncio.ensure_future(asyncio.to_thread(cls, settings, idle_seconds))
        try:
            cache = await asyncio.shield(opening)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):  # the caller asked for none of its results
                await (await opening).aclose()
            raise
        cache.session.fill_when_idle()  # a killed process may not have come to it
        return cache

    async def aclose(self) -> None:
        """Finish the writes in progress and close the store."""
        await self.session.aclose()

    @property
    def notice(self) -> str:
        """Sentences for the user if the store is not the one in the settings."""
        return " ".join(filter(None, (self.copy_notice, self.session.store.notice)))

    @property
    def temporary(self) -> bool:
        """Whether the store is deleted when this process ends."""
        return self.session.store.temporary is not None

    async def follow(self) -> None:
        """Load what other processes have stored on a Milvus server; a change of the ledger counts as an opening."""
        if await self.session.read(lambda store: store.follow()):
            self.session.openings += 1

    # -- reading

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        return await self.index.records(entries)

    def without_vector(self) -> int:
        """The number of records without a vector, which cannot be found by meaning yet."""
        return sum(not entry.has_vector for entry in self.catalog)

    async def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return await self.session.read(lambda store: store.rows.ledger())

    # -- writing

    @property
    def in_milvus(self) -> bool:
        """Whether Milvus has the records; a local store has the last ones in its row file until ``fill_milvus``."""
        return self.session.store.in_milvus

    async def fill_milvus(self) -> None:
        """Bring Milvus in line with a local store. Takes seconds, in which other writes wait."""
        if not self.in_milvus:
            await self.session.write(lambda store: store.fill())

    async def put(self, records: Sequence[Record]) -> None:
        """Store records. Those without a precomputed embedding are embedded later."""
        await self.session.write(lambda store: store.put(self._with_known_vectors(records)))

    def _with_known_vectors(self, records: Sequence[Record]) -> list[NewRow]:
        """Pair records with their precomputed vectors. Homebrew has none, so it is not looked up."""
        published = [record for record in records if record.document_source is not Source.HOMEBREW]
        vectors = self._record_embedder.find_precomputed(published) if published else []
        vectors_by_id = {record.id: vector for record, vector in zip(published, vectors, strict=True)}
        return [NewRow(record, vectors_by_id.get(record.id)) for record in records]

    async def delete(self, entries: Iterable[Entry]) -> None:
        """Remove records."""
        by_family: dict[Family, list[str]] = {}
        for entry in entries:
            by_family.setdefault(family_of(entry.kind), []).append(entry.id)
        for family, ids in by_family.items():
            await self.session.write(partial(OpenStore.delete, family=family, ids=ids))

    async def replace(self, family: Family, records: Sequence[Record], is_removed: Callable[[Entry], bool]) -> None:
        """Store records of a family and delete those that ``is_removed`` selects; readers see both changes or none."""
        await self.session.write(lambda store: store.replace(family, self._with_known_vectors(records), is_removed))

    async def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write into the ledger."""
        await self.session.write(lambda store: store.note(entries))

    # -- embeddings

    async def embed_pending(self, family: Family) -> int:
        """Embed some of a family's records without a vector, and return how many. Needs the model."""
        waiting = (entry.id for entry in self.catalog.of(family).values() if not entry.has_vector)
        if ids := list(itertools.islice(waiting, _EMBED_AT_ONCE)):
            rows = await self.session.read(lambda store: store.rows.rows(family, ids))
            embeddings = await self.session.run(lambda: self._embed(rows))
            await self.session.write(lambda store: store.set_vectors(family, rows, embeddings))
        return len(ids)

    def _embed(self, rows: Sequence[Row]) -> Sequence[Embedding]:
        records = [decode_payload(Kind(str(row["kind"])), str(row["payload"])) for row in rows]
        return self._record_embedder.embed(records, self.embedder)

    async def embed_question(self, *texts: str) -> tuple[Vector, ...]:
        """Return the vectors of a question's texts. Loads the model if needed. Raises EmbeddingUnavailableError."""
        return await asyncio.to_thread(self.embedder.question, texts)


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
