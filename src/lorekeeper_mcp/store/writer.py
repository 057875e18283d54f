"""The writer: changes to the store, serialised across threads and processes and recorded in the integrity file.

Before rows are written the account names them as unsure, afterwards it counts them: a process that is killed in
between leaves a store that is neither taken for damaged nor trusted too far. What this process holds in memory follows
its own changes, and those of others when ``catch_up`` is called.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from lorekeeper_mcp.models import Family, family_of
from lorekeeper_mcp.store.errors import StoreError, StoreFullError
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, IntegrityState, RowDigest, Signature, immutable_files
from lorekeeper_mcp.store.lite.locks import StoreLocks
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.memory.mirror import PAYLOADS, VECTORS, WORDS, AnyRow, MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.pending_records import FindVectors, PendingRecord, to_rows, with_known_vectors
from lorekeeper_mcp.store.rows import HAS_VECTOR, EmbeddedRow, Row

T = TypeVar("T")
log = logging.getLogger(__name__)
LEDGER = "ledger"
_CLOSE_SECONDS = 1.0  # the longest wait for another process's write at the end; the next owner reads the files itself
_LEAST_BATCH, _BATCHES = 500, 16  # rows read at once, and in how many parts the vectors of a large family are read


class Writer:
    """All writes to one store and to its copy in memory. Everything here blocks."""

    def __init__(
        self, store: MilvusStore, account: IntegrityFile | None, memory: MemoryMirror, find_vectors: FindVectors
    ) -> None:
        self.store = store
        self.locks = StoreLocks(account.store if account else None)
        self._account = account
        self._memory = memory
        self._find_vectors = find_vectors
        self._state = IntegrityState()
        self._seen: Signature | None = None
        self._known: dict[str, int] = {}
        self._stopping = threading.Event()

    def stop(self) -> None:
        """Give up what is not yet being written; what is stored stays as it was."""
        self._stopping.set()

    def _unless_stopped(self, rows: Iterable[T]) -> Iterator[T]:
        for row in rows:
            self._go_on()
            yield row

    def _go_on(self) -> None:
        if self._stopping.is_set():
            raise StoreError("The process ends.")

    # -- following the writes of others

    @property
    def behind(self) -> bool:
        """Whether somebody may have written since this process last looked. Costs one look at a file's time."""
        return self._account is not None and self._account.signature() != self._seen

    def version(self, name: str) -> int:
        """How many changes of a family, or of the ledger, this process knows."""
        return self._known.get(name, 0)

    def start(self, state: IntegrityState) -> None:
        """Begin with an account that the catalog agrees with."""
        self._state = state
        self._known = dict(state.versions)
        self._seen = None  # somebody may have written between the account's being read and this moment

    def catch_up(self) -> None:
        """Read again the families that others have changed; nothing while this process itself changes rows.

        A second thread waits for the first, so that neither answers from older rows.
        """
        with self.locks.reading() as free:
            if not free or self._account is None or not self.behind:
                return
            seen = self._account.signature()
            state = self._account.read()
            # The versions are read before the rows: what changes meanwhile is read at the next look.
            versions = state.versions if state else {}
            for family in Family:
                if versions.get(family, 0) != self.version(family):
                    self._memory.reload(self.store, family)
            self._known |= versions
            self._seen = seen

    def _catch_up(self) -> None:
        """With the turn to write: take over the account, and settle what a killed process left unsure."""
        if self._account is None:
            return
        self._seen = self._account.signature()
        self._state = self._account.read() or self._state
        for family in Family:
            name = self.store.collection(family)
            unsure = name in self._state.unsure or name not in self._state.tallies
            if unsure or self._state.versions.get(family, 0) != self._known.get(family, 0):
                self._memory.reload(self.store, family)
            if unsure:
                self._settle(family, name)
        self._known = dict(self._state.versions)

    def _settle(self, family: Family, name: str) -> None:
        """Count a family as it is now."""
        self._state.unsure.pop(name, None)
        self._state.tallies[name] = RowDigest().plus(self._times(family, self._memory.catalog.of(family)))
        self._told(family)

    def _times(self, family: Family, ids: Iterable[str]) -> dict[str, int]:
        entries = ((id_, self._memory.catalog.get(family, id_)) for id_ in ids)
        return {id_: entry.updated_at for id_, entry in entries if entry is not None}

    def _told(self, name: str) -> None:
        """Write the account with one more change of a family or of the ledger in it."""
        if self._account is None:
            return
        self._state.versions[name] = self._state.versions.get(name, 0) + 1
        self._state.files = immutable_files(self._account.store, self._state.files)
        self._write()
        self._known[name] = self._state.versions[name]

    def _write(self) -> None:
        if self._account is None:
            return
        try:
            self._account.write(self._state)
        except OSError as error:
            raise StoreFullError(str(error)) from error
        self._seen = self._account.signature()

    @contextlib.contextmanager
    def _change(self, family: Family, ids: Iterable[str]) -> Iterator[None]:
        """Rows of a family are being written: unsure while it lasts, counted when it is done."""
        touched = list(ids)
        name = self.store.collection(family)
        tally = self._state.tallies.get(name, RowDigest()).minus(self._times(family, touched))
        if self._account is not None:
            self._state.tallies[name] = tally
            self._state.unsure[name] = touched
            self._write()
        yield
        self._state.unsure.pop(name, None)
        self._state.tallies[name] = tally.plus(self._times(family, touched))
        self._told(family)

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        with self.locks.writing():
            with self.locks.reading():
                self._catch_up()
            with self.locks.changing():
                yield

    # -- what is built in memory when it is first wanted, while nobody here writes

    def load_words(self, family: Family) -> None:
        """Read a family's words, unless they are held."""
        with self.locks.standing():
            if not self._memory.words.holds(family):
                rows = list(self._unless_stopped(self.store.scan(family, WORDS)))
                self._memory.build_words(family, rows)

    def load_vectors(self, family: Family) -> None:
        """Read a family's embeddings, unless they are held. Those on a Milvus server stay there, however many."""
        with self.locks.standing():
            if self._account is not None and not self._memory.vectors.holds(family):
                self._memory.build_vectors(family, self._all(family, VECTORS))

    def load_payloads(self, family: Family) -> None:
        """Read a family's whole records, unless they are held. Those on a Milvus server stay there, however many."""
        with self.locks.standing():
            if self._account is not None and not self._memory.payloads.holds(family):
                self._memory.build_payloads(family, self._all(family, PAYLOADS))

    def _all(self, family: Family, fields: Sequence[str]) -> Iterator[AnyRow]:
        """Large columns of a family in batches, so that the end of the process does not wait for the whole of it.

        Each batch has Milvus Lite go through all rows, so there are only so many.
        """
        batch = max(_LEAST_BATCH, len(self._memory.catalog.of(family)) // _BATCHES)
        return self._unless_stopped(self.store.scan(family, fields, batch=batch))

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
                    self.store.upsert(family, rows)
                    self._memory.put(family, rows)

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Remove records; those that are not there are passed over."""
        gone = list(ids)
        with self._turn(), self._change(family, gone):
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
            for old in self.store.rows(family, (id_ for id_ in new if id_ in catalog)):
                row = fresh[str(old["id"])]
                if not new[str(row["id"])].embedding and old["words"] == row["words"] and old[HAS_VECTOR] == 1:
                    row["embedding"], row["passages"], row[HAS_VECTOR] = old["embedding"], old["passages"], 1
            name = self.store.build(family, self._unless_stopped(chain(self._kept(family, kept), rows)))
            times = {id_: catalog[id_].updated_at for id_ in kept}
            times |= {id_: int(str(row["updated_at"])) for id_, row in fresh.items()}
            old_name = self.store.collection(family)
            # Both stand in the account until the swap is through, whichever the alias names if this is cut short.
            self._state.tallies[name] = RowDigest().plus(times)
            self._write()
            self.store.swap(family, name)
            self._state.tallies.pop(old_name, None)
            self._memory.replace(family, rows, catalog.keys() - times.keys())
            self._told(family)

    def _kept(self, family: Family, ids: Sequence[str]) -> Iterator[Row]:
        for start in range(0, len(ids), 500):
            yield from self.store.rows(family, ids[start : start + 500])

    def set_vectors(self, family: Family, embedded: Iterable[EmbeddedRow], *, tell: bool) -> None:
        """Give rows their embeddings; rows that are gone or have changed since they were read are passed over.

        Other processes hear of it where ``tell`` says so: each time they would read the whole family again.
        """
        by_id = {one.id: one for one in embedded}
        with self._turn():
            rows = [row for row in self.store.rows(family, by_id) if by_id[str(row["id"])].payload == row["payload"]]
            for row in rows:
                embedding = by_id[str(row["id"])].embedding
                row["embedding"], row["passages"], row[HAS_VECTOR] = embedding.vector, embedding.passages, 1
            if not rows:
                return
            with self._change(family, (str(row["id"]) for row in rows)) if tell else contextlib.nullcontext():
                self.store.upsert(family, rows)
            self._memory.embedded(family, rows)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write into the ledger, after what it tells of has been stored."""
        with self._turn():
            self.store.note(entries)
            self._told(LEDGER)

    def close(self) -> None:
        """Release the store, and note the files that its last merging left, unless another process is writing."""
        self.store.close()
        if self._account is not None and self.store.path is not None:
            with contextlib.suppress(StoreError, OSError), self.locks.writing(_CLOSE_SECONDS):
                state = self._account.read()
                if state is not None:
                    state.files = immutable_files(self._account.store, state.files)
                    self._account.write(state)
