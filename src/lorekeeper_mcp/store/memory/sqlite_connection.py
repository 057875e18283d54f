"""Connections to the row file, with SQLite's errors translated to ours."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, StoreFullError, StoreLostError

_CACHE_KB = 8_000  # per connection; the pages themselves stay in the system's cache
# Measured: the pages that full-text searches of all of Open5e read. With them it is as fast as in memory.
SEARCH_CACHE_KB = 48_000
_BUSY_SECONDS = 60.0
_NO_ROOM = "SQLITE_IOERR_SHMSIZE"  # for the index of the write-ahead log


class RowFileDamagedError(StoreError):
    """The file's checksums are wrong: it has to be rebuilt."""


class Connection:
    """A connection that threads share in turn. Raises StoreError if SQLite fails."""

    def __init__(self, path: Path | None, cache_kb: int = _CACHE_KB, *, alone: bool = False) -> None:
        """``alone`` lets no other connection use the file; SQLite then needs no room on the disk to read it."""
        with translated():
            self._db = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level="IMMEDIATE", timeout=_BUSY_SECONDS
            )
            self._db.execute(f"PRAGMA cache_size = -{cache_kb}")
            if alone:
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, locked against other threads."""
        with self._lock, translated():
            yield self._db

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection; what the block writes is committed after it, and rolled back if it raises."""
        with self.use() as db, db:
            yield db

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._db.close()


def copy_database(path: Path, to: Path) -> None:
    """Copy a database that another process may be writing to, as of one moment. Raises StoreError."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with (
        translated(),
        contextlib.closing(sqlite3.connect(uri, uri=True)) as source,
        contextlib.closing(sqlite3.connect(to)) as copy,
    ):
        source.backup(copy)


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Convert SQLite's errors to ours."""
    try:
        yield
    except (sqlite3.Error, zlib.error, UnicodeDecodeError) as error:
        text = f"{type(error).__name__}: {error}"
        if "full" in text or "too large" in text or getattr(error, "sqlite_errorname", "") == _NO_ROOM:
            raise StoreFullError(text) from error
        if "locked" in text:
            raise StoreBusyError(text) from error
        if "closed" in text:  # the store is being reopened
            raise StoreLostError(text) from error
        if isinstance(error, sqlite3.OperationalError | sqlite3.ProgrammingError) and "decode" not in text:
            raise StoreError(text) from error
        raise RowFileDamagedError(text) from error
