"""The writer of a store: changes, one at a time, and the memory that follows them.

``lite.local_store`` writes to a local store's row file, ``server.server_writer`` to a Milvus server.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from lorekeeper_mcp.models import Family, Kind, Record, family_of
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.rows import HAS_VECTOR, EmbeddedRow, NewRow, Row, decode_payload, to_row

T = TypeVar("T")


class StoredRows(Protocol):
    """What can be read from the rows of a local store or of a server. Everything blocks and raises StoreError."""

    def payloads(self, family: Family, ids: Collection[str]) -> dict[str, str]:
        """Return the payloads of some ids; deleted ones are left out."""
        ...

    def passages(self, family: Family, ids: Collection[str]) -> dict[str, bytes]:
        """Return the packed embeddings of some records' passages. Records without any are skipped."""
        ...

    def rows(self, family: Family, ids: Collection[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        ...

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        ...


def read_records(store: StoredRows, kind_of_id: Mapping[str, Kind]) -> dict[str, Record]:
    """Return the whole records of some ids; deleted ones are left out."""
    by_family: dict[Family, list[str]] = {}
    for id_, kind in kind_of_id.items():
        by_family.setdefault(family_of(kind), []).append(id_)
    payloads = {id_: text for family, ids in by_family.items() for id_, text in store.payloads(family, ids).items()}
    return {id_: decode_payload(kind, payloads[id_]) for id_, kind in kind_of_id.items() if id_ in payloads}


class Writer(ABC):
    """All writes to one open store and to its memory. Everything here blocks and raises StoreError.

    ``path`` is the store's folder, None for a server. ``notice`` is a sentence for the user if the store is not the one
    in the settings. ``temporary`` is a folder to delete when the store is closed. ``in_milvus`` says whether Milvus has
    the rows.
    """

    store: StoredRows
    path: Path | None = None
    notice = ""
    temporary: Path | None = None
    in_milvus = True

    def __init__(self, memory: MemoryMirror) -> None:
        self._memory = memory
        self._changing = threading.Lock()  # held while rows are written, or while a whole family is read
        self._stopping = threading.Event()

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

    def words(self, family: Family) -> FullTextIndex:
        """The full-text index of a family's words; those of a server are loaded first."""
        return self._memory.words

    # -- the store

    @abstractmethod
    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""

    @abstractmethod
    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        """Store rows and delete ids."""

    def _replace(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        """Store rows and delete ids, in one step for readers."""
        self._write(family, rows, removed)

    @abstractmethod
    def close(self) -> None:
        """Close the store."""

    def follow(self) -> bool:
        """Load the changes of other processes, and return whether the ledger has changed. A local store has none."""
        return False

    def fill(self) -> None:  # noqa: B027 - nothing to do where the rows are in Milvus
        """Bring Milvus in line with the rows."""

    def quarantine_damaged_files(self) -> None:  # noqa: B027 - a server has none here
        """Rename a file that was found damaged, so that the next opening makes it again."""

    # -- changes

    def put(self, new: Iterable[NewRow]) -> None:
        """Store records under their ids. Those without an embedding get theirs later."""
        by_family: dict[Family, list[NewRow]] = {}
        for row in new:
            by_family.setdefault(family_of(row.record.kind), []).append(row)
        with self._changing:
            for family, of_family in by_family.items():
                self._raise_if_stopped()
                self._write(family, _to_rows(of_family, self._memory.catalog.of(family)), ())

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Delete records. Unknown ids are skipped."""
        with self._changing:
            self._write(family, [], list(ids))

    def replace(self, family: Family, arrived: Iterable[NewRow], is_removed: Callable[[Entry], bool]) -> None:
        """Store records and delete those that ``is_removed`` selects: a reader sees all changes or none.

        Unchanged records keep their embeddings; the store does not grow.
        """
        new = {row.record.id: row for row in arrived}
        with self._changing:
            catalog = self._memory.catalog.of(family)
            rows = _to_rows(new.values(), catalog)
            fresh = {str(row["id"]): row for row in rows}
            for old in self.store.rows(family, [id_ for id_ in new if id_ in catalog]):
                row = fresh[str(old["id"])]
                if not new[str(row["id"])].embedding and old["words"] == row["words"] and old[HAS_VECTOR] == 1:
                    row["embedding"], row["passages"], row[HAS_VECTOR] = old["embedding"], old["passages"], 1
            self._replace(
                family, rows, [id_ for id_, entry in catalog.items() if id_ not in fresh and is_removed(entry)]
            )

    def set_vectors(self, family: Family, embedded: Iterable[EmbeddedRow]) -> None:
        """Store the embeddings of rows. Rows deleted or changed since they were read are skipped."""
        by_id = {one.id: one for one in embedded}
        with self._changing:
            rows = [row for row in self.store.rows(family, by_id) if by_id[str(row["id"])].payload == row["payload"]]
            for row in rows:
                embedding = by_id[str(row["id"])].embedding
                row["embedding"], row["passages"], row[HAS_VECTOR] = embedding.vector, embedding.passages, 1
            if rows:
                self._write(family, rows, ())


def _to_rows(new: Iterable[NewRow], known: Mapping[str, Entry]) -> list[Row]:
    """Return rows for the store: a stored record keeps its creation time, and its time of change always grows.

    A reader that compares times then sees every change, even two within one second or after the clock was set back.
    """
    now = int(time.time())
    rows = []
    for one in new:
        before = known.get(one.record.id)
        created = before.created_at if before else now
        changed = max(now, before.updated_at + 1) if before else now
        rows.append(to_row(one, created_at=created, updated_at=changed))
    return rows
