"""The cache: the store, the catalog of what is in it, words and embeddings, as one thing for the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import shutil
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import Embedder
from lorekeeper_mcp.embedding.model_files import PACKAGED, is_packaged
from lorekeeper_mcp.embedding.precomputed import PrecomputedEmbeddings
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family, Kind, Record, family_of
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreLostError,
    StoreRejectedError,
    StoreUnavailableError,
)
from lorekeeper_mcp.store.lite.connection import owner
from lorekeeper_mcp.store.lite.quarantine import quarantined_stores
from lorekeeper_mcp.store.memory.catalog import Entry, places
from lorekeeper_mcp.store.memory.fulltext_index import query_terms
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.opener import KnownState, OpenStore, open_store
from lorekeeper_mcp.store.pending_records import PendingRecord
from lorekeeper_mcp.store.rows import EmbeddedRow, Row, decode_payload
from lorekeeper_mcp.store.writer import LEDGER, Writer

__all__ = ["Cache", "PendingRecord", "StoreLocation"]

log = logging.getLogger(__name__)
T = TypeVar("T")
_EMBED_AT_ONCE = 64
_DECODED_AT_ONCE = 50  # records: what a page has takes a millisecond or two; more would hold up the event loop
_REOPENINGS = 4  # owners of the store that may go one after the other while one call is answered
_REOPENING_SECONDS = 60.0  # how long a fault that reopening has not mended is raised without another try


@dataclass(frozen=True)
class StoreLocation:
    """Where the store lies: its folder or server, the process that owns it (None: a server), and what is beside it."""

    location: str
    owner: int | None
    notice: str
    quarantined: list[str]
    bytes_on_disk: int


class Cache:
    """All records held. Open it with ``Cache.open``, close it with ``aclose``; no call blocks the event loop.

    Where the process that owns the store goes away, calls go on with the next owner.
    """

    def __init__(self, settings: Settings, abandoned: Callable[[], bool] = lambda: False) -> None:
        """Open the store; blocks. Once the caller has ``abandoned`` it, no other process is waited for any longer."""
        self._settings = settings
        self._memory = MemoryMirror()
        self.catalog = self._memory.catalog
        self.embedder = Embedder(settings.embedding_model)
        self._shipped = PrecomputedEmbeddings(PACKAGED if is_packaged(self.embedder.name) else self.embedder.identity)
        self._reopening = asyncio.Lock()
        self._closing = False
        self._works: set[asyncio.Future[Any]] = set()
        # Writes wait for each other and for other processes: in a thread of their own, so that no read waits with them.
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="lorekeeper-write")
        self._last_resort = -math.inf
        self._take(open_store(settings, abandoned=abandoned))

    @classmethod
    async def open(cls, settings: Settings) -> Cache:
        """Open or create the store that the settings name, and read its catalog. Cancelled, it leaves nothing open."""
        abandoned = threading.Event()
        opening = asyncio.ensure_future(asyncio.to_thread(cls, settings, abandoned.is_set))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            abandoned.set()
            for cache in await asyncio.gather(opening, return_exceptions=True):
                if isinstance(cache, Cache):
                    await cache.aclose()
            raise

    def _take(self, opened: OpenStore) -> None:
        """Go on with a store that has just been opened."""
        for family, entries in opened.catalogs.items():
            self.catalog.replace(family, entries)
        self._opened = opened
        self.notice = opened.notice
        self._writer = Writer(opened.store, opened.account, self._memory, self._vectors_of)
        self._writer.start(opened.state)

    async def aclose(self) -> None:
        """Give the store free, as soon as what is being written is."""
        self._closing = True
        self._writer.stop()
        await asyncio.gather(*self._works, return_exceptions=True)
        await asyncio.to_thread(self._close)
        self._writing.shutdown(wait=False)
        self._memory.close()

    def _close(self) -> None:
        self._writer.close()
        if self._opened.temporary is not None:
            shutil.rmtree(self._opened.temporary, ignore_errors=True)

    # -- one store after the other, and other processes

    async def _with(self, work: Callable[[MilvusStore], T]) -> T:
        """Read from the store in a thread, and again from its next owner where this one goes."""
        return await self._tried(lambda: work(self._writer.store))

    async def _write(self, work: Callable[[], T]) -> T:
        """Write to the store in the one thread for that, and to its next owner where this one goes."""
        return await self._tried(work, self._writing)

    async def _tried(self, work: Callable[[], T], pool: Executor | None = None) -> T:
        for attempt in range(_REOPENINGS + 1):
            writer = self._writer
            try:
                return await self._whole(work, pool)
            except StoreError as error:
                if self._closing or attempt == _REOPENINGS or not self._may_mend(error):
                    raise
                await self._reopen(writer)
                if isinstance(error, StoreFullError):  # reopened, since rows it could not flush were out of sight
                    raise
                log.warning("The cache failed and was opened again: %s", error)
        raise AssertionError

    def _may_mend(self, error: StoreError) -> bool:
        """Whether opening the store again may mend a fault: where its owner has gone, always; else once a minute.

        A fault that stays would otherwise have every call open the store again and again.
        """
        if isinstance(error, StoreLostError | StoreFullError):
            return True
        if isinstance(error, StoreRejectedError | StoreBusyError | StoreUnavailableError):
            return False
        now = time.monotonic()
        if now - self._last_resort < _REOPENING_SECONDS:
            return False
        self._last_resort = now
        return True

    async def _reopen(self, failed: Writer) -> None:
        async with self._reopening:
            if self._writer is failed:
                await self._whole(self._open_again)

    def _open_again(self) -> None:
        entries = {family: list(self.catalog.of(family).values()) for family in Family}
        remembered = KnownState({str(family): self._writer.version(family) for family in Family}, entries)
        known = {family: self._writer.version(family) for family in Family}
        with contextlib.suppress(StoreError, OSError, RuntimeError):  # what has failed may fail to close
            self._close()
        self._take(open_store(self._settings, remembered))
        for family in Family:
            if self._writer.version(family) != known[family]:
                self._memory.forget(family)

    async def refresh(self) -> None:
        """Take notice of what other processes have written. Costs a look at a file's time where nothing was."""
        if self._writer.behind:
            await self._tried(self._catch_up)

    def _catch_up(self) -> None:
        self._writer.catch_up()

    @property
    def temporary(self) -> bool:
        """Whether the store is one that will be gone with this process."""
        return self._opened.temporary is not None

    def store_location(self) -> StoreLocation:
        """Where the store lies and who owns it."""
        account, store = self._opened.account, self._opened.store
        if account is None:
            return StoreLocation(str(self._settings.milvus_uri), None, self.notice, [], 0)
        said = owner(account.store)
        pid = os.getpid() if store.path is not None or said is None else said[1]
        aside = [str(path) for path in quarantined_stores(self._settings.milvus_db_path)]
        size = sum(file.stat().st_size for file in account.store.rglob("*") if file.is_file())
        return StoreLocation(str(account.store), pid, self.notice, aside, size)

    @property
    def ledger_version(self) -> int:
        """A number that grows as the ledger changes."""
        return self._writer.version(LEDGER)

    @contextlib.asynccontextmanager
    async def turn(self, what: str, *, wait: bool = True) -> AsyncIterator[bool]:
        """Be the only process that does something to this store; False where it is another's and not waited for."""
        async with self._writer.locks.of(what, wait=wait) as mine:
            if mine:
                await self.refresh()
            yield mine

    # -- reading

    async def ids(self, family: Family, expression: str) -> set[str]:
        """Ids of the records that an expression selects."""
        return await self._with(lambda store: store.ids(family, expression))

    async def nearest(
        self, family: Family, vector: Vector, expression: str, limit: int, among: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """Ids and cosine similarities of the records nearest to a vector, best first.

        ``among`` are the ids that the expression selects, where they are known: what is held in memory is then not
        asked of the store.
        """
        if among is not None and self._memory.vectors.holds(family):
            near = await asyncio.to_thread(self._memory.vectors.nearest, family, vector, among, limit)
            if near is not None:  # forgotten a moment ago, where the store was opened anew
                return near
        return await self._with(lambda store: store.nearest(family, vector, expression, limit))

    async def load_vectors(self, family: Family) -> None:
        """Have a family's embeddings in memory from now on. Nothing where they are on a Milvus server."""
        await self._tried(lambda: self._writer.load_vectors(family))

    async def load_payloads(self, family: Family) -> None:
        """Have a family's whole records in memory from now on. Nothing where they are on a Milvus server."""
        await self._tried(lambda: self._writer.load_payloads(family))

    async def by_words(self, family: Family, text: str, phrases: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Ids and BM25 scores of the records that share words with a text or hold phrases, best first."""
        if not self._memory.words.holds(family):
            await self._tried(lambda: self._writer.load_words(family))
        return await asyncio.to_thread(self._memory.words.search, family, text, phrases, limit)

    async def words_known(self, family: Family, text: str) -> dict[str, bool]:
        """Whether each of a text's telling words stands anywhere in a family, none where its words are not held."""
        words = query_terms(text)
        known = await asyncio.to_thread(self._memory.words.known, family, words)
        return {word: word in known for word in words}

    async def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """The whole records of some entries, by id; one that has just gone is left out."""
        wanted = {entry.id: entry.kind for entry in entries}
        known = self._memory.payloads.records
        held = known(wanted) if len(wanted) <= _DECODED_AT_ONCE else await asyncio.to_thread(known, wanted)
        return held if held is not None else await self._with(lambda store: store.records(wanted))

    def values(self, family: Family, column: str) -> set[str]:
        """Every value that stands in a text or list column."""
        place = places(family)[column]
        texts = {str(entry.values[place]) for entry in self.catalog.of(family).values()}
        return {part.replace("~", "_") for text in texts for part in text.split("|") if part}

    async def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return await self._with(lambda store: store.ledger())

    # -- writing

    async def put(self, arrivals: Sequence[PendingRecord]) -> None:
        """Store records; those whose embedding is not known beforehand are embedded later."""
        await self._write(lambda: self._writer.put(arrivals))

    def _vectors_of(self, records: Sequence[Record]) -> Sequence[Vector | None]:
        return self._shipped.find([embedding_text(record) for record in records])

    async def delete(self, entries: Iterable[Entry]) -> None:
        """Remove records."""
        by_family: dict[Family, list[str]] = {}
        for entry in entries:
            by_family.setdefault(family_of(entry.kind), []).append(entry.id)
        for family, ids in by_family.items():
            await self._write(partial(self._delete, family, ids))

    def _delete(self, family: Family, ids: Sequence[str]) -> None:
        self._writer.delete(family, ids)

    async def renew(self, family: Family, arrivals: Sequence[PendingRecord], gone: Callable[[Entry], bool]) -> None:
        """Store records of a family and drop those that are ``gone``, all in the same moment."""
        await self._write(lambda: self._writer.renew(family, arrivals, gone))

    async def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write into the ledger."""
        await self._write(lambda: self._writer.note(entries))

    async def forget(self, ids: Sequence[str]) -> None:
        """Remove entries from the ledger."""
        await self._write(lambda: self._writer.forget(ids))

    async def embed_pending(self, family: Family) -> int:
        """Embed some of a family's records that have no vector yet; how many were. Needs the model."""
        waiting = [entry for entry in self.catalog.of(family).values() if not entry.has_vector]
        pending = waiting[:_EMBED_AT_ONCE]
        if pending:
            last = len(pending) == len(waiting)
            rows = await self._with(lambda store: store.rows(family, [entry.id for entry in pending]))
            embedded = await self._whole(lambda: self._embed(rows))
            await self._write(lambda: self._writer.set_vectors(family, embedded, tell=last))
        return len(pending)

    def _embed(self, rows: Sequence[Row]) -> list[EmbeddedRow]:
        payloads = {str(row["id"]): (Kind(str(row["kind"])), str(row["payload"])) for row in rows}
        vectors = self.embedder.encode([embedding_text(decode_payload(*given)) for given in payloads.values()])
        return [
            EmbeddedRow(id_, payload, vector)
            for (id_, (_, payload)), vector in zip(payloads.items(), vectors, strict=True)
        ]

    def pending(self, family: Family, kinds: frozenset[Kind]) -> int:
        """How many records of some kinds are not yet findable by meaning."""
        return sum(1 for entry in self.catalog.among(family, kinds) if not entry.has_vector)

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question, after loading the model if this is the first. Raises EmbeddingUnavailableError."""
        return await asyncio.to_thread(self.embedder.query, text)

    async def _whole(self, work: Callable[[], T], pool: Executor | None = None) -> T:
        """Run it to its end even if the caller is cancelled: store, words and catalog stay in step."""
        if self._closing:
            raise StoreError("The cache is closed.")
        future = asyncio.get_running_loop().run_in_executor(pool, work)
        self._works.add(future)
        future.add_done_callback(self._works.discard)
        return await asyncio.shield(future)
