"""Taking turns: one writer at a time among the threads and processes that share a data folder.

The operating system frees a lock whose holder is killed. On a Milvus server there is no folder to share, and
only the threads of this process wait for each other.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from filelock import AsyncFileLock, FileLock, Timeout

from lorekeeper_mcp.store.errors import StoreError

WRITE_SECONDS = 60.0  # the longest wait for another process's write, a whole renewal included
_POLL_SECONDS = 0.02


class StoreLocks:
    """The locks beside a local store, in a folder of their own; ``store`` is None for a Milvus server.

    Raises OSError where that folder cannot be made.
    """

    def __init__(self, store: Path | None) -> None:
        self._folder = store.with_suffix(".locks") if store else None
        if self._folder is not None:
            self._folder.mkdir(mode=0o700, exist_ok=True)
        self._threads = threading.Lock()
        self._standing = False
        self._writing = self._file("write", WRITE_SECONDS)

    def _path(self, what: str) -> Path | None:
        return self._folder / f"{what}.lock" if self._folder else None

    def _file(self, what: str, seconds: float) -> FileLock | None:
        path = self._path(what)
        return FileLock(path, timeout=seconds, poll_interval=_POLL_SECONDS, thread_local=False) if path else None

    @contextlib.contextmanager
    def reading(self) -> Iterator[bool]:
        """Keep this process from writing for a moment; False while it does. Others go on writing."""
        mine = self._threads.acquire(blocking=self._standing)
        try:
            yield mine
        finally:
            if mine:
                self._threads.release()

    @contextlib.contextmanager
    def standing(self) -> Iterator[None]:
        """Keep this process from writing while all of something is read, after what it is writing now."""
        with self._threads:
            self._standing = True
            try:
                yield
            finally:
                self._standing = False

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Be the only one that writes. Raises StoreError where another process does not finish."""
        with self._threads:
            if self._writing is None:
                yield
                return
            try:
                self._writing.acquire()
            except (Timeout, OSError) as error:
                raise StoreError(f"No turn to write: {error}") from error
            try:
                yield
            finally:
                self._writing.release()

    @contextlib.contextmanager
    def opening(self) -> Iterator[bool]:
        """Be the only one that tries to open the folder; False while somebody else does."""
        lock = self._file("opening", 0.0)
        if lock is None:
            yield True
            return
        try:
            lock.acquire()
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    @contextlib.asynccontextmanager
    async def of(self, what: str, *, wait: bool = True) -> AsyncIterator[bool]:
        """Take a turn at something named, such as filling an endpoint; False if it is taken and not waited for."""
        path = self._path(what)
        if path is None:
            yield True
            return
        lock = AsyncFileLock(path, timeout=-1 if wait else 0, poll_interval=0.1, thread_local=False)
        try:
            await lock.acquire()
        except (Timeout, OSError):
            yield False
            return
        try:
            yield True
        finally:
            await lock.release()
