"""The session of an open store: reopens the store after errors that this may cure."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreLostError,
    StoreRejectedError,
    StoreUnavailableError,
)
from lorekeeper_mcp.store.lite.milvus_connection import free_unused_memory
from lorekeeper_mcp.store.lite.quarantine import quarantined_stores
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_files import row_files
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError
from lorekeeper_mcp.store.new_rows import FindVectors
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.opener import open_store
from lorekeeper_mcp.store.writer import Writer

log = logging.getLogger(__name__)
T = TypeVar("T")
_REOPENINGS = 2  # per call
IDLE_SECONDS = 30.0  # after a write, before Milvus is closed
_REOPENING_SECONDS = 60.0  # after a reopening that did not help, further errors are raised at once for this time


class ReadStore(Protocol):
    """``StoreSession.read``: runs work in a thread, and retries it after reopening the store."""

    async def __call__(self, work: Callable[[Writer], T]) -> T:
        """Return the result of the work. Raises StoreError."""
        ...


@dataclass(frozen=True)
class StoreLocation:
    """The store's folder or server, the process that owns it (None for a server), and what lies beside it."""

    location: str
    owner: int | None
    notice: str
    quarantined: list[str]
    bytes_on_disk: int


class StoreSession:
    """The open store, its writer, and the mirror that follows it. Close it with ``aclose``."""

    def __init__(self, settings: Settings, mirror: MemoryMirror, find_vectors: FindVectors) -> None:
        """Open the store; blocks."""
        self._settings = settings
        self._mirror = mirror
        self._find_vectors = find_vectors
        self._reopening = asyncio.Lock()
        self._closing = False
        self._works: set[asyncio.Future[Any]] = set()  # Any, since a future is invariant
        # Writes are queued in their own thread, so that reads do not wait for them.
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="lorekeeper-write")
        self._last_resort = -math.inf
        self._idle: asyncio.TimerHandle | None = None
        self.openings = 0
        self._take(open_store(settings, mirror))

    def _take(self, opened: OpenStore) -> None:
        """Switch to a newly opened store."""
        self._opened = opened
        self.openings += 1
        self.writer = Writer(opened, self._mirror, self._find_vectors)

    @property
    def notice(self) -> str:
        """A sentence for the user if the store is not the one in the settings."""
        return self.writer.notice

    @property
    def temporary(self) -> bool:
        """Whether the store is deleted when this process ends."""
        return self._opened.temporary is not None

    @property
    def is_local(self) -> bool:
        """Whether the store is a folder, not a Milvus server."""
        return self._opened.integrity_file is not None

    async def aclose(self) -> None:
        """Finish the writes in progress and close the store."""
        self._closing = True
        if self._idle is not None:
            self._idle.cancel()
        self.writer.stop()
        await asyncio.gather(*self._works, return_exceptions=True)
        await asyncio.to_thread(self._close)
        self._writing.shutdown(wait=False)

    def _close(self) -> None:
        self.writer.close()
        if self._opened.temporary is not None:
            shutil.rmtree(self._opened.temporary, ignore_errors=True)

    async def read(self, work: Callable[[Writer], T]) -> T:
        """Run work in a thread. After an error that this may cure, reopen the store and retry. Raises StoreError."""
        return await self._tried(work)

    async def write(self, work: Callable[[Writer], T]) -> T:
        """Run work in the writing thread, otherwise like ``read``. Raises StoreError."""
        try:
            return await self._tried(work, self._writing)
        finally:
            self._close_when_idle()

    def _close_when_idle(self) -> None:
        """Schedule closing Milvus after a time without writes: when open, it takes more memory than everything else."""
        if self._idle is not None:
            self._idle.cancel()
        if self.is_local and not self._closing:
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._begin_closing)

    def _begin_closing(self) -> None:
        future = asyncio.get_running_loop().run_in_executor(self._writing, self._close_milvus)
        self._works.add(future)
        future.add_done_callback(self._works.discard)

    def _close_milvus(self) -> None:
        with contextlib.suppress(StoreError, OSError, RuntimeError):  # it is reopened when needed
            self.writer.close()
        free_unused_memory()

    async def _tried(self, work: Callable[[Writer], T], pool: Executor | None = None) -> T:
        for attempt in range(_REOPENINGS + 1):
            writer = self.writer
            try:
                return await self.run(lambda: work(self.writer), pool)
            except StoreError as error:
                if self._closing or attempt == _REOPENINGS or not self._may_mend(error):
                    raise
                if isinstance(error, RowFileDamagedError):
                    self._mirror.file.discard()
                await self._reopen(writer)
                if isinstance(error, StoreFullError):  # reopened, since searches miss rows that were not flushed
                    raise
                log.warning("The cache was reopened after an error: %s", error)
        raise AssertionError

    def _may_mend(self, error: StoreError) -> bool:
        """Whether to reopen the store after an error: always after a lost connection, otherwise once a minute.

        Otherwise every call would reopen the store while an error lasts.
        """
        if isinstance(error, StoreLostError | StoreFullError | RowFileDamagedError):
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
            if self.writer is failed:
                await self.run(self._open_again)

    def _open_again(self) -> None:
        with contextlib.suppress(StoreError, OSError, RuntimeError):  # a failed store may fail to close
            self._close()
        self._take(open_store(self._settings, self._mirror))

    async def run(self, work: Callable[[], T], pool: Executor | None = None) -> T:
        """Run work to its end even if the caller is cancelled, so that store, words and catalog stay consistent."""
        if self._closing:
            raise StoreError("The cache is closed.")
        future = asyncio.get_running_loop().run_in_executor(pool, work)
        self._works.add(future)
        future.add_done_callback(self._works.discard)
        return await asyncio.shield(future)

    def location(self) -> StoreLocation:
        """The store's location, owner and size. Blocks: it reads the size of each file."""
        integrity_file = self._opened.integrity_file
        if integrity_file is None:
            return StoreLocation(str(self._settings.milvus_uri), None, self.notice, [], 0)
        quarantined = [str(path) for path in quarantined_stores(self._settings.milvus_db_path)]
        files = [*integrity_file.store.rglob("*"), *row_files(integrity_file.store)]
        size = sum(file.stat().st_size for file in files if file.is_file())
        return StoreLocation(str(integrity_file.store), os.getpid(), self.notice, quarantined, size)
