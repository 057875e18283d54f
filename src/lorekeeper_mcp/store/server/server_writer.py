"""The writer of a store on a Milvus server, which other processes write to as well.

Each leaves marks in the ledger, one per family: a random text that differs after every change. Each answer first loads
the families with new marks.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.memory.catalog import entry_from_row
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import Row, batches
from lorekeeper_mcp.store.writer import Writer

_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without what others have stored
_WORDS = ["id", "name", "words"]
_MARK = "changed:"


class ServerWriter(Writer):
    """An open connection to a server, with the catalog of its rows in memory."""

    store: MilvusStore

    def __init__(self, store: MilvusStore, memory: MemoryMirror) -> None:
        """Load the catalog. Raises StoreError."""
        super().__init__(memory)
        self.store = store
        self._marks: dict[Family, Mapping[str, object] | None] = {}  # those that this process has seen
        self._ledger: Mapping[str, Mapping[str, object]] = {}
        memory.open(RowFile())
        for family in Family:
            memory.catalog.replace(family, map(entry_from_row, store.catalog(family)))

    def close(self) -> None:
        """Close the connection."""
        self.store.close()

    def words(self, family: Family) -> FullTextIndex:
        """The full-text index with a family's words, loaded if they are not."""
        if not self._memory.holds_words(family):
            with self._changing:
                if not self._memory.holds_words(family):
                    self._memory.build_words(family, list(self._unless_stopped(self.store.scan(family, _WORDS))))
        return self._memory.words

    def follow(self) -> bool:
        """Load the changes of other processes, and return whether the rest of the ledger has changed.

        Skipped while a long write of this process is in progress.
        """
        if not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return False
        try:
            ledger = self.store.ledger()
            for family in Family:
                mark = ledger.pop(f"{_MARK}{family}", None)
                if mark != self._marks.get(family):
                    self._load_changes(family)
                    self._marks[family] = mark
            before, self._ledger = self._ledger, ledger
            return before != ledger
        finally:
            self._changing.release()

    def _load_changes(self, family: Family) -> None:
        """Bring a family in line with the server. Reads only the rows that differ."""
        there = self.store.versions(family)
        here = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self._memory.catalog.of(family).items()}
        changed = [id_ for id_, version in there.items() if version != here.get(id_)]
        words = ["words"] if self._memory.holds_words(family) else []
        rows = [row for batch in batches(changed) for row in self.store.catalog(family, batch, *words)]
        self._memory.put(family, rows, here.keys() - there.keys())

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""
        with self._changing:
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
        kept_rows = (row for batch in batches(kept) for row in self.store.rows(family, batch))
        name = self.store.build(family, self._unless_stopped(chain(kept_rows, rows)))
        self.store.swap(family, name)
        self._changed(family, rows, removed)

    def _changed(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        self._memory.put(family, rows, removed)
        self.store.note({f"{_MARK}{family}": {"change": uuid.uuid4().hex}})
