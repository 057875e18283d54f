"""A store on a Milvus server, which applies the filters and which other processes write to as well.

Each leaves marks in the ledger, one per family: a random text that differs after every change. Each answer first loads
the families with new marks.

Words are searched in our own full-text index: no server version has a BM25 with the same scores as the row file's, and
those before 2.5 have none at all.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.catalog import Catalog, Entry, entry_from_row
from lorekeeper_mcp.store.filter_expression import expression_of
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.row_file import AnyRow, RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.rows import Row, batches

_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without what others have stored
_WORDS = ["id", "name", "words"]
_MARK = "changed:"


class ServerStore(OpenStore):
    """An open connection to a server, with the catalog of its rows and the words of some families in memory."""

    rows: MilvusStore

    def __init__(self, milvus: MilvusStore, catalog: Catalog) -> None:
        """Load the catalog. Raises StoreError."""
        super().__init__(catalog)
        self.rows = milvus
        self._marks: dict[Family, Mapping[str, object] | None] = {}  # those that this process has seen
        self._ledger: Mapping[str, Mapping[str, object]] = {}
        self._word_file = RowFile()
        self._words = FullTextIndex(self._word_file.searcher)
        self._families_with_words: set[Family] = set()
        for family in Family:
            catalog.replace(family, map(entry_from_row, milvus.catalog(family)))

    def close(self, *, is_damaged: bool = False) -> None:
        """Close the connection."""
        self.rows.close()
        self._word_file.close()

    def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, also of those stored by others since."""
        ids = self.rows.ids(where.family, expression_of(where))
        entries = {id_: entry for id_, entry in self.catalog.of(where.family).items() if id_ in ids}
        if new := ids - entries.keys():
            entries |= {entry.id: entry for entry in map(entry_from_row, self.rows.catalog(where.family, new))}
        return entries

    def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""
        return self.rows.nearest(where.family, vector, expression_of(where), limit)

    def load(self, family: Family) -> None:
        """Load a family's words into memory, unless they are loaded."""
        if family not in self._families_with_words:
            with self._changing:
                if family not in self._families_with_words:
                    self._word_file.put(family, list(self._unless_stopped(self.rows.scan(family, _WORDS))))
                    self._families_with_words.add(family)
                    self._words.forget(family)

    def words(self, family: Family) -> FullTextIndex:
        """The full-text index with a family's words, loaded if they are not."""
        self.load(family)
        return self._words

    def follow(self) -> bool:
        """Load the changes of other processes, and return whether the rest of the ledger has changed.

        Skipped while a long write of this process is in progress.
        """
        if not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return False
        try:
            ledger = self.rows.ledger()
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
        stored = self.rows.versions(family)
        loaded = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self.catalog.of(family).items()}
        changed = [id_ for id_, version in stored.items() if version != loaded.get(id_)]
        words = ["words"] if family in self._families_with_words else []
        rows = [row for batch in batches(changed) for row in self.rows.catalog(family, batch, *words)]
        self._update_memory(family, rows, loaded.keys() - stored.keys())

    def _update_memory(self, family: Family, rows: Sequence[AnyRow], removed: Collection[str]) -> None:
        if family in self._families_with_words:
            self._word_file.put(family, rows, removed)
        self._update_catalog(family, rows, removed)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""
        with self._changing:
            self.rows.note(entries)

    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        if rows:
            self.rows.upsert(family, rows)
        self.rows.delete(family, removed)
        self._after_change(family, rows, removed)

    def _replace(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        """Fill a new collection with all rows of the family, and swap it in."""
        replaced = {*removed, *(str(row["id"]) for row in rows)}
        kept = [id_ for id_ in self.catalog.of(family) if id_ not in replaced]
        kept_rows = (row for batch in batches(kept) for row in self.rows.rows(family, batch))
        name = self.rows.build(family, self._unless_stopped(chain(kept_rows, rows)))
        self.rows.swap(family, name)
        self._after_change(family, rows, removed)

    def _after_change(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        self._update_memory(family, rows, removed)
        self.rows.note({f"{_MARK}{family}": {"change": uuid.uuid4().hex}})
