"""The session of an open store: runs work on it in threads, and reopens it after errors that this may cure."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from lorekeeper_mcp.store.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreLostError,
    StoreRejectedError,
    StoreUnavailableError,
)
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError
from lorekeeper_mcp.store.open_store import OpenStore

log = logging.getLogger(__name__)
T = TypeVar("T")
_REOPENINGS = 2  # for one call
IDLE_SECONDS = 30.0  # after a write, before Milvus is filled
_REOPENING_SECONDS = 60.0  # after a reopening that did not help, in which further faults are raised at once


class StoreSession:
    """The open store. Close it with ``aclose``."""

    def __init__(self, open_store: Callable[[], OpenStore], *, idle_seconds: float = IDLE_SECONDS) -> None:
        """Open the store; blocks. Milvus is filled after ``idle_seconds`` without writes."""
        self._idle_seconds = idle_seconds
        self._open_store = open_store
        self._reopening = asyncio.Lock()
        self._closing = False
        self._works: set[asyncio.Future[Any]] = set()  # Any, since a future is invariant
        # Writes are queued in their own thread, so that reads do not wait for them.
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="lorekeeper-write")
        self._last_reopening = -math.inf
        self._idle: asyncio.TimerHandle | None = None
        self.store = open_store()
        self.openings = 1  # reload the ledger when it grows

    async def aclose(self) -> None:
        """Finish the writes in progress and close the store."""
        self._closing = True
        if self._idle is not None:
            self._idle.cancel()
        self.store.stop()
        await asyncio.gather(*self._works, return_exceptions=True)
        await asyncio.to_thread(self.store.close)
        self._writing.shutdown(wait=False)

    async def write(self, work: Callable[[OpenStore], T]) -> T:
        """Run work in the writing thread, otherwise like ``read``. Raises StoreError."""
        try:
            return await self.read(work, self._writing)
        finally:
            self.fill_when_idle()

    async def read(self, work: Callable[[OpenStore], T], pool: Executor | None = None) -> T:
        """Run work in a thread. After a fault that this may cure, open the store again and retry. Raises StoreError."""
        for attempt in range(_REOPENINGS + 1):
            store = self.store
            try:
                return await self.run(lambda: work(self.store), pool)
            except StoreError as error:
                if self._closing or attempt == _REOPENINGS or not self._may_reopen(error):
                    raise
                async with self._reopening:
                    if self.store is store:
                        is_damaged = isinstance(error, RowFileDamagedError)
                        await self.run(partial(self._reopen, is_damaged=is_damaged))
                log.warning("The cache was reopened after an error: %s", error)
        raise AssertionError

    def _may_reopen(self, error: StoreError) -> bool:
        """Whether to reopen the store after an error: always after a lost connection, otherwise once a minute."""
        if isinstance(error, StoreLostError | RowFileDamagedError):
            return True
        if isinstance(error, StoreRejectedError | StoreBusyError | StoreFullError | StoreUnavailableError):
            return False
        now = time.monotonic()
        if now - self._last_reopening < _REOPENING_SECONDS:
            return False
        self._last_reopening = now
        return True

    def _reopen(self, *, is_damaged: bool) -> None:
        with contextlib.suppress(StoreError, OSError, RuntimeError):  # a failed store may fail to close
            self.store.close(is_damaged=is_damaged)
        self.store = self._open_store()
        self.openings += 1

    def fill_when_idle(self) -> None:
        """Schedule the filling of Milvus after a time without writes."""
        if self._idle is not None:
            self._idle.cancel()
        if not self.store.in_milvus and not self._closing:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self._idle_seconds, lambda: self._start(self._fill, self._writing))

    def _fill(self) -> None:
        try:
            self.store.fill()
        except (StoreError, OSError) as error:
            if not self._closing:
                log.warning("Milvus could not be filled; the next write tries again: %s", error)

    async def run(self, work: Callable[[], T], pool: Executor | None = None) -> T:
        """Run work to its end even if the caller is cancelled, so that store, words and catalog stay consistent."""
        if self._closing:
            raise StoreError("The cache is closed.")
        return await asyncio.shield(self._start(work, pool))

    def _start(self, work: Callable[[], T], pool: Executor | None) -> asyncio.Future[T]:
        future = asyncio.get_running_loop().run_in_executor(pool, work)
        self._works.add(future)
        future.add_done_callback(self._works.discard)
        return future
