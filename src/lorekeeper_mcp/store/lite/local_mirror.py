"""The mirror of a local store, loaded from its row file."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.integrity import IntegrityFile
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_files import delete_row_file, has_log, is_row_file, row_file_checksum, row_files
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError
from lorekeeper_mcp.store.schema import ledger_name

log = logging.getLogger(__name__)
_FORMAT = 1  # increase it when the row file's tables change


def row_file(path: Path, encoder: str) -> Path:
    """The row file of a store. Rows of another shape or embedding model have another file."""
    shape = f"{_FORMAT} {encoder} {ledger_name()}"
    return path.with_name(f"{path.stem}.rows-{hashlib.blake2b(shape.encode(), digest_size=4).hexdigest()}.sqlite")


def open_mirror(path: Path, encoder: str, mirror: MemoryMirror) -> None:
    """Load the mirror from the row file of the store in a folder. A damaged file is rebuilt.

    Raises StoreError, or OSError if the file cannot be used.
    """
    file = row_file(path, encoder)
    is_new = not file.exists()
    if is_new:
        for older in row_files(path):
            with contextlib.suppress(OSError):  # on Windows, if another process has it open
                if is_row_file(older):
                    delete_row_file(older)
    _forget_checksum_of_changed(path, file)
    try:
        # SQLite misses most kinds of damage to a file. In a thread, while the catalog is read.
        with ThreadPoolExecutor(1) as pool:
            is_whole = pool.submit(_is_whole, path, file)
            mirror.open(file)
            if not is_new and not is_whole.result():
                raise RowFileDamagedError("It does not match its checksum.")
    except StoreFullError as error:
        log.warning("The rows are kept in memory: %s", error)
        mirror.open(None)
    except StoreBusyError:
        raise
    except StoreError as error:
        log.warning("Rebuilding %s: %s", file, error)
        mirror.close()
        delete_row_file(file)
        mirror.open(file)


def _is_whole(path: Path, file: Path) -> bool:
    """Whether a row file has the checksum in the integrity file, if that has one. Raises OSError."""
    state = IntegrityFile(path).read()
    return state is None or state.row_file is None or state.row_file == row_file_checksum(file)


def _forget_checksum_of_changed(path: Path, file: Path) -> None:
    """Remove a row file's checksum from the integrity file if a process changed the file and was killed."""
    integrity_file = IntegrityFile(path)
    if has_log(file) and (state := integrity_file.read()) is not None and state.row_file is not None:
        state.row_file = None
        integrity_file.write(state)
