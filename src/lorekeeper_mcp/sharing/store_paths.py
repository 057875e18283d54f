"""The locks, the standby copy and the folders of other versions that sharing keeps beside a store."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from filelock import FileLock, Timeout

from lorekeeper_mcp.store.lite.sibling_paths import locks_path, standby_path


def clear_standby(store: Path) -> None:
    """Delete the standby copy of a killed process."""
    if (folder := standby_path(store)).exists():
        with contextlib.suppress(Timeout, OSError), FileLock(lock_file(store, "standby"), timeout=0):
            shutil.rmtree(folder, ignore_errors=True)


def lock_file(store: Path, name: str) -> Path:
    """The file of a named lock of a store."""
    return locks_path(store) / f"{name}.lock"


def folder_of_shape(store: Path, shape: str) -> Path:
    """The folder of a version whose shape of data is not that of the version that owns the store."""
    return store.with_stem(f"{store.stem.removesuffix(_mark(shape))}{_mark(shape)}")


def _mark(shape: str) -> str:
    return f".{shape.rpartition('_')[2]}"
