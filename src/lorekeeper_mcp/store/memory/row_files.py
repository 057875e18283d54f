"""The row files beside a store. Imports no SQLite, which would delay the start."""

from __future__ import annotations

import glob
from pathlib import Path

APPLICATION = 0x4C4F5245  # marks our SQLite files: "LORE"


def row_files(store: Path) -> list[Path]:
    """Return the row files beside a store and their write-ahead logs."""
    names = (f"{glob.escape(store.stem)}.rows-????????.sqlite{end}" for end in ("", "-wal"))
    return [file for name in names for file in store.parent.glob(name)]


def is_row_file(path: Path) -> bool:
    """Whether a file is one of our row files, or empty. Raises OSError if it cannot be read."""
    with path.open("rb") as opened:
        head = opened.read(72)
    return not head or head[68:72] == APPLICATION.to_bytes(4, "big")


def delete_row_file(path: Path) -> None:
    """Delete a row file and SQLite's files beside it. Raises OSError."""
    for end in ("-wal", "-shm", ""):
        path.with_name(path.name + end).unlink(missing_ok=True)
