"""An open store: its rows, the catalog and the full-text index over them, and its changes, one at a time.

``lite.local_store`` is one in a folder, ``server.server_store`` one on a Milvus server.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Kind, Record, family_of
from lorekeeper_mcp.store.catalog import Catalog, Entry, entry_from_row
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import HAS_VECTOR, NewRow, Row, decode_payload, to_row

T = TypeVar("T")


def read_records(rows: RowFile | MilvusStore, kind_of_id: Mapping[str, Kind]) -> dict[str, Record]:
    """Return the whole records of some ids; deleted ones are left out."""
    by_family: dict[Family, list[str]] = {}
    for id_, kind in kind_of_id.items():
        by_family.setdefault(family_of(kind), []).append(id_)
    payloads = {id_: text for family, ids in by_family.items() for id_, text in rows.payloads(family, ids).items()}
    return {id_: decode_payload(kind, payloads[id_]) for id_, kind in kind_of_id.items() if id_ in payloads}


class OpenStore(ABC):
    """An open store. Everything here blocks and raises StoreError; any thread may read."""

    rows: RowFile | MilvusStore
    _words: FullTextIndex
    path: Path | None = None  # the store's folder; a server has none
    notice = ""  # a sentence for the user if the store is not the one in the settings
    temporary: Path | None = None  # a folder to delete when the store is closed
    in_milvus = True  # whether Milvus has the rows

    def __init__(self, catalog: Catalog) -> None:
        """The catalog outlives the store, which may be opened again: opening fills it."""
        self.catalog = catalog
        self._changing = threading.Lock()  # held while rows are written, or while a whole family is read
        self._stopping = threading.Event()

    # -- queries

    @abstractmethod
    def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""

    @abstractmethod
    def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""

    @abstractmethod
    def load(self, family: Family) -> None:
        """Load what the first searches of a family need."""

    def words(self, family: Family) -> FullTextIndex:
        """The full-text index of a family's words; those of a server are loaded first."""
        return self._words

    # -- life

    def stop(self) -> None:
        """Cancel writes that have not started; stored rows stay as they are."""
        self._stopping.set()

    def _unless_stopped(self, rows: Iterable[T]) -> Iterator[T]:
        for row in rows:
            self._raise_if_stopped()
            yield row

    def _raise_if_stopped(self) -> None:
        if self._stopping.is_set():
            raise StoreError("LoreKeeper is shutting down.")

    @abstractmethod
    def close(self, *, is_damaged: bool = False) -> None:
        """Close the store. A damaged row file is renamed, so that the next opening makes it again."""

    def follow(self) -> bool:
        """Load the changes of other processes, and return whether the ledger has changed. A local store has none."""
        return False

    def fill(self) -> None:  # noqa: B027 - nothing to do where the rows are in Milvus
        """Bring Milvus in line with the rows."""

    # -- changes

    @abstractmethod
    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""

    @abstractmethod
    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        """Store rows, delete ids, and bring the memory in line."""

    def _replace(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        """Store rows and delete ids, in one step for readers."""
        self._write(family, rows, removed)

    def _update_catalog(self, family: Family, rows: Sequence[Mapping[str, object]], removed: Collection[str]) -> None:
        """Take in stored rows and forget deleted ids, in one step for readers."""
        entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in removed}
        entries |= {entry.id: entry for entry in map(entry_from_row, rows)}
        self.catalog.replace(family, entries.values())
        self._words.forget(family)

    def put(self, new: Iterable[NewRow]) -> None:
        """Store records under their ids. Those without an embedding get theirs later."""
        by_family: dict[Family, list[NewRow]] = {}
        for row in new:
            by_family.setdefault(family_of(row.record.kind), []).append(row)
        with self._changing:
            for family, of_family in by_family.items():
                self._raise_if_stopped()
                self._write(family, _to_rows(of_family, self.catalog.of(family)), ())

    def delete(self, family: Family, ids: Collection[str]) -> None:
        """Delete records. Unknown ids are skipped."""
        with self._changing:
            self._write(family, [], ids)

    def replace(self, family: Family, arrived: Iterable[NewRow], is_removed: Callable[[Entry], bool]) -> None:
        """Store records and delete those that ``is_removed`` selects: a reader sees all changes or none.

        Unchanged records keep their embeddings; the store does not grow.
        """
        new = {row.record.id: row for row in arrived}
        with self._changing:
            stored = self.catalog.of(family)
            rows = {str(row["id"]): row for row in _to_rows(new.values(), stored)}
            for before in self.rows.rows(family, [id_ for id_ in new if id_ in stored]):
                row = rows[str(before["id"])]
                if not row[HAS_VECTOR] and before["words"] == row["words"]:
                    row |= {column: before[column] for column in ("embedding", "passages", HAS_VECTOR)}
            removed = [id_ for id_, entry in stored.items() if id_ not in rows and is_removed(entry)]
            self._replace(family, list(rows.values()), removed)

    def set_vectors(self, family: Family, read: Sequence[Row], embeddings: Sequence[Embedding]) -> None:
        """Store the embeddings of rows, as these were read. Rows deleted or changed since then are skipped."""
        by_id = {str(row["id"]): (row["payload"], embedding) for row, embedding in zip(read, embeddings, strict=True)}
        with self._changing:
            rows: list[Row] = []
            for row in self.rows.rows(family, by_id):
                payload, embedding = by_id[str(row["id"])]
                if row["payload"] == payload:
                    rows.append(row | {"embedding": embedding.vector, "passages": embedding.passages, HAS_VECTOR: 1})
            if rows:
                self._write(family, rows, ())


def _to_rows(new: Iterable[NewRow], stored: Mapping[str, Entry]) -> list[Row]:
    """Return rows for the store: a stored record keeps its creation time, and its time of change always grows.

    A reader that compares times then sees every change, even two within one second or after the clock was set back.
    """
    now = int(time.time())
    rows = []
    for row in new:
        before = stored.get(row.record.id)
        created = before.created_at if before else now
        changed = max(now, before.updated_at + 1) if before else now
        rows.append(to_row(row, created_at=created, updated_at=changed))
    return rows
