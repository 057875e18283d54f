"""The writer of a store on a Milvus server, which other processes write to as well."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.catalog import entry_from_row
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.new_rows import FindVectors
from lorekeeper_mcp.store.rows import Row
from lorekeeper_mcp.store.server.changes import ServerChanges
from lorekeeper_mcp.store.writer import Writer

_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without what others have stored
_WORDS = ["id", "name", "words"]
_BATCH = 500  # rows


class ServerWriter(Writer):
    """An open connection to a server, with the catalog of its rows in memory."""

    def __init__(self, store: MilvusStore, memory: MemoryMirror, find_vectors: FindVectors) -> None:
        """Load the catalog. Raises StoreError."""
        super().__init__(memory, find_vectors)
        self.store = store
        self._changes = ServerChanges()
        memory.open(RowFile())
        for family in Family:
            memory.catalog.replace(family, map(entry_from_row, store.catalog(family)))

    def close(self) -> None:
        """Close the connection."""
        self.store.close()

    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        return self.store.rows(family, ids)

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return self.store.ledger()

    def load_words(self, family: Family) -> None:
        """Read a family's words, unless they are loaded."""
        with self._changing:
            if not self._memory.holds_words(family):
                self._memory.build_words(family, list(self._unless_stopped(self.store.scan(family, _WORDS))))

    def follow(self) -> bool:
        """Load the changes of other processes, and return whether the ledger has changed.

        Skipped while a long write of this process is in progress.
        """
        if not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return False
        try:
            return self._changes.follow(self.store, self._memory)
        finally:
            self._changing.release()

    def fill(self) -> None:
        """Nothing to do: Milvus is where the rows are."""

    def quarantine_damaged_files(self) -> None:
        """Nothing to do: the words in memory are read again."""

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""
        with self._write_lock():
            self.store.note(entries)

    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        if rows:
            self.store.upsert(family, rows)
        self.store.delete(family, removed)
        self._changed(family, rows, removed)

    def _replace(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        """Fill a new collection with all rows of the family, and swap it in."""
        replaced = {*removed, *(str(row["id"]) for row in rows)}
        kept = [id_ for id_ in self._memory.catalog.of(family) if id_ not in replaced]
        name = self.store.build(family, self._unless_stopped(chain(self._kept(family, kept), rows)))
        self.store.swap(family, name)
        self._changed(family, rows, removed)

    def _kept(self, family: Family, ids: Sequence[str]) -> Iterator[Row]:
        for start in range(0, len(ids), _BATCH):
            yield from self.rows(family, ids[start : start + _BATCH])

    def _changed(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        self._memory.put_with_words(family, rows, removed)
        self._changes.mark(self.store, family)
