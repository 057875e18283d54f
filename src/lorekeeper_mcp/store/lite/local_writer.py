"""The writer of a local store: each change is one transaction on the row file, and Milvus is filled later."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, checksum
from lorekeeper_mcp.store.lite.local_store import open_rows, row_file
from lorekeeper_mcp.store.lite.milvus_folder import fill_folder
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_files import damaged_path, rename_row_file
from lorekeeper_mcp.store.new_rows import FindVectors
from lorekeeper_mcp.store.rows import Row
from lorekeeper_mcp.store.writer import Writer


class LocalWriter(Writer):
    """The store in a folder, with its row file."""

    def __init__(self, path: Path, encoder: str, memory: MemoryMirror, find_vectors: FindVectors) -> None:
        """Open the store. Raises StoreError, or OSError if the folder cannot be used."""
        super().__init__(memory, find_vectors)
        self.path = self._folder = path
        self._encoder = encoder
        self._integrity = IntegrityFile(path)
        self.notice = open_rows(path, encoder, memory)
        self.in_milvus = memory.file.in_milvus and (path / "collections").is_dir()
        if not memory.file.has_encoder(encoder):
            self._begin()
            memory.file.use_encoder(encoder)
            memory.load()

    def _begin(self) -> None:
        """Note that the row file changes: its checksum no longer holds, and Milvus has yet to follow."""
        self.in_milvus = False
        self._integrity.update(row_file=None)

    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        return self._memory.file.rows(family, list(ids))

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return self._memory.file.ledger()

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""
        with self._write_lock():
            self._begin()
            self._memory.file.note(entries)

    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        self._begin()
        self._memory.file.put(family, rows, removed)
        self._memory.put(family, rows, removed)

    def follow(self) -> bool:
        """No other process writes to a local store."""
        return False

    def fill(self) -> None:
        """Bring Milvus in line with the row file, if it is not. Takes seconds, in which other writes wait."""
        with self._write_lock():
            if not self.in_milvus:
                fill_folder(self._folder, self._encoder, self._memory.file, self._stopping)
                self._memory.file.in_milvus = self.in_milvus = True
                self._settle()

    def _settle(self) -> None:
        """Record the checksum of the row file, which is now at rest."""
        if self._memory.file.settle():
            self._integrity.update(row_file=checksum(self._memory.file.content()))

    def close(self) -> None:
        """Bring the row file to rest."""
        with contextlib.suppress(StoreError, OSError), self._write_lock():
            if self._integrity.read().row_file is None:
                self._settle()

    def quarantine_damaged_files(self) -> None:
        """Rename the row file, so that the next opening makes it again from Milvus."""
        self._memory.close()
        file = row_file(self._folder)
        rename_row_file(file, damaged_path(file))
