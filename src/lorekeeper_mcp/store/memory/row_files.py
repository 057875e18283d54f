"""The row files beside a store, told from other files. It imports no SQLite, which must not delay a start."""

from __future__ import annotations

import glob
from pathlib import Path

APPLICATION = 0x4C4F5245  # what tells our file from other SQLite files: "LORE"


def row_files(store: Path) -> list[Path]:
    """The row files beside a store, with what SQLite has not yet taken over into them."""
    names = (f"{glob.escape(store.stem)}.rows-????????.sqlite{end}" for end in ("", "-wal"))
    return [file for name in names for file in store.parent.glob(name)]


def is_row_file(path: Path) -> bool:
    """Whether a file is one of ours, or empty. Raises OSError where it cannot be read."""
    with path.open("rb") as opened:
        head = opened.read(72)
    return not head or head[68:72] == APPLICATION.to_bytes(4, "big")


def delete_row_file(path: Path) -> None:
    """Delete a row file with what SQLite keeps beside it. Raises OSError."""
    for end in ("-wal", "-shm", ""):
        path.with_name(path.name + end).unlink(missing_ok=True)
