"""The cache: all stored records behind one async interface, with the queries of a search; no call blocks the loop."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.embedding.embedder import Embedder, EmbeddingUnavailableError, encoder_identity
from lorekeeper_mcp.embedding.record_embedder import RecordEmbedder
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store import folder
from lorekeeper_mcp.store.catalog import Catalog
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError
from lorekeeper_mcp.store.index_file import IndexDamagedError
from lorekeeper_mcp.store.open_store import KnownEmbeddings, OpenStore, PassageCosines
from lorekeeper_mcp.store.rows import decode_payload

__all__ = ["Cache", "PassageCosines", "SearchIndex"]
log = logging.getLogger(__name__)
T = TypeVar("T")
P = ParamSpec("P")
IDLE_SECONDS = 30.0  # after a write, before the files' checksums are recorded
_EMBED_AT_ONCE = 16  # records, each with some seven passages
_DERIVING_PAUSE_SECONDS = 0.4  # between two batches, for answers


def open_store(settings: Settings, catalog: Catalog, known: KnownEmbeddings, *, read_only: bool = False) -> OpenStore:
    """Open the store in the settings, and fill the catalog. Blocks. Raises StoreUnavailableError with a sentence.

    If the folder cannot be used (it is read-only, or the disk is full), the store is a temporary copy of it, with a
    notice. Raises ForeignPathError if the path has content that this program did not make. ``read_only`` reads the
    index of a store that another process owns.
    """
    encoder = encoder_identity(settings.embedding_model)
    if settings.milvus_uri is not None:
        token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
        return OpenStore(str(settings.milvus_uri).rstrip("/"), encoder, catalog, known, token=token)
    path = settings.milvus_db_path
    if read_only:
        return OpenStore(path, encoder, catalog, known, read_only=True)
    folder.check_path(path)
    temporary: Path | None = None
    for place in ("", tempfile.gettempdir(), "/dev/shm"):  # noqa: S108 - in memory if every disk is full
        try:
            if place:
                temporary = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
                with contextlib.suppress(OSError, shutil.Error):
                    ignored = shutil.ignore_patterns("LOCK", "owner.*")
                    shutil.copytree(path, temporary / "lorekeeper.db", ignore=ignored)
            store = OpenStore(temporary / "lorekeeper.db" if temporary else path, encoder, catalog, known)
        except (OSError, StoreError) as error:
            log.warning("The cache in %s cannot be used: %s", temporary or path, error)
            if temporary:
                shutil.rmtree(temporary, ignore_errors=True)
            continue
        if temporary:
            store.temporary = temporary
            store.notice = f"The cache in {path} cannot be used; until then, answers come from a temporary one."
        return store
    raise StoreUnavailableError(
        "Nothing can be stored here, not even temporarily: free some space, or choose another folder with --db-path."
    )


class SearchIndex:
    """The queries of a search: methods of the store and of its index, to be awaited. They raise StoreError."""

    def __init__(self, cache: Cache) -> None:
        self.candidates = cache.threaded(lambda store: store.candidates)
        self.nearest = cache.threaded(lambda store: store.nearest)
        self.passage_cosines = cache.threaded(lambda store: store.passage_cosines)
        self.records = cache.threaded(lambda store: store.records)
        self.by_words = cache.threaded(lambda store: store.index.search)
        self.passages_by_words = cache.threaded(lambda store: store.index.search_passages)
        self.passage_beginnings = cache.threaded(lambda store: store.index.passage_beginnings)
        self.word_frequencies = cache.threaded(lambda store: store.index.frequencies)


class Cache:
    """All stored records. Open it with ``Cache.open``, close it with ``aclose``."""

    def __init__(self, settings: Settings, idle_seconds: float = IDLE_SECONDS, *, read_only: bool = False) -> None:
        """Open the store; blocks. Its files come to rest after ``idle_seconds`` without writes.

        ``read_only`` reads the index of a store that another process owns: questions by meaning match words alone.
        """
        self.catalog = Catalog()  # has an entry for every record
        self.embedder = Embedder(settings.embedding_model)
        self.reconciling = asyncio.Lock()  # one import at a time
        self.owner_notice = ""  # a sentence for the user if the store's owner does not reply
        self.index = SearchIndex(self)
        self.records = self.index.records
        self.served_records = self.threaded(lambda store: store.served_records)
        self.ledger = self.threaded(lambda store: store.index.ledger)
        self.put = self.threaded(lambda store: store.put, writes=True)
        self.delete = self.threaded(lambda store: store.delete, writes=True)
        self.replace = self.threaded(lambda store: store.replace, writes=True)
        self.note = self.threaded(lambda store: store.note, writes=True)
        self._record_embedder = RecordEmbedder(self.embedder)
        self._idle_seconds = idle_seconds
        self._settling: asyncio.Task[None] | None = None
        self._deriving: asyncio.Task[None] | None = None
        self._closing = False
        self._works: set[asyncio.Future[Any]] = set()  # Any, since a future is invariant
        # Writes are queued in their own thread, so that reads do not wait for them.
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="lorekeeper-write")
        self.store = open_store(settings, self.catalog, self._record_embedder.find_precomputed, read_only=read_only)

    @classmethod
    async def open(cls, settings: Settings, idle_seconds: float = IDLE_SECONDS, *, read_only: bool = False) -> Cache:
        """Open or create the store in the settings, and read its catalog. If cancelled, it leaves nothing open."""
        opening = asyncio.ensure_future(asyncio.to_thread(cls, settings, idle_seconds, read_only=read_only))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):  # the caller asked for none of its results
                await (await opening).aclose()
            raise

    async def aclose(self) -> None:
        """Finish the writes in progress and close the store, even if the caller is cancelled meanwhile."""
        await asyncio.shield(asyncio.ensure_future(self._close()))

    async def _close(self) -> None:
        self._closing = True
        for background in (self._settling, self._deriving):
            if background is not None:
                background.cancel()
        self.store.stop()
        await asyncio.gather(*self._works, return_exceptions=True)
        await asyncio.to_thread(self.store.close)
        self._writing.shutdown(wait=False)

    @property
    def notice(self) -> str:
        """Sentences for the user if the store is not the one in the settings, or not whole yet."""
        words = "The index of words is being made again; until then, some entries are found by name and meaning alone."
        return " ".join(filter(None, (self.owner_notice, self.store.notice, words if self.store.lacks_words else "")))

    @property
    def temporary(self) -> bool:
        """Whether the store is deleted when this process ends."""
        return self.store.path is not None and self.store.temporary is not None

    async def follow(self) -> None:
        """Load what other processes have stored on a Milvus server; a change of the ledger counts as an opening."""
        if self.store.path is None:
            await self.read(lambda store: store.follow())
            if self.store.lacks_words:
                self._derive_soon()

    # -- work in threads

    async def read(self, work: Callable[[OpenStore], T], pool: Executor | None = None) -> T:
        """Run work in a thread. If the index is found damaged, it is made again. Raises StoreError."""
        try:
            return await self.run(lambda: work(self.store), pool)
        except IndexDamagedError as error:
            await self.run(partial(self.store.remake_index, error), self._writing)
            self._derive_soon()
            return await self.run(lambda: work(self.store), pool)

    async def write(self, work: Callable[[OpenStore], T]) -> T:
        """Run work in the writing thread, otherwise like ``read``. Raises StoreError."""
        try:
            return await self.read(work, self._writing)
        finally:
            self._settle_when_idle()

    async def run(self, work: Callable[[], T], pool: Executor | None = None) -> T:
        """Run work to its end even if the caller is cancelled, so that store, words and catalog stay consistent."""
        if self._closing:
            raise StoreError("The cache is closed.")
        future = asyncio.get_running_loop().run_in_executor(pool, work)
        self._works.add(future)
        future.add_done_callback(self._works.discard)
        return await asyncio.shield(future)

    def threaded(
        self, method: Callable[[OpenStore], Callable[P, T]], *, writes: bool = False
    ) -> Callable[P, Coroutine[Any, Any, T]]:
        """Return a method of the store to be awaited; it runs as ``read`` or ``write`` does."""

        async def call(*args: P.args, **kwargs: P.kwargs) -> T:
            return await (self.write if writes else self.read)(lambda store: method(store)(*args, **kwargs))

        return call

    def _settle_when_idle(self) -> None:
        """Bring the files to rest after a time without writes."""
        if self._settling is not None:
            self._settling.cancel()
        if not self._closing:
            self._settling = asyncio.create_task(self._settle())

    async def _settle(self) -> None:
        await asyncio.sleep(self._idle_seconds)
        try:
            await self.run(self.store.settle, self._writing)
        except (StoreError, OSError, AttributeError) as error:
            log.info("The files have no checksums yet: %s", error)

    async def open_milvus(self) -> None:
        """Open Milvus, which questions by meaning need, and begin to derive again what another version has derived.

        Raises StoreError.
        """
        if not self.store.is_milvus_open:
            await self.read(lambda store: store.milvus(), self._writing)
            self._derive_soon()
            self._settle_when_idle()

    def _derive_soon(self) -> None:
        if self._deriving is None or self._deriving.done():
            self._deriving = asyncio.create_task(self._derive())

    async def _derive(self) -> None:
        try:
            is_outdated = True
            while is_outdated:
                is_outdated = await self.write(lambda store: store.derive())
                await asyncio.sleep(_DERIVING_PAUSE_SECONDS)
        except StoreError as error:
            log.warning("Rows of another version could not be brought up to date: %s", error)

    def without_vector(self) -> int:
        """The number of records without a vector, which cannot be found by meaning yet."""
        return sum(not entry.has_vector for entry in self.catalog)

    # -- embeddings

    async def embed_pending(self, family: Family) -> int:
        """Embed some of a family's records without a vector, and return how many. Needs the model."""
        waiting = (entry for entry in self.catalog.of(family).values() if not entry.has_vector)
        if some := {entry.id: entry.kind for entry in itertools.islice(waiting, _EMBED_AT_ONCE)}:
            payloads = await self.read(lambda store: store.index.payloads(family, some))
            records = [corrected(decode_payload(some[id_], payload)) for id_, payload in payloads.items()]
            embeddings = await self.run(lambda: self._record_embedder.embed(records, self.embedder))
            await self.write(lambda store: store.set_vectors(family, payloads, embeddings))
        return len(some)

    async def embed_question(self, *texts: str) -> tuple[Vector, ...]:
        """Return the vectors of a question's texts, once Milvus can search for them.

        Loads the model if needed. Raises EmbeddingUnavailableError if there is no model, or no Milvus.
        """
        vectors = await asyncio.to_thread(self.embedder.question, texts)
        try:
            await self.open_milvus()
        except StoreError as error:
            raise EmbeddingUnavailableError(f"Milvus cannot be opened: {error}") from error
        return vectors

    @property
    def searches_by_meaning(self) -> bool:
        """Whether model and Milvus are loaded, so that a question by meaning need not wait for them."""
        return self.embedder.is_loaded and self.store.is_milvus_open
