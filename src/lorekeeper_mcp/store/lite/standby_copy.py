"""Copies a store whose owner holds the lock but does not reply."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from filelock import FileLock, Timeout

from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.lite.folder_marker import claim
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, IntegrityState, damaged_files
from lorekeeper_mcp.store.lite.sibling_paths import lock_path, standby_path
from lorekeeper_mcp.store.memory.row_files import row_files


def copy_store(store: Path, to: Path) -> None:
    """Copy a store with its integrity file and row file to another folder, which is emptied first.

    Unfinished writes of the owner are settled when the copy is opened, as after a kill. Raises StoreError if the store
    changed meanwhile, since its owner then runs; OSError if there is no space.
    """
    shutil.rmtree(to.parent, ignore_errors=True)
    to.parent.mkdir(mode=0o700)
    integrity_file, copied = IntegrityFile(store), IntegrityFile(to)
    before = integrity_file.signature()
    try:
        shutil.copytree(store, to, ignore=shutil.ignore_patterns("LOCK"))
        if before is not None:
            shutil.copyfile(integrity_file.path, copied.path)
        for file in row_files(store):
            shutil.copyfile(file, to.with_name(file.name))
    except shutil.Error as error:  # files were deleted meanwhile
        raise StoreError(str(error)[:200]) from error
    claim(to)
    if integrity_file.signature() != before or damaged_files(to, copied.read() or IntegrityState()):
        raise StoreError("The store changed while it was copied.")


def delete_left_over_copy(store: Path) -> None:
    """Delete the copy of a killed process, unless another process is answering from it."""
    if (folder := standby_path(store)).exists():
        with contextlib.suppress(Timeout, OSError), FileLock(lock_path(store, "standby"), timeout=0):
            shutil.rmtree(folder, ignore_errors=True)
