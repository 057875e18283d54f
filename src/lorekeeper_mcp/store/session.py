"""The session of an open store: reopens the store after errors that this may cure."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from lorekeeper_mcp.store.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreLostError,
    StoreRejectedError,
    StoreUnavailableError,
)
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError
from lorekeeper_mcp.store.writer import Writer

log = logging.getLogger(__name__)
T = TypeVar("T")
W_co = TypeVar("W_co", bound=Writer, covariant=True)
_REOPENINGS = 2  # for one call
IDLE_SECONDS = 30.0  # after a write, before Milvus is filled
_REOPENING_SECONDS = 60.0  # after a reopening that did not help, in which further faults are raised at once


class ReadStore(Protocol[W_co]):
    """``StoreSession.read``: runs work in a thread, and retries it once the store has been opened again."""

    async def __call__(self, work: Callable[[W_co], T]) -> T:
        """Return the result of the work. Raises StoreError."""
        ...


class StoreSession(Generic[W_co]):
    """The open store with its writer. Close it with ``aclose``."""

    def __init__(self, open_store: Callable[[], W_co], *, idle_seconds: float = IDLE_SECONDS) -> None:
        """Open the store; blocks."""
        self._idle_seconds = idle_seconds
        self._open_store = open_store
        self._reopening = asyncio.Lock()
        self._closing = False
        self._works: set[asyncio.Future[Any]] = set()  # Any, since a future is invariant
        # Writes are queued in their own thread, so that reads do not wait for them.
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="lorekeeper-write")
        self._last_reopening = -math.inf
        self._idle: asyncio.TimerHandle | None = None
        self.openings = 0
        self._open()

    def _open(self) -> None:
        self.writer = self._open_store()
        self.openings += 1

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
        if self.writer.temporary is not None:
            shutil.rmtree(self.writer.temporary, ignore_errors=True)

    async def read(self, work: Callable[[W_co], T]) -> T:
        """Run work in a thread. After a fault that this may cure, open the store again and retry. Raises StoreError."""
        return await self._with_failover(work)

    async def write(self, work: Callable[[W_co], T]) -> T:
        """Run work in the writing thread, otherwise like ``read``. Raises StoreError."""
        try:
            return await self._with_failover(work, self._writing)
        finally:
            self.fill_when_idle()

    def fill_when_idle(self) -> None:
        """Schedule the filling of Milvus after a time without writes."""
        if self._idle is not None:
            self._idle.cancel()
        if not self.writer.in_milvus and not self._closing:
            self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._start_filling)

    def _start_filling(self) -> None:
        future = asyncio.get_running_loop().run_in_executor(self._writing, self._fill)
        self._works.add(future)
        future.add_done_callback(self._works.discard)

    def _fill(self) -> None:
        try:
            self.writer.fill()
        except (StoreError, OSError) as error:
            if not self._closing:
                log.warning("Milvus could not be filled; the next write tries again: %s", error)

    async def _with_failover(self, work: Callable[[W_co], T], pool: Executor | None = None) -> T:
        for attempt in range(_REOPENINGS + 1):
            writer = self.writer
            try:
                return await self.run(lambda: work(self.writer), pool)
            except StoreError as error:
                if self._closing or attempt == _REOPENINGS or not self._may_reopen(error):
                    raise
                await self._reopen(writer, is_damaged=isinstance(error, RowFileDamagedError))
                log.warning("The cache was reopened after an error: %s", error)
        raise AssertionError

    def _may_reopen(self, error: StoreError) -> bool:
        """Whether to reopen the store after an error: always after a lost connection, otherwise once a minute.

        Otherwise every call would reopen the store while an error lasts.
        """
        if isinstance(error, StoreLostError | RowFileDamagedError):
            return True
        if isinstance(error, StoreRejectedError | StoreBusyError | StoreFullError | StoreUnavailableError):
            return False
        now = time.monotonic()
        if now - self._last_reopening < _REOPENING_SECONDS:
            return False
        self._last_reopening = now
        return True

    async def _reopen(self, failed: Writer, *, is_damaged: bool) -> None:
        async with self._reopening:
            if self.writer is failed:
                await self.run(partial(self._open_again, is_damaged=is_damaged))

    def _open_again(self, *, is_damaged: bool) -> None:
        with contextlib.suppress(StoreError, OSError, RuntimeError):  # a failed store may fail to close
            if is_damaged:
                self.writer.quarantine_damaged_files()
            self._close()
        self._open()

    async def run(self, work: Callable[[], T], pool: Executor | None = None) -> T:
        """Run work to its end even if the caller is cancelled, so that store, words and catalog stay consistent."""
        if self._closing:
            raise StoreError("The cache is closed.")
        future = asyncio.get_running_loop().run_in_executor(pool, work)
        self._works.add(future)
        future.add_done_callback(self._works.discard)
        return await asyncio.shield(future)
