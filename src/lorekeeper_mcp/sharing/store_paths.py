"""What sharing keeps beside a store: locks, the copy that stands in for it, folders of other versions."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from filelock import FileLock, Timeout


def standby_folder(store: Path) -> Path:
    """The folder of the copy that answers while the owner is silent."""
    return store.with_suffix(".standby")


def clear_standby(store: Path) -> None:
    """Delete the copy that a killed process has left."""
    if (folder := standby_folder(store)).exists():
        with contextlib.suppress(Timeout, OSError), FileLock(lock_file(store, "standby"), timeout=0):
            shutil.rmtree(folder, ignore_errors=True)


def lock_file(store: Path, name: str) -> Path:
    """The file of a named lock of a store."""
    return store.with_suffix(".locks") / f"{name}.lock"


def own_folder(store: Path, shape: str) -> Path:
    """The folder of a version whose shape of data is not that of the version that owns the store."""
    return store.with_stem(f"{store.stem.removesuffix(_mark(shape))}{_mark(shape)}")


def _mark(shape: str) -> str:
    return f".{shape.rpartition('_')[2]}"
