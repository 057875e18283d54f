"""The cache: store, catalog, full text and embeddings behind one async interface."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from lorekeeper_mcp.embedding.embedder import Embedder
from lorekeeper_mcp.embedding.record_embedder import RecordEmbedder
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family, Kind, Record, Source, family_of
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.memory.catalog import Entry, places
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.opener import open_local, open_server
from lorekeeper_mcp.store.rows import EmbeddedRow, NewRow, Row, decode_payload
from lorekeeper_mcp.store.search_index import MemoryIndex, MilvusIndex, SearchIndex
from lorekeeper_mcp.store.session import IDLE_SECONDS, StoreSession
from lorekeeper_mcp.store.writer import Writer

_EMBED_AT_ONCE = 16  # records, each with some seven passages


class Cache:
    """All stored records. Open it with ``Cache.open``, close it with ``aclose``; no call blocks the event loop.

    ``catalog`` has an entry for every record, ``index`` answers searches.
    """

    def __init__(self, settings: Settings, idle_seconds: float = IDLE_SECONDS) -> None:
        """Open the store; blocks. Milvus is filled after ``idle_seconds`` without writes."""
        self._mirror = MemoryMirror()
        self.catalog = self._mirror.catalog
        self.embedder = Embedder(settings.embedding_model)
        self._record_embedder = RecordEmbedder(self.embedder)
        self.reconciling = asyncio.Lock()  # one import at a time
        self.session: StoreSession[Writer]
        self.index: SearchIndex
        if settings.milvus_uri is None:
            self.session = local = StoreSession(lambda: open_local(settings, self._mirror), idle_seconds=idle_seconds)
            self.index = MemoryIndex(local.read, self._mirror)
        else:
            self.session = server = StoreSession(lambda: open_server(settings, self._mirror))
            self.index = MilvusIndex(server.read, self._mirror)

    @classmethod
    async def open(cls, settings: Settings, idle_seconds: float = IDLE_SECONDS) -> Cache:
        """Open or create the store in the settings, and read its catalog. If cancelled, it leaves nothing open."""
        opening = asyncio.ensure_future(asyncio.to_thread(cls, settings, idle_seconds))
        try:
            opened = await asyncio.shield(opening)
        except asyncio.CancelledError:
            for cache in await asyncio.gather(opening, return_exceptions=True):
                if isinstance(cache, Cache):
                    await cache.aclose()
            raise
        opened.session.fill_when_idle()  # a killed process may not have come to it
        return opened

    async def aclose(self) -> None:
        """Finish the writes in progress and close the store."""
        await self.session.aclose()
        self._mirror.close()

    @property
    def notice(self) -> str:
        """A sentence for the user if the store is not the one in the settings."""
        return self.session.writer.notice

    @property
    def temporary(self) -> bool:
        """Whether the store is deleted when this process ends."""
        return self.session.writer.temporary is not None

    @property
    def openings(self) -> int:
        """A counter of reopenings and of ledger changes by other processes: reload the ledger when it grows."""
        return self.session.openings

    async def follow(self) -> None:
        """Load what other processes have stored on a Milvus server since the last call."""
        if await self.session.read(lambda writer: writer.follow()):
            self.session.openings += 1

    # -- reading

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return the whole records of some entries by id; those deleted meanwhile are left out."""
        return await self.index.records(entries)

    def values(self, family: Family, column: str) -> set[str]:
        """Every value of a text or list column."""
        place = places(family)[column]
        texts = {str(entry.values[place]) for entry in self.catalog.of(family).values()}
        return {part.replace("~", "_") for text in texts for part in text.split("|") if part}

    async def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return await self.session.read(lambda writer: writer.store.ledger())

    # -- writing

    @property
    def in_milvus(self) -> bool:
        """Whether Milvus has the records; a local store has the last ones in its row file until ``fill_milvus``."""
        return self.session.writer.in_milvus

    async def fill_milvus(self) -> None:
        """Bring Milvus in line with a local store. Takes seconds, in which other writes wait."""
        if not self.in_milvus:
            await self.session.write(lambda writer: writer.fill())

    async def put(self, records: Sequence[Record]) -> None:
        """Store records. Those without a precomputed embedding are embedded later."""
        await self.session.write(lambda writer: writer.put(self._with_known_vectors(records)))

    def _with_known_vectors(self, records: Sequence[Record]) -> list[NewRow]:
        """Pair records with their precomputed vectors. Homebrew has none, so it is not looked up."""
        published = [record for record in records if record.document_source is not Source.ORCBREW]
        vectors = zip(published, self._record_embedder.known(published), strict=True) if published else ()
        known = {record.id: vector for record, vector in vectors}
        return [NewRow(record, known.get(record.id)) for record in records]

    async def delete(self, entries: Iterable[Entry]) -> None:
        """Remove records."""
        by_family: dict[Family, list[str]] = {}
        for entry in entries:
            by_family.setdefault(family_of(entry.kind), []).append(entry.id)
        for family, ids in by_family.items():
            await self.session.write(partial(Writer.delete, family=family, ids=ids))

    async def replace(self, family: Family, records: Sequence[Record], is_removed: Callable[[Entry], bool]) -> None:
        """Store records of a family and delete those that ``is_removed`` selects; readers see both changes or none."""
        await self.session.write(lambda writer: writer.replace(family, self._with_known_vectors(records), is_removed))

    async def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write into the ledger."""
        await self.session.write(lambda writer: writer.note(entries))

    async def embed_pending(self, family: Family) -> int:
        """Embed some of a family's records without a vector, and return how many. Needs the model."""
        waiting = [entry for entry in self.catalog.of(family).values() if not entry.has_vector]
        pending = waiting[:_EMBED_AT_ONCE]
        if pending:
            ids = [entry.id for entry in pending]
            rows = await self.session.read(lambda writer: writer.store.rows(family, ids))
            embedded = await self.session.run(lambda: self._embed(rows))
            await self.session.write(lambda writer: writer.set_vectors(family, embedded))
        return len(pending)

    def _embed(self, rows: Sequence[Row]) -> list[EmbeddedRow]:
        records = [decode_payload(Kind(str(row["kind"])), str(row["payload"])) for row in rows]
        embeddings = self._record_embedder.embed(records, self.embedder)
        return [
            EmbeddedRow(str(row["id"]), str(row["payload"]), embedding)
            for row, embedding in zip(rows, embeddings, strict=True)
        ]

    def without_vector(self) -> int:
        """The number of records without a vector, which cannot be found by meaning yet."""
        return sum(not entry.has_vector for entry in self.catalog)

    async def embed_question(self, *texts: str) -> tuple[Vector, ...]:
        """Return the vectors of a question's texts. Loads the model if needed. Raises EmbeddingUnavailableError."""
        return await asyncio.to_thread(self.embedder.question, texts)
