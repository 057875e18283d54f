"""Locks shared by the threads and processes that use one data folder: one writer at a time.

The operating system frees a lock whose holder is killed. On a Milvus server there is no folder to share, and
only the threads of this process wait for each other.

Three locks of this process, always taken in this order: ``_queue`` by a thread that writes or waits for other
processes to finish writing, ``_steady`` while rows are written or all rows of a family are read, ``_catalog`` while the
catalog is brought up to date.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from filelock import AsyncFileLock, FileLock, Timeout

from lorekeeper_mcp.store.errors import StoreBusyError

WRITE_SECONDS = 60.0  # the longest wait for another process's write, a whole renewal included
TURN_SECONDS = 600.0  # the longest wait for a named lock: another process may be fetching a whole endpoint
_POLL_SECONDS = 0.02


class StoreLocks:
    """The locks beside a local store, in a folder of their own; ``store`` is None for a Milvus server.

    Raises OSError where that folder cannot be made.
    """

    def __init__(self, store: Path | None) -> None:
        self._folder = store.with_suffix(".locks") if store else None
        if self._folder is not None:
            self._folder.mkdir(mode=0o700, exist_ok=True)
        self._queue, self._steady, self._catalog = threading.Lock(), threading.Lock(), threading.Lock()
        self._changing = False
        self._writing = self._file("write")

    def _path(self, what: str) -> Path | None:
        return self._folder / f"{what}.lock" if self._folder else None

    def _file(self, what: str) -> FileLock | None:
        path = self._path(what)
        return FileLock(path, poll_interval=_POLL_SECONDS, thread_local=False) if path else None

    @contextlib.contextmanager
    def reading(self) -> Iterator[bool]:
        """Be the only thread that brings the catalog up to date; others wait, and then find it so.

        False while this process changes rows: it brought the catalog up to date before, and no other process can write.
        """
        with self._catalog:
            yield not self._changing

    @contextlib.contextmanager
    def standing(self) -> Iterator[None]:
        """Keep this process from writing while all of something is read."""
        with self._steady, self._catalog:
            yield

    @contextlib.contextmanager
    def writing(self, seconds: float = WRITE_SECONDS) -> Iterator[None]:
        """Be the only one that writes. Raises StoreBusyError where another does not finish within so many seconds."""
        if not self._queue.acquire(timeout=seconds):
            raise StoreBusyError("Another write of this process does not finish.")
        try:
            with self._written(seconds), self._steady:
                yield
        finally:
            self._queue.release()

    @contextlib.contextmanager
    def _written(self, seconds: float) -> Iterator[None]:
        """Hold the lock that keeps other processes from writing."""
        if self._writing is None:
            yield
            return
        try:
            self._writing.acquire(timeout=seconds)
        except (Timeout, OSError) as error:
            raise StoreBusyError(f"The lock for writing cannot be had: {error}") from error
        try:
            yield
        finally:
            self._writing.release()

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Change rows, with the lock to write: nobody needs to look for changes meanwhile."""
        with self._catalog:
            self._changing = True
        try:
            yield
        finally:
            self._changing = False

    @contextlib.contextmanager
    def opening(self) -> Iterator[bool]:
        """Be the only one that tries to open the folder; False while somebody else does."""
        lock = self._file("opening")
        if lock is None:
            yield True
            return
        try:
            lock.acquire(timeout=0)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    @contextlib.asynccontextmanager
    async def of(self, what: str, *, wait: bool = True, seconds: float = TURN_SECONDS) -> AsyncIterator[bool]:
        """Hold a named lock, such as the one for fetching an endpoint; False if it is taken and not waited for.

        Raises StoreBusyError where it is waited for and cannot be had: nobody goes on without it.
        """
        path = self._path(what)
        if path is None:
            yield True
            return
        lock = AsyncFileLock(path, timeout=seconds if wait else 0, poll_interval=0.1, thread_local=False)
        try:
            await lock.acquire()
        except (Timeout, OSError) as error:
            if wait:
                raise StoreBusyError(f"The lock {what} cannot be had: {error}") from error
            yield False
            return
        try:
            yield True
        finally:
            await lock.release()
