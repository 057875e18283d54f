"""The files and folders beside a local store, and the folders of other versions of the program.

Imports no SQLite, which would delay the start.
"""

from __future__ import annotations

import glob
import os
from pathlib import Path

APPLICATION = 0x4C4F5245  # marks our SQLite files: "LORE"
_LOG, _INDEX = "-wal", "-shm"


def integrity_path(store: Path) -> Path:
    """The integrity file: counts and checksums of the store."""
    return store.with_suffix(".account.json")


def owner_path(store: Path) -> Path:
    """The owner file: the address at which other processes reach the owner."""
    return store.with_suffix(".owner.json")


def locks_path(store: Path) -> Path:
    """The folder of the store's locks."""
    return store.with_suffix(".locks")


def lock_path(store: Path, name: str) -> Path:
    """The file of a named lock of a store."""
    return locks_path(store) / f"{name}.lock"


def path_of_shape(store: Path, shape: str) -> Path:
    """The folder for a version of the program whose data has another shape than the owner's."""
    mark = f".{shape.rpartition('_')[2]}"
    return store.with_stem(f"{store.stem.removesuffix(mark)}{mark}")


def row_files(store: Path) -> list[Path]:
    """Return the row files beside a store that have content, damaged ones and write-ahead logs included."""
    suffixes = (f"{suffix}{log}" for suffix in ("sqlite", "damaged") for log in ("", _LOG))
    patterns = (f"{glob.escape(store.stem)}.rows-????????.{suffix}" for suffix in suffixes)
    return [file for pattern in patterns for file in store.parent.glob(pattern) if _size(file)]


def bytes_on_disk(store: Path) -> int:
    """The size of a store's folder and row files."""
    return sum(file.stat().st_size for file in (*store.rglob("*"), *row_files(store)) if file.is_file())


def is_row_file(path: Path) -> bool:
    """Whether a file is one of our row files, or empty. Raises OSError if it is unreadable."""
    with path.open("rb") as opened:
        head = opened.read(72)
    return not head or head[68:72] == APPLICATION.to_bytes(4, "big")


def has_log(path: Path) -> bool:
    """Whether a row file has changes in its write-ahead log: it was written to and not closed."""
    return _size(path.with_name(f"{path.name}{_LOG}")) > 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def rename_row_file(path: Path, to: Path) -> None:
    """Rename a row file with its write-ahead log. Raises OSError."""
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
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            opened.write(text)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
