"""The files in a local store's folder, and the folders of other versions of the program. Imports no SQLite.

The integrity file has the checksums of the row file and of Milvus' files while nothing is written to them: SQLite
answers from a file in which a bit flipped, without the rows that the bit hides, and Milvus Lite opens without an error
after files were lost or cut short. A checksum is removed before its files are changed and recorded when they are at
rest, so a killed process causes no false alarm.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ValidationError

from lorekeeper_mcp.store.errors import StoreFullError

OWNER_LOCK = "owner.lock"  # held by the process that has the store open
OWNER_FILE = "owner.json"  # the address at which other processes reach it
DAMAGED = "damaged"  # in the name of a damaged row file
_LOG, _INDEX = "-wal", "-shm"
Checksum = tuple[int, int]  # size and CRC-32


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
    to = path.with_suffix(f".{DAMAGED}")
    if has_log(path):
        path.with_name(f"{path.name}{_LOG}").replace(to.with_name(f"{to.name}{_LOG}"))
    path.replace(to)
    path.with_name(f"{path.name}{_INDEX}").unlink(missing_ok=True)


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


class Checksums(BaseModel, frozen=True):
    """The content of the integrity file; None where files are being changed or were never at rest."""

    row_file: Checksum | None = None
    milvus: Checksum | None = None


class IntegrityFile:
    """The integrity file of one store. It is replaced atomically, so no reader sees half of it."""

    def __init__(self, store: Path) -> None:
        self.path = store / "checksums.json"

    def read(self) -> Checksums:
        """Return the checksums; none if there is no file or its own checksum is wrong."""
        try:
            text = self.path.read_text(encoding="utf-8")
            checksum_of_body, _, body = text.partition("\n")
            return Checksums.model_validate_json(body) if checksum_of_body == _checksum_line(body) else Checksums()
        except (OSError, UnicodeDecodeError, ValidationError):
            return Checksums()

    def update(self, **changed: Checksum | None) -> None:
        """Replace some checksums. Raises StoreFullError, and then the old file is unchanged."""
        before = self.read()
        if (after := before.model_copy(update=changed)) == before:
            return
        body = after.model_dump_json()
        try:
            write_private(self.path, f"{_checksum_line(body)}\n{body}")
        except OSError as error:
            raise StoreFullError(str(error)) from error


def _checksum_line(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def checksum(chunks: Iterable[bytes]) -> Checksum:
    """Return the size and the checksum of some bytes. Raises OSError."""
    size = crc = 0
    for chunk in chunks:
        size, crc = size + len(chunk), zlib.crc32(chunk, crc)
    return size, crc
