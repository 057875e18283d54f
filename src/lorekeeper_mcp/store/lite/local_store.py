"""A local store: its rows are in the row file, and Milvus follows them.

A row file that is damaged or lost is made again from Milvus, if Milvus' files have their checksum. If neither half is
whole, both are quarantined and a new store begins.
"""

from __future__ import annotations

import hashlib
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lorekeeper_mcp.store.errors import OlderFormatError, StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.folder_marker import claim
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, checksum
from lorekeeper_mcp.store.lite.milvus_folder import make_row_file
from lorekeeper_mcp.store.lite.quarantine import quarantine
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.memory.row_files import damaged_path, has_log, rename_row_file, row_files
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError, copy_database
from lorekeeper_mcp.store.schema import ledger_name

log = logging.getLogger(__name__)
_FORMAT = 1  # increase it when the row file's tables change


def row_file(path: Path, encoder: str = "") -> Path:
    """The row file of a store. Each shape of rows has its own; in earlier versions, each ``encoder`` too."""
    shape = " ".join(filter(None, (str(_FORMAT), encoder, ledger_name())))
    return path.with_name(f"{path.stem}.rows-{hashlib.blake2b(shape.encode(), digest_size=4).hexdigest()}.sqlite")


def open_rows(path: Path, encoder: str, mirror: MemoryMirror) -> str:
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
