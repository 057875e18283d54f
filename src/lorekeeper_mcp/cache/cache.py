"""The cache: the store, the catalog of what is in it, words and embeddings, as one thing for the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from lorekeeper_mcp.cache.catalog import Catalog, Entry, entry_from_row, entry_of
from lorekeeper_mcp.cache.embedding import Embedder
from lorekeeper_mcp.cache.embedding_text import embedding_text, whole_text
from lorekeeper_mcp.cache.opening import open_store
from lorekeeper_mcp.cache.rows import NewRow, Vector
from lorekeeper_mcp.cache.store import Store
from lorekeeper_mcp.cache.vectors import ShippedVectors
from lorekeeper_mcp.cache.words import WordIndex
from lorekeeper_mcp.models import Family, Kind, Record, family_of
from lorekeeper_mcp.settings import Settings

T = TypeVar("T")
_EMBED_AT_ONCE = 64


@dataclass(frozen=True)
class Arrival:
    """A record to be stored, and whether it gives way once Open5e's records of its kind are all here."""

    record: Record
    replaceable: bool = False


class Cache:
    """All records held. Open it with ``Cache.open``, close it with ``aclose``; no call blocks the event loop."""

    def __init__(self, store: Store, catalog: Catalog, embedder: Embedder, notice: str = "") -> None:
        self.catalog = catalog
        self.embedder = embedder
        self.notice = notice
        self._store = store
        self._words = WordIndex()
        self._shipped = ShippedVectors(embedder.name)
        self._building = {family: asyncio.Lock() for family in Family}

    @classmethod
    async def open(cls, settings: Settings) -> Cache:
        """Open or create the store that the settings name, and read its catalog."""
        return await asyncio.to_thread(cls._open, settings)

    @classmethod
    def _open(cls, settings: Settings) -> Cache:
        opened = open_store(settings)
        catalog = Catalog(entry_from_row(row) for family in Family for row in opened.store.catalog(family))
        return cls(opened.store, catalog, Embedder(settings.embedding_model), opened.notice)

    async def aclose(self) -> None:
        """Give the store free."""
        self._words.close()
        await asyncio.to_thread(self._store.close)

    # -- reading

    async def ids(self, family: Family, expression: str) -> set[str]:
        """Ids of the records that an expression selects."""
        return await asyncio.to_thread(self._store.ids, family, expression)

    async def nearest(self, family: Family, vector: Vector, expression: str, limit: int) -> list[tuple[str, float]]:
        """Ids and cosine similarities of the records nearest to a vector, best first."""
        return await asyncio.to_thread(self._store.nearest, family, vector, expression, limit)

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Ids and BM25 scores of the records that share words with a text or hold phrases, best first."""
        async with self._building[family]:
            if not self._words.holds(family):
                await asyncio.to_thread(self._build_words, family)
        return await asyncio.to_thread(self._words.search, family, text, phrases, limit)

    def _build_words(self, family: Family) -> None:
        rows = self._store.scan(family, ["id", "name", "words"])
        self._words.build(family, ((str(row["id"]), str(row["name"]), str(row["words"])) for row in rows))

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """The whole records of some entries, by id; one that has just gone is left out."""
        wanted = {entry.id: entry.kind for entry in entries}
        return await asyncio.to_thread(self._store.records, wanted) if wanted else {}

    async def values(self, family: Family, column: str) -> set[str]:
        """Every value that stands in a text or list column."""
        return await asyncio.to_thread(self._values, family, column)

    def _values(self, family: Family, column: str) -> set[str]:
        rows = (str(row[column]) for row in self._store.scan(family, ["id", column]))
        return {part.replace("~", "_") for row in set(rows) for part in row.split("|") if part}

    async def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return await asyncio.to_thread(self._store.ledger)

    # -- writing

    async def put(self, arrivals: Sequence[Arrival]) -> None:
        """Store records; those whose embedding is not known beforehand are embedded later."""
        await self._whole(lambda: self._put(arrivals))

    def _put(self, arrivals: Sequence[Arrival]) -> None:
        texts = [embedding_text(arrival.record) for arrival in arrivals]
        vectors = self._shipped.find(texts)
        now = int(time.time())
        created = {
            record.id: entry.created_at
            for arrival in arrivals
            if (entry := self.catalog.get(family_of((record := arrival.record).kind), record.id))
        }
        rows = [NewRow(a.record, vector, a.replaceable) for a, vector in zip(arrivals, vectors, strict=True)]
        self._store.upsert(rows, created, now)
        words: dict[Family, list[tuple[str, str, str]]] = {}
        for row in rows:
            text = whole_text(row.record)
            words.setdefault(family_of(row.record.kind), []).append((row.record.id, row.record.name, text))
        for family, indexed in words.items():
            self._words.put(family, indexed)
        self.catalog.put(
            entry_of(
                row.record,
                replaceable=row.replaceable,
                has_vector=row.vector is not None,
                created_at=created.get(row.record.id, now),
            )
            for row in rows
        )

    async def delete(self, entries: Iterable[Entry]) -> None:
        """Remove records."""
        by_family: dict[Family, list[str]] = {}
        for entry in entries:
            by_family.setdefault(family_of(entry.kind), []).append(entry.id)
        for family, ids in by_family.items():
            await self._whole(partial(self._delete, family, ids))

    def _delete(self, family: Family, ids: Sequence[str]) -> None:
        self._store.delete(family, ids)
        self._words.drop(family, ids)
        self.catalog.drop(family, ids)

    async def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write into the ledger."""
        await self._whole(lambda: self._store.note(entries))

    async def embed_pending(self, family: Family) -> int:
        """Embed some of a family's records that have no vector yet; how many were. Needs the model."""
        pending = [entry for entry in self.catalog.of(family).values() if not entry.has_vector][:_EMBED_AT_ONCE]
        if pending:
            await self._whole(lambda: self._embed(family, pending))
        return len(pending)

    def _embed(self, family: Family, pending: Sequence[Entry]) -> None:
        records = self._store.records({entry.id: entry.kind for entry in pending})
        present = [entry for entry in pending if entry.id in records]
        vectors = self.embedder.encode([embedding_text(records[entry.id]) for entry in present])
        self._store.set_vectors(family, dict(zip((entry.id for entry in present), vectors, strict=True)))
        for entry in present:
            if (known := self.catalog.get(family, entry.id)) is not None:
                self.catalog.put([replace(known, has_vector=True)])

    def pending(self, family: Family, kinds: frozenset[Kind]) -> int:
        """How many records of some kinds are not yet findable by meaning."""
        return sum(1 for entry in self.catalog.among(family, kinds) if not entry.has_vector)

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question, after loading the model if this is the first. Raises EmbeddingUnavailableError."""
        return await asyncio.to_thread(self.embedder.query, text)

    @staticmethod
    async def _whole(work: Callable[[], T]) -> T:
        """Run a write to its end even if the caller is cancelled: store, words and catalog stay in step."""
        return await asyncio.shield(asyncio.create_task(asyncio.to_thread(work)))
