"""The writer: changes to the store, one at a time and recorded in the integrity file.

Before rows are written the account names them as unsure, afterwards it counts them: a process that is killed in
between leaves a store that is neither taken for damaged nor trusted too far. The mirror follows each change.

A new local store is begun in the row file alone, in a quarter of the time, and ``fill`` has Milvus follow.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from lorekeeper_mcp.models import Family, family_of
from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.integrity import RowDigest, immutable_files
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.pending_records import FindVectors, PendingRecord, to_rows, with_known_vectors
from lorekeeper_mcp.store.rows import HAS_VECTOR, EmbeddedRow, Row
from lorekeeper_mcp.store.schema import LEDGER, collection_name
from lorekeeper_mcp.store.server.changes import ServerChanges

T = TypeVar("T")
log = logging.getLogger(__name__)
_WRITE_SECONDS = 60.0  # the longest wait for another write, a whole renewal included
_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without what others have stored
WORDS = ["id", "name", "words"]


class Writer:
    """All writes to one store and to its copy in memory. Everything here blocks."""

    def __init__(self, opened: OpenStore, memory: MemoryMirror, find_vectors: FindVectors) -> None:
        """Begin with a store whose account the mirror agrees with."""
        self.notice = opened.notice
        self._milvus = opened.milvus
        self._open_milvus = opened.open_milvus
        self._opening = threading.Lock()
        self._account = opened.account
        self._changing = threading.Lock()  # locked while rows are written, or while all of something is read
        self._memory = memory
        self._find_vectors = find_vectors
        self._state = opened.state
        self._stopping = threading.Event()
        self._changes = ServerChanges()

    @property
    def store(self) -> MilvusStore:
        """Milvus, which a local store opens when something is written; a new one is filled then."""
        with self._opening:
            if self._milvus is None:
                self._milvus = opened = self._open_milvus()
                self.notice = opened.notice or self.notice
                self._state = opened.state
            return self._milvus.store

    def stop(self) -> None:
        """Give up what is not yet being written; what is stored stays as it was."""
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
        """Whether Milvus has the rows; those of a new store are in the row file alone."""
        return self._state.in_milvus

    def fill(self) -> None:
        """Store the rows of a new store in Milvus."""
        with self._turn():
            _ = self.store

    def _name(self, family: Family) -> str:
        """What the account calls a family's rows."""
        return self.store.collection(family) if self.in_milvus else collection_name(family)

    def _settle_unsure(self) -> None:
        """Take families as they are of which a write has failed."""
        for family in Family:
            name = self._name(family)
            if self._account is not None and (name in self._state.unsure or name not in self._state.tallies):
                if self.in_milvus:
                    self._memory.follow(self.store, family)
                else:
                    self._memory.read(family)
                self._settle(family, name)

    def _settle(self, family: Family, name: str) -> None:
        """Count a family as it is now."""
        self._state.unsure.pop(name, None)
        self._state.tallies[name] = RowDigest().plus(self._times(family, self._memory.catalog.of(family)))
        self._count_files()

    def _times(self, family: Family, ids: Iterable[str]) -> dict[str, int]:
        entries = ((id_, self._memory.catalog.get(family, id_)) for id_ in ids)
        return {id_: entry.updated_at for id_, entry in entries if entry is not None}

    def _count_files(self) -> None:
        """Write the account, with the files as they are now."""
        if self._account is not None:
            self._state.files = immutable_files(self._account.store, self._state.files)
            self._write()

    def _write(self) -> None:
        if self._account is None:
            return
        try:
            self._account.write(self._state)
        except OSError as error:
            raise StoreFullError(str(error)) from error

    @contextlib.contextmanager
    def _change(self, family: Family, ids: Iterable[str]) -> Iterator[None]:
        """Rows of a family are being written: unsure while it lasts, counted when it is done."""
        touched = list(ids)
        name = self._name(family)
        tally = self._state.tallies.get(name, RowDigest()).minus(self._times(family, touched))
        if self._account is not None:
            self._state.tallies[name] = tally
            self._state.unsure[name] = touched
            self._write()
        yield
        self._state.unsure.pop(name, None)
        self._state.tallies[name] = tally.plus(self._times(family, touched))
        self._changed(family)

    def _changed(self, family: Family) -> None:
        """Rows of a family have been stored: the account counts their files, or other processes are told."""
        if self._account is None:
            self._changes.mark(self.store, family)
        else:
            self._count_files()

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._changing.acquire(timeout=_WRITE_SECONDS):
            raise StoreBusyError(f"Another write has not finished after {_WRITE_SECONDS:g} seconds.")
        try:
            self._settle_unsure()
            yield
        finally:
            self._changing.release()

    # -- reading

    def load_words(self, family: Family) -> None:
        """Read a family's words from a server, unless they are loaded."""
        with self._changing:
            if not self._memory.holds_words(family):
                self._memory.build_words(family, list(self._unless_stopped(self.store.scan(family, WORDS))))

    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """All columns of some rows; ids that are gone are skipped."""
        return self._memory.file.rows(family, list(ids)) if self._memory.is_local else self.store.rows(family, ids)

    def follow(self) -> bool:
        """Take over what other processes have stored on a Milvus server; whether the ledger has changed.

        Nothing is taken over while this process itself is writing for long.
        """
        if not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return False
        try:
            return self._changes.follow(self.store, self._memory)
        finally:
            self._changing.release()

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return self._memory.file.ledger() if self._memory.is_local else self.store.ledger()

    # -- changes

    def put(self, arrivals: Sequence[PendingRecord]) -> None:
        """Store records, each under its id; those whose embedding is not known beforehand wait for theirs."""
        by_family: dict[Family, list[PendingRecord]] = {}
        for arrival in arrivals:
            by_family.setdefault(family_of(arrival.record.kind), []).append(arrival)
        prepared = {
            family: with_known_vectors(of_family, self._find_vectors) for family, of_family in by_family.items()
        }
        with self._turn():
            for family, new in prepared.items():
                self._go_on()
                rows = to_rows(new, self._memory.catalog.of(family))
                with self._change(family, (row.record.id for row in new)):
                    if self.in_milvus:
                        self.store.upsert(family, rows)
                    self._memory.put(family, rows)

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Remove records; those that are not there are skipped."""
        gone = list(ids)
        with self._turn(), self._change(family, gone):
            if self.in_milvus:
                self.store.delete(family, gone)
            self._memory.drop(family, gone)

    def renew(self, family: Family, arrivals: Sequence[PendingRecord], gone: Callable[[Entry], bool]) -> None:
        """Store records and drop those that are ``gone``, built aside: a reader sees all of it or nothing.

        What has not changed keeps its embedding; the store does not grow.
        """
        new = {row.record.id: row for row in with_known_vectors(arrivals, self._find_vectors)}
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
            name = self.store.build(family, self._unless_stopped(chain(self._kept(family, kept), rows)))
            times = {id_: catalog[id_].updated_at for id_ in kept}
            times |= {id_: int(str(row["updated_at"])) for id_, row in fresh.items()}
            old_name = self.store.collection(family)
            # Both stand in the account until the swap is through, whichever the alias names if this is cut short.
            self._state.tallies[name] = RowDigest().plus(times)
            self._write()
            self.store.swap(family, name)
            self._state.tallies.pop(old_name, None)
            self._memory.replace(family, rows, withdrawn)
            self._changed(family)

    def _kept(self, family: Family, ids: Sequence[str]) -> Iterator[Row]:
        for start in range(0, len(ids), 500):
            yield from self.rows(family, ids[start : start + 500])

    def set_vectors(self, family: Family, embedded: Iterable[EmbeddedRow]) -> None:
        """Give rows their embeddings; rows that are gone or have changed since they were read are skipped."""
        by_id = {one.id: one for one in embedded}
        with self._turn():
            rows = [row for row in self.rows(family, by_id) if by_id[str(row["id"])].payload == row["payload"]]
            for row in rows:
                embedding = by_id[str(row["id"])].embedding
                row["embedding"], row["passages"], row[HAS_VECTOR] = embedding.vector, embedding.passages, 1
            if rows:
                if self.in_milvus:
                    self.store.upsert(family, rows)
                self._memory.embedded(family, rows)
                self._changed(family)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write into the ledger, after what it tells of has been stored."""
        with self._turn():
            if self.in_milvus:
                self.store.note(entries)
            self._state.versions[LEDGER] = version = self._state.versions.get(LEDGER, 0) + 1
            if self._memory.is_local:
                self._memory.file.note(entries, version)
            self._count_files()

    def close(self) -> None:
        """Release Milvus, and note the files that its last merging left."""
        with self._opening:
            milvus, self._milvus = self._milvus, None
        if milvus is None:
            return
        milvus.store.close()
        with contextlib.suppress(StoreError, OSError):
            self._count_files()
