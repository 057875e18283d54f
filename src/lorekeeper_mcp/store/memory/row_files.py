"""The row files beside a store. Does not import SQLite, which would delay the start."""

from __future__ import annotations

import glob
import zlib
from pathlib import Path

APPLICATION = 0x4C4F5245  # marks our SQLite files: "LORE"
_CHUNK = 1 << 20  # bytes


def row_files(store: Path) -> list[Path]:
    """Return the row files beside a store and their write-ahead logs."""
    names = (f"{glob.escape(store.stem)}.rows-????????.sqlite{end}" for end in ("", "-wal"))
    return [file for name in names for file in store.parent.glob(name)]


def is_row_file(path: Path) -> bool:
    """Whether a file is one of our row files, or empty. Raises OSError if it is unreadable."""
    with path.open("rb") as opened:
        head = opened.read(72)
    return not head or head[68:72] == APPLICATION.to_bytes(4, "big")


def row_file_checksum(path: Path) -> tuple[int, int]:
    """Return the size and CRC-32 checksum of a row file. Raises OSError."""
    size = checksum = 0
    with path.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            size, checksum = size + len(chunk), zlib.crc32(chunk, checksum)
    return size, checksum


def has_log(path: Path) -> bool:
    """Whether a row file has changes in its write-ahead log: it was written to and not closed."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


def delete_row_file(path: Path) -> None:
    """Delete a row file and SQLite's files beside it. Raises OSError."""
    for end in ("-wal", "-shm", ""):
        path.with_name(path.name + end).unlink(missing_ok=True)
