"""The integrity file of a store: checksums of the row file and of Milvus' files while nothing is written to them.

SQLite answers from a file in which a bit flipped, without the rows that the bit hides, and Milvus Lite opens without an
error after files were lost or cut short. A checksum is removed before its files are changed and recorded when they are
at rest, so a killed process causes no false alarm.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ValidationError

from lorekeeper_mcp.store.errors import StoreFullError
from lorekeeper_mcp.store.store_files import write_private

Checksum = tuple[int, int]  # size and CRC-32


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
