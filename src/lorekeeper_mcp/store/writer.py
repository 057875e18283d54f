"""The writer of a store: changes, one at a time, and the memory that follows them.

``lite.local_writer`` writes to a local store's row file, ``server.server_writer`` to a Milvus server.
"""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from lorekeeper_mcp.models import Family, Record, family_of
from lorekeeper_mcp.store.errors import StoreBusyError, StoreError
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.new_rows import FindVectors, to_rows, with_known_vectors
from lorekeeper_mcp.store.rows import HAS_VECTOR, EmbeddedRow, Row

T = TypeVar("T")
_WRITE_SECONDS = 60.0  # the longest wait for another write, a whole refresh included


class Writer(ABC):
    """All writes to one open store and to its memory. Everything here blocks and raises StoreError.

    ``path`` is the store's folder, None for a server. ``notice`` is a sentence for the user if the store is not the one
    in the settings. ``temporary`` is a folder to delete when the store is closed. ``in_milvus`` says whether Milvus has
    the rows.
    """

    path: Path | None = None
    notice = ""
    temporary: Path | None = None
    in_milvus = True

    def __init__(self, memory: MemoryMirror, find_vectors: FindVectors) -> None:
        self._memory = memory
        self._find_vectors = find_vectors
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

    @contextlib.contextmanager
    def _write_lock(self) -> Iterator[None]:
        if not self._changing.acquire(timeout=_WRITE_SECONDS):
            raise StoreBusyError(f"Another write has not finished after {_WRITE_SECONDS:g} seconds.")
        try:
            yield
        finally:
            self._changing.release()

    # -- the store

    @abstractmethod
    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""

    @abstractmethod
    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""

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

    @abstractmethod
    def follow(self) -> bool:
        """Load the changes of other processes, and return whether the ledger has changed."""

    @abstractmethod
    def fill(self) -> None:
        """Bring Milvus in line with the rows."""

    @abstractmethod
    def quarantine_damaged_files(self) -> None:
        """Rename a file that was found damaged, so that the next opening makes it again."""

    # -- changes

    def put(self, records: Sequence[Record]) -> None:
        """Store records under their ids. Those without a precomputed embedding get theirs later."""
        by_family: dict[Family, list[Record]] = {}
        for record in records:
            by_family.setdefault(family_of(record.kind), []).append(record)
        prepared = {
            family: with_known_vectors(of_family, self._find_vectors) for family, of_family in by_family.items()
        }
        with self._write_lock():
            for family, new in prepared.items():
                self._raise_if_stopped()
                self._write(family, to_rows(new, self._memory.catalog.of(family)), ())

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Delete records. Unknown ids are skipped."""
        with self._write_lock():
            self._write(family, [], list(ids))

    def replace(self, family: Family, records: Sequence[Record], is_removed: Callable[[Entry], bool]) -> None:
        """Store records and delete those that ``is_removed`` selects: a reader sees all changes or none.

        Unchanged records keep their embeddings; the store does not grow.
        """
        new = {row.record.id: row for row in with_known_vectors(records, self._find_vectors)}
        with self._write_lock():
            catalog = self._memory.catalog.of(family)
            rows = to_rows(new.values(), catalog)
            fresh = {str(row["id"]): row for row in rows}
            for old in self.rows(family, (id_ for id_ in new if id_ in catalog)):
                row = fresh[str(old["id"])]
                if not new[str(row["id"])].embedding and old["words"] == row["words"] and old[HAS_VECTOR] == 1:
                    row["embedding"], row["passages"], row[HAS_VECTOR] = old["embedding"], old["passages"], 1
            self._replace(
                family, rows, [id_ for id_, entry in catalog.items() if id_ not in fresh and is_removed(entry)]
            )

    def set_vectors(self, family: Family, embedded: Iterable[EmbeddedRow]) -> None:
        """Store the embeddings of rows. Rows deleted or changed since they were read are skipped."""
        by_id = {one.id: one for one in embedded}
        with self._write_lock():
            rows = [row for row in self.rows(family, by_id) if by_id[str(row["id"])].payload == row["payload"]]
            for row in rows:
                embedding = by_id[str(row["id"])].embedding
                row["embedding"], row["passages"], row[HAS_VECTOR] = embedding.vector, embedding.passages, 1
            if rows:
                self._write(family, rows, ())
