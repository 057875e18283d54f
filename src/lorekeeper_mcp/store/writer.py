"""The writer: changes to the store, one at a time and recorded in the integrity file.

The integrity file lists rows as unsure before they are written and counts them afterwards. If a process is killed in
between, the store is neither mistaken for a damaged one nor trusted too far. The mirror follows each change. A new
local store starts in the row file alone, which takes a quarter of the time; ``fill`` copies it to Milvus.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from lorekeeper_mcp.models import Family, Record, family_of
from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.integrity import RowDigest, immutable_files
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.new_rows import FindVectors, to_rows, with_known_vectors
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.rows import HAS_VECTOR, EmbeddedRow, Row
from lorekeeper_mcp.store.schema import LEDGER, collection_name
from lorekeeper_mcp.store.server.changes import ServerChanges

T = TypeVar("T")
_WRITE_SECONDS = 60.0  # the longest wait for another write, including a whole renewal
_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without others' changes
WORDS = ["id", "name", "words"]


class Writer:
    """All writes to one store and to its mirror. Everything here blocks."""

    def __init__(self, opened: OpenStore, memory: MemoryMirror, find_vectors: FindVectors) -> None:
        """Start with a store whose mirror matches its integrity file."""
        self.notice = opened.notice
        self._milvus = opened.milvus
        self._opener = opened.open_milvus
        self._opening = threading.Lock()
        self._integrity_file = opened.integrity_file
        self._changing = threading.Lock()  # held while rows are written, or while a whole family is read
        self._memory = memory
        self._find_vectors = find_vectors
        self._integrity = opened.state
        self._stopping = threading.Event()
        self._changes = ServerChanges()

    def open_milvus(self) -> MilvusStore:
        """Open the connection to Milvus, or return the open one. A new local store is copied into Milvus here."""
        with self._opening:
            if self._milvus is None:
                self._milvus = opened = self._opener()
                self.notice = opened.notice or self.notice
                self._integrity = opened.state
            return self._milvus.store

    def stop(self) -> None:
        """Cancel writes that have not started; stored rows stay as they are."""
        self._stopping.set()

    def _unless_stopped(self, rows: Iterable[T]) -> Iterator[T]:
        for row in rows:
            self._go_on()
            yield row

    def _go_on(self) -> None:
        if self._stopping.is_set():
            raise StoreError("LoreKeeper is shutting down.")

    @property
    def in_milvus(self) -> bool:
        """Whether Milvus has the rows. A new local store has them in its row file alone."""
        return self._integrity.in_milvus

    def fill(self) -> None:
        """Copy the rows of a new store to Milvus."""
        with self._turn():
            self.open_milvus()

    def _name(self, family: Family) -> str:
        """The name of a family's rows in the integrity file."""
        return self.open_milvus().collection(family) if self.in_milvus else collection_name(family)

    def _settle_unsure(self) -> None:
        """Recount each family whose write has failed."""
        for family in Family:
            name = self._name(family)
            is_counted = name in self._integrity.tallies and name not in self._integrity.unsure
            if self._integrity_file is not None and not is_counted:
                if self.in_milvus:
                    self._memory.follow(self.open_milvus(), family)
                else:
                    self._memory.read(family)
                self._settle(family, name)

    def _settle(self, family: Family, name: str) -> None:
        """Recount a family's rows."""
        self._integrity.unsure.pop(name, None)
        self._integrity.tallies[name] = RowDigest().plus(self._times(family, self._memory.catalog.of(family)))
        self._count_files()

    def _times(self, family: Family, ids: Iterable[str]) -> dict[str, int]:
        entries = ((id_, self._memory.catalog.get(family, id_)) for id_ in ids)
        return {id_: entry.updated_at for id_, entry in entries if entry is not None}

    def _count_files(self) -> None:
        """Write the integrity file with the current checksums of the files."""
        if self._integrity_file is not None:
            self._integrity.files = immutable_files(self._integrity_file.store, self._integrity.files)
            self._write()

    def _write(self) -> None:
        if self._integrity_file is None:
            return
        try:
            self._integrity_file.write(self._integrity)
        except OSError as error:
            raise StoreFullError(str(error)) from error

    @contextlib.contextmanager
    def _change(self, family: Family, ids: Iterable[str]) -> Iterator[None]:
        """List rows of a family as unsure while they are written, and count them afterwards."""
        touched = list(ids)
        name = self._name(family)
        tally = self._integrity.tallies.get(name, RowDigest()).minus(self._times(family, touched))
        if self._integrity_file is not None:
            self._integrity.tallies[name] = tally
            self._integrity.unsure[name] = touched
            self._write()
        yield
        self._integrity.unsure.pop(name, None)
        self._integrity.tallies[name] = tally.plus(self._times(family, touched))
        self._changed(family)

    def _changed(self, family: Family) -> None:
        """Record a finished write: in the integrity file, or on a server in the ledger for other processes."""
        if self._integrity_file is None:
            self._changes.mark(self.open_milvus(), family)
        else:
            self._count_files()

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._changing.acquire(timeout=_WRITE_SECONDS):
            raise StoreBusyError(f"Another write has not finished after {_WRITE_SECONDS:g} seconds.")
        try:
            if self._integrity.row_file is not None:  # its checksum is no longer valid
                self._integrity.row_file = None
                self._write()
            self._settle_unsure()
            yield
        finally:
            self._changing.release()

    # -- reading

    def load_words(self, family: Family) -> None:
        """Read a family's words from a server, unless they are loaded."""
        with self._changing:
            if not self._memory.holds_words(family):
                self._memory.build_words(family, list(self._unless_stopped(self.open_milvus().scan(family, WORDS))))

    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        if self._memory.is_local:
            return self._memory.file.rows(family, list(ids))
        return self.open_milvus().rows(family, ids)

    def follow(self) -> bool:
        """Load the changes of other processes on a Milvus server, and return whether the ledger has changed.

        Skipped during a long write of this process.
        """
        if not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return False
        try:
            return self._changes.follow(self.open_milvus(), self._memory)
        finally:
            self._changing.release()

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return self._memory.file.ledger() if self._memory.is_local else self.open_milvus().ledger()

    # -- changes

    def put(self, records: Sequence[Record]) -> None:
        """Store records under their ids. Those without a precomputed embedding get theirs later."""
        by_family: dict[Family, list[Record]] = {}
        for record in records:
            by_family.setdefault(family_of(record.kind), []).append(record)
        prepared = {
            family: with_known_vectors(of_family, self._find_vectors) for family, of_family in by_family.items()
        }
        with self._turn():
            for family, new in prepared.items():
                self._go_on()
                rows = to_rows(new, self._memory.catalog.of(family))
                with self._change(family, (row.record.id for row in new)):
                    if self.in_milvus:
                        self.open_milvus().upsert(family, rows)
                    self._memory.put(family, rows)

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Delete records. Unknown ids are skipped."""
        gone = list(ids)
        with self._turn(), self._change(family, gone):
            if self.in_milvus:
                self.open_milvus().delete(family, gone)
            self._memory.drop(family, gone)

    def renew(self, family: Family, records: Sequence[Record], gone: Callable[[Entry], bool]) -> None:
        """Store records and delete those that are ``gone``, in a new collection: a reader sees all changes or none.

        Unchanged records keep their embeddings; the store does not grow.
        """
        new = {row.record.id: row for row in with_known_vectors(records, self._find_vectors)}
        with self._turn():
            catalog = self._memory.catalog.of(family)
            kept = [id_ for id_, entry in catalog.items() if id_ not in new and not gone(entry)]
            rows = to_rows(new.values(), catalog)
            fresh = {str(row["id"]): row for row in rows}
            for old in self.rows(family, (id_ for id_ in new if id_ in catalog)):
                row = fresh[str(old["id"])]
                if not new[str(row["id"])].embedding and old["words"] == row["words"] and old[HAS_VECTOR] == 1:
                    row["embedding"], row["passages"], row[HAS_VECTOR] = old["embedding"], old["passages"], 1
            withdrawn = catalog.keys() - set(kept) - fresh.keys()
            if not self.in_milvus:
                with self._change(family, [*fresh, *withdrawn]):
                    self._memory.replace(family, rows, withdrawn)
                return
            name = self.open_milvus().build(family, self._unless_stopped(chain(self._kept(family, kept), rows)))
            times = {id_: catalog[id_].updated_at for id_ in kept}
            times |= {id_: int(str(row["updated_at"])) for id_, row in fresh.items()}
            old_name = self.open_milvus().collection(family)
            # The integrity file has both until the swap is done: a kill may leave the alias on either.
            self._integrity.tallies[name] = RowDigest().plus(times)
            self._write()
            self.open_milvus().swap(family, name)
            self._integrity.tallies.pop(old_name, None)
            self._memory.replace(family, rows, withdrawn)
            self._changed(family)

    def _kept(self, family: Family, ids: Sequence[str]) -> Iterator[Row]:
        for start in range(0, len(ids), 500):
            yield from self.rows(family, ids[start : start + 500])

    def set_vectors(self, family: Family, embedded: Iterable[EmbeddedRow]) -> None:
        """Store the embeddings of rows. Rows deleted or changed since they were read are skipped."""
        by_id = {one.id: one for one in embedded}
        with self._turn():
            rows = [row for row in self.rows(family, by_id) if by_id[str(row["id"])].payload == row["payload"]]
            for row in rows:
                embedding = by_id[str(row["id"])].embedding
                row["embedding"], row["passages"], row[HAS_VECTOR] = embedding.vector, embedding.passages, 1
            if rows:
                if self.in_milvus:
                    self.open_milvus().upsert(family, rows)
                self._memory.embedded(family, rows)
                self._changed(family)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries; call it after the records that they describe are stored."""
        with self._turn():
            if self.in_milvus:
                self.open_milvus().note(entries)
            self._integrity.versions[LEDGER] = version = self._integrity.versions.get(LEDGER, 0) + 1
            if self._memory.is_local:
                self._memory.file.note(entries, version)
            self._count_files()

    def close(self) -> None:
        """Close Milvus, and record the checksums of the files that its last merge wrote and of the row file."""
        with self._opening:
            milvus, self._milvus = self._milvus, None
        if milvus is not None:
            milvus.store.close()
        if milvus is not None or self._integrity.row_file is None:
            with contextlib.suppress(StoreError, OSError):
                self._integrity.row_file = self._memory.file.settled_checksum()
                self._count_files()
