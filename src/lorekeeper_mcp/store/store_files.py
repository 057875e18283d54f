"""The files in a local store's folder, and the folders of other versions of the program.

Imports no SQLite, which would delay the start.
"""

from __future__ import annotations

import os
from pathlib import Path

OWNER_LOCK = "owner.lock"  # held by the process that has the store open
OWNER_FILE = "owner.json"  # the address at which other processes reach it
_LOG, _INDEX = "-wal", "-shm"


def path_of_shape(store: Path, shape: str) -> Path:
    """The folder for a version of the program whose data has another shape than the owner's."""
    mark = f".{shape.rpartition('_')[2]}"
    return store.with_stem(f"{store.stem.removesuffix(mark)}{mark}")


def row_files(store: Path) -> list[Path]:
    """Return the row files of a store that have content, damaged ones and write-ahead logs included."""
    return [file for file in store.glob("rows-*") if not file.name.endswith(_INDEX) and _size(file)]


def bytes_on_disk(store: Path) -> int:
    """The size of a store."""
    return sum(file.stat().st_size for file in store.rglob("*") if file.is_file())


def has_log(path: Path) -> bool:
    """Whether a row file has changes in its write-ahead log: it was written to and not closed."""
    return _size(path.with_name(f"{path.name}{_LOG}")) > 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def mark_as_damaged(path: Path) -> None:
    """Rename a row file and its write-ahead log. Raises OSError."""
    to = damaged_path(path)
    if has_log(path):
        path.with_name(f"{path.name}{_LOG}").replace(to.with_name(f"{to.name}{_LOG}"))
    path.replace(to)
    path.with_name(f"{path.name}{_INDEX}").unlink(missing_ok=True)


def damaged_path(path: Path) -> Path:
    """The name that a damaged row file gets."""
    return path.with_suffix(".damaged")


def write_private(file: Path, text: str) -> None:
    """Replace a file atomically by one that only the user can read. Raises OSError, and then it is unchanged."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600, exist_ok=False)
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
