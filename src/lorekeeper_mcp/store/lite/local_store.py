"""A local store: each change is one transaction on its row file, and Milvus is filled later.

A row file that is damaged or lost is made again from Milvus, if Milvus' files have their checksum. If neither half is
whole, both are quarantined and a new store begins.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import OlderFormatError, StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.folder_marker import claim, quarantine
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, checksum
from lorekeeper_mcp.store.lite.milvus_folder import fill_folder, make_row_file
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError, copy_database
from lorekeeper_mcp.store.rows import Row
from lorekeeper_mcp.store.schema import ledger_name
from lorekeeper_mcp.store.sibling_files import damaged_path, has_log, rename_row_file, row_files
from lorekeeper_mcp.store.writer import Writer

log = logging.getLogger(__name__)
_FORMAT = 1  # increase it when the row file's tables change


class LocalWriter(Writer):
    """The store in a folder, with its row file."""

    def __init__(self, path: Path, encoder: str, memory: MemoryMirror) -> None:
        """Open the store. Raises StoreError, or OSError if the folder cannot be used."""
        super().__init__(memory)
        self.path = self._folder = path
        self._encoder = encoder
        self._integrity = IntegrityFile(path)
        self.notice = _open_rows(path, encoder, memory)
        self.store = self._file = memory.file
        self.in_milvus = self._file.in_milvus and (path / "collections").is_dir()
        if not self._file.has_encoder(encoder):
            self._begin()
            self._file.use_encoder(encoder)
            memory.load()

    def _begin(self) -> None:
        """Note that the row file changes: its checksum no longer holds, and Milvus has yet to follow."""
        self.in_milvus = False
        self._integrity.update(row_file=None)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""
        with self._changing:
            self._begin()
            self._file.note(entries)

    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        self._begin()
        self._file.put(family, rows, removed)
        self._memory.put(family, rows, removed)

    def fill(self) -> None:
        """Bring Milvus in line with the row file, if it is not. Takes seconds, in which other writes wait."""
        with self._changing:
            if not self.in_milvus:
                fill_folder(self._folder, self._encoder, self._file, self._stopping)
                self._file.in_milvus = self.in_milvus = True
                self._settle()

    def _settle(self) -> None:
        """Record the checksum of the row file, which is now at rest."""
        if self._file.settle():
            self._integrity.update(row_file=checksum(self._file.content()))

    def close(self) -> None:
        """Bring the row file to rest."""
        with contextlib.suppress(StoreError, OSError), self._changing:
            if self._integrity.read().row_file is None:
                self._settle()

    def quarantine_damaged_files(self) -> None:
        """Rename the row file, so that the next opening makes it again from Milvus."""
        self._memory.close()
        file = row_file(self._folder)
        rename_row_file(file, damaged_path(file))


def row_file(path: Path, encoder: str = "") -> Path:
    """The row file of a store. Each shape of rows has its own; in earlier versions, each ``encoder`` too."""
    shape = " ".join(filter(None, (str(_FORMAT), encoder, ledger_name())))
    return path.with_name(f"{path.stem}.rows-{hashlib.blake2b(shape.encode(), digest_size=4).hexdigest()}.sqlite")


def _open_rows(path: Path, encoder: str, mirror: MemoryMirror) -> str:
    """Open the store in a folder, and return a notice for the user if its records are not those that were stored.

    Raises StoreError, or OSError if the folder cannot be used.
    """
    claim(path)
    mirror.close()  # now: closing a file ends this process's POSIX locks on it, also those of a later opening
    file = row_file(path)
    if not file.exists() and (older := row_file(path, encoder)).exists():
        rename_row_file(older, file)
    if file in row_files(path):
        try:
            _open_checked(path, file, mirror)
        except RowFileDamagedError as error:
            log.warning("%s is made again: %s", file, error)
            mirror.close()
            rename_row_file(file, damaged_path(file))
        else:
            return ""
    IntegrityFile(path).update(row_file=None)
    notice = _replace_row_file(path, encoder, file) if row_files(path) or (path / "collections").exists() else ""
    mirror.open(RowFile(file))
    return notice


def _open_checked(path: Path, file: Path, mirror: MemoryMirror) -> None:
    """Load the mirror from the row file. Raises RowFileDamagedError."""
    integrity = IntegrityFile(path)
    if has_log(file):  # a process was killed after it had changed the file
        integrity.update(row_file=None)
    known = integrity.read().row_file
    try:
        rows = RowFile(file)
    except StoreFullError as error:  # it can still be read
        log.warning("Nothing can be written to %s: %s", file, error)
        rows = RowFile(file, alone=True)
    # SQLite notices few of the ways in which a file can be harmed. In a thread, while the catalog is read.
    with ThreadPoolExecutor(1) as pool:
        is_whole = pool.submit(lambda: known in (None, checksum(rows.content())))
        mirror.open(rows)
        if not is_whole.result():
            raise RowFileDamagedError("It does not match its checksum.")


def _replace_row_file(path: Path, encoder: str, file: Path) -> str:
    """Make the row file from Milvus, or quarantine both and return a notice. Raises StoreError, or OSError."""
    try:
        make_row_file(path, encoder, file)
    except (StoreFullError, StoreBusyError):
        raise
    except StoreError as error:
        aside = quarantine(path)
        claim(path)
        log.warning("The cache was quarantined as %s: %s", aside, error)
        is_older = isinstance(error, OlderFormatError) and not damaged_path(file).exists()
        return (
            f"The cache {'was of an older format' if is_older else 'was damaged'} and has been quarantined as "
            f"{aside.name}; a new one is being filled from the embedded SRD, Open5e and imported books."
        )
    for damaged in row_files(path):
        if ".damaged" in damaged.name:
            damaged.unlink()
    return ""


def copy_store(store: Path, to: Path) -> None:
    """Copy the row file of a store that another process may be writing to, as of its last whole change.

    Raises StoreError if it cannot be read, OSError if there is no room.
    """
    claim(to)
    copy_database(row_file(store), row_file(to))
