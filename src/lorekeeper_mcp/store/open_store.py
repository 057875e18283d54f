"""An open store: Milvus, which has the records, and the index beside it, which answers what needs no vectors.

One class for Milvus Lite in a folder and for a Milvus server. Milvus is opened when it is first needed; until then, and
while it cannot be opened, names, filters, lists and words are answered from the index alone. An index that is missing,
damaged, behind or of another version is brought in line with Milvus in one way: ``_catch_up`` copies the rows that
differ, and ``derive`` makes their words.

A change goes to Milvus first. Only in a new store, since importing Milvus and filling it takes longer than all else in
a very first start, records wait in memory until Milvus is opened; if the process is killed before, there is no store
yet and the next one starts again.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.embedding.document_text import searchable_words
from lorekeeper_mcp.embedding.quantization import PASSAGE_BYTES, cosines
from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Kind, Record, Source, family_of
from lorekeeper_mcp.store import folder
from lorekeeper_mcp.store.catalog import Catalog, Entry, entry_from_row, select, texts_of
from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, StoreFullError, StoreLostError
from lorekeeper_mcp.store.filter_expression import expression_of
from lorekeeper_mcp.store.index_file import IndexDamagedError, IndexFile
from lorekeeper_mcp.store.milvus import MilvusStore, spare_memory
from lorekeeper_mcp.store.rows import (
    DATA,
    Row,
    batches,
    brief_fields,
    collection_name,
    decode_payload,
    derived_columns,
    derived_version,
    embedding_columns,
    encode_payload,
)

log = logging.getLogger(__name__)
T = TypeVar("T")
Item = TypeVar("Item", Record, Entry)
KnownEmbeddings = Callable[[Sequence[Record]], Sequence[Embedding | None]]
_SELECTIONS = 16  # that are cached for the next page or question; each entry takes 100 bytes
_DERIVED_AT_ONCE = 100  # rows, some 0.1 s
_FEW = 500  # rows that are read from Milvus by id; more are read by a scan
_WAITING = 8000  # records of a new store that wait for Milvus, each with 14 kB
_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without what others have stored
_MARK = "changed:"  # an entry in the ledger of a server: a random text, which differs after every change

PassageCosines = dict[str, dict[int, float]]
"""Cosine similarities of passages, by record id and the passage's index."""


class OpenStore:
    """The records of a folder or of a server. Everything here blocks and raises StoreError; any thread may read."""

    def __init__(
        self,
        address: Path | str,
        encoder: str,
        catalog: Catalog,
        known: KnownEmbeddings,
        *,
        token: str = "",
        read_only: bool = False,
    ) -> None:
        """Open the index and fill the catalog. ``known`` returns precomputed embeddings.

        ``read_only`` reads the index alone, which another process has open. Raises StoreError, or OSError if the folder
        cannot be used.
        """
        spare_memory()
        self.path = address if isinstance(address, Path) else None
        self._is_ours = self.path is not None and not read_only  # the folder and what is in it
        self.catalog = catalog
        self.notice = ""  # a sentence for the user if the store is not the one that was stored
        self.openings = 1  # reload the ledger when it grows
        self.lacks_words = False  # whether some rows cannot be found by words yet
        self._folder = self.path or Path(tempfile.mkdtemp(prefix="lorekeeper-"))
        self.temporary = None if self.path else self._folder  # to delete when the store is closed
        self._connect = partial(MilvusStore, str(address), encoder, token, before_change=self._begin)
        self._encoder, self._known, self._read_only = encoder, known, read_only
        self._milvus: MilvusStore | None = None
        self._waiting: dict[Family, dict[str, Row]] | None = None  # rows of a new store; None once Milvus has them
        self._changing = threading.RLock()  # held while Milvus is opened, and while rows are written
        self._stopping = threading.Event()
        self._selected = lru_cache(_SELECTIONS)(lambda where, _version: select(where, catalog.of(where.family)))
        if self._is_ours:
            folder.claim(self._folder)
            is_current = folder.has_collections(self._folder, map(collection_name, Family))
            if folder.has_collections(self._folder) and not is_current:
                self._quarantine("was in an older format")
        self.index = self._open_index()  # for queries by words and passages
        if self.path is None:
            self.milvus()

    # -- the index

    def _open_index(self, damage: str = "") -> IndexFile:
        """Open or create the index and load the catalog. A damaged one is deleted, to be made again from Milvus."""
        if self._is_ours and not folder.has_collections(self._folder):
            self._waiting = {family: {} for family in Family}
            damage = damage or "Milvus has nothing yet."
        for file in self._folder.glob(f"{folder.INDEX}*") if damage else ():
            log.info("%s is deleted: %s", file, damage)
            file.unlink()
        recorded = {} if damage or not self._is_ours else folder.read_checksums(self._folder)
        self._is_behind = not recorded and self._waiting is None  # a process was killed after it had written
        try:
            index = IndexFile(self._folder / folder.INDEX, read_only=self._read_only)
            # SQLite notices few of the ways in which a file can be harmed. In a thread, while the catalog is read.
            with contextlib.ExitStack() as on_error, ThreadPoolExecutor(1) as pool:
                on_error.callback(index.close)
                is_whole = pool.submit(lambda: not recorded or recorded["index"] == folder.checksum(index.content()))
                for family in Family:
                    self._load_catalog(index, family)
                if is_whole.result():
                    self.lacks_words = index.lacks_words()
                    on_error.pop_all()
                    return index
            found = "It does not match its checksum."
        except (IndexDamagedError, KeyError, ValueError) as error:  # it may have a row that no version wrote
            if damage or self._read_only:
                raise IndexDamagedError(str(error)) from error
            found = repr(error)
        return self._open_index(found)

    def _load_catalog(self, index: IndexFile, family: Family) -> None:
        self.catalog.replace(family, (entry_from_row(row, self._encoder) for row in index.briefs(family)))

    def remake_index(self, damaged: IndexDamagedError) -> None:
        """Make the index again from Milvus, after SQLite has found it damaged."""
        if self._read_only:
            raise damaged
        with self._changing:
            self.index.close()
            self.index = self._open_index(str(damaged))
            self._with_milvus(self._catch_up)
            self.openings += 1

    # -- Milvus

    def milvus(self) -> MilvusStore:
        """Return Milvus, opened if it is not, with the index in line. Raises StoreError."""
        if (opened := self._milvus) is not None:
            return opened
        with self._changing:
            if self._milvus is None:
                self._milvus = self._open_folder(self.path) if self.path else self._open_milvus()
            return self._milvus

    @property
    def lacks_rows(self) -> bool:
        """Whether nothing is found until the index is made again, which opening Milvus does."""
        return self._is_behind and not self._read_only and not any(self.catalog)

    @property
    def is_milvus_open(self) -> bool:
        """Whether a question by meaning need not wait."""
        return self._milvus is not None

    def _open_milvus(self) -> MilvusStore:
        """Open Milvus, and bring it and the index in line. Raises StoreError, a plain one if Milvus is damaged."""
        recorded = folder.read_checksums(self._folder)
        if recorded and recorded["milvus"] != folder.milvus_checksum(self._folder):
            raise StoreError("Milvus's files do not match their checksum.")
        milvus = self._connect()
        if self.path and not recorded:  # a process was killed after it had changed the files
            milvus.recover()
        if self._waiting is not None:
            for family, rows in self._waiting.items():
                milvus.upsert(family, rows.values())
            milvus.note(self.index.ledger())
            self._waiting = None
        if self._is_behind:
            self._catch_up(milvus)
        return milvus

    def _open_folder(self, path: Path) -> MilvusStore:
        """Open Milvus Lite. Damaged files are quarantined and a new store is begun."""
        if self._read_only or folder.is_locked(path):  # the owner's lock is ours: a process that does not know of it
            raise StoreBusyError("Another process uses Milvus.")
        folder.check_path(path)  # again: this may be hours after the store was opened
        try:
            return self._open_milvus()
        except (StoreError, OSError) as error:
            folder.release_milvus(path)
            # At the interpreter's end no thread starts any more, so that every opening fails.
            is_ending = self._stopping.is_set() or not threading.main_thread().is_alive()
            if type(error) is not StoreError or is_ending or not folder.can_write(path) or folder.is_locked(path):
                raise error if isinstance(error, StoreError) else StoreError(str(error)) from error
            log.warning("Milvus in %s is damaged: %s", path, error)
            self.index.close()
            self._quarantine("was damaged")
            self.index = self._open_index()
            self.openings += 1
            return self._open_milvus()

    def _quarantine(self, why: str) -> None:
        quarantined = folder.quarantine(self._folder)
        log.warning("The cache %s and was quarantined as %s.", why, quarantined)
        self.notice = (
            f"The cache {why} and has been quarantined as {quarantined.name}; "
            "a new one is being filled from the embedded SRD, Open5e and imported books."
        )

    def _with_milvus(self, work: Callable[[MilvusStore], T]) -> T:
        """Run work on Milvus; if the connection was lost, open it again and retry."""
        milvus = self.milvus()
        try:
            return work(milvus)
        except StoreLostError as error:
            log.warning("The store is reopened after an error: %s", error)
        with self._changing:
            if self._milvus is milvus:
                self._close_milvus()
        return work(self.milvus())

    def _close_milvus(self) -> None:
        if self._milvus is not None:
            with contextlib.suppress(Exception):  # one that failed may fail to close, too
                self._milvus.close()
            self._milvus = None
            if self.path:
                folder.release_milvus(self.path)

    # -- closing

    def stop(self) -> None:
        """Cancel writes that have not started; stored rows stay as they are."""
        self._stopping.set()

    def close(self) -> None:
        """Bring the files to rest and close them. A temporary folder is deleted."""
        with self._changing:
            with contextlib.suppress(StoreError, OSError, AttributeError):
                self.settle()
            self._close_milvus()
            self.index.close()
            if self.temporary is not None:
                shutil.rmtree(self.temporary, ignore_errors=True)

    def settle(self) -> None:
        """Flush what was written, and record the checksums of the files, which are then at rest.

        Raises StoreError, OSError, or AttributeError if Milvus Lite does not say when it is at rest.
        """
        with self._changing:
            is_written = self._milvus is not None or any((self._waiting or {}).values())
            if self.path and is_written and not folder.read_checksums(self.path):
                self.milvus().flush()
                folder.wait_for_compaction(self.path)
                if not self._is_behind and self.index.settle():
                    sums = {"milvus": folder.milvus_checksum(self.path), "index": folder.checksum(self.index.content())}
                    folder.write_checksums(self.path, sums)

    # -- the index in line with Milvus

    def _catch_up(self, milvus: MilvusStore) -> None:
        """Copy what differs from Milvus to the index; words follow, see ``derive``.

        Raises a plain StoreError if Milvus has lost records. Without a ledger it has not: a new store was being filled.
        """
        with self._changing:
            self._begin()
            ledger = milvus.ledger()
            for family in Family:
                self._copy_changes(milvus, family, may_lack=self.path is None or not ledger)
            if ledger != self.index.ledger():
                self.index.note(ledger, replacing=True)
                self.openings += 1
            self._is_behind = False

    def _copy_changes(self, milvus: MilvusStore, family: Family, *, may_lack: bool) -> None:
        # The time of the last change and whether there is a vector of our model tell states apart.
        rows = milvus.scan(family, ["id", "updated_at", "encoder"])
        stored = {str(row["id"]): (row["updated_at"], row["encoder"] == self._encoder) for row in rows}
        known = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self.catalog.of(family).items()}
        gone = known.keys() - stored.keys()
        if gone and not may_lack:
            raise StoreError(f"Milvus has lost {len(gone)} records of {family}.")
        changed = {id_ for id_, version in stored.items() if version != known.get(id_)}
        if changed or gone:
            fields = {**brief_fields(family), **DATA}
            rows = milvus.rows(family, changed, fields) if len(changed) <= _FEW else milvus.scan(family, fields)
            for batch in batches(row for row in rows if row["id"] in changed):
                self.index.put(family, [(row, "") for row in batch])
            self.index.put(family, [], gone)
            self.lacks_words = self.lacks_words or bool(changed)
            self._load_catalog(self.index, family)

    def follow(self) -> None:
        """Take in what other processes have stored on a server. Skipped during a long write of this process."""
        if self.path or not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return
        try:
            if self._with_milvus(lambda milvus: milvus.ledger()) != self.index.ledger():
                self._with_milvus(self._catch_up)
                for _ in range(_FEW // _DERIVED_AT_ONCE):  # more are left to the background
                    if not self.derive():
                        break
        finally:
            self._changing.release()

    # -- queries

    def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        return self._selected(where, self.catalog.versions[where.family])

    def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""
        expression = self.expression(where)
        nearest = self._with_milvus(lambda milvus: milvus.nearest(where.family, vector, expression, limit))
        entries = self.catalog.of(where.family)
        return [(id_, cosine) for id_, cosine in nearest if id_ in entries]

    def expression(self, where: RecordFilter) -> str:
        """Return the Milvus expression of a filter."""
        entries = self.catalog.of(where.family)
        return expression_of(where, partial(texts_of, family=where.family, entries=entries))

    def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Iterable[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        entries = self.catalog.of(family)
        ours = [id_ for id_ in ids if (entry := entries.get(id_)) and entry.has_vector]
        return passage_cosines(self.index.passages(family, ours), vectors)

    def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return whole records by id. Those deleted meanwhile are left out."""
        return {id_: corrected(record) for id_, record in self.served_records(entries).items()}

    def served_records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return records as they arrived, without corrections."""
        entries = list(entries)
        payloads: dict[str, str] = {}
        for family, of_family in _by_family(entries).items():
            payloads |= self.index.payloads(family, of_family)
        return {entry.id: decode_payload(entry.kind, payloads[entry.id]) for entry in entries if entry.id in payloads}

    # -- changes

    def put(self, records: Iterable[Record]) -> None:
        """Store records. Those without a precomputed embedding are embedded later."""
        with self._change():
            for family, arrived in _by_family(records).items():
                self._store(family, arrived)

    def delete(self, entries: Iterable[Entry]) -> None:
        """Delete records. Those that are not stored any more are skipped."""
        with self._change():
            for family, removed in _by_family(entries).items():
                self._write(family, [], self.catalog.of(family).keys() & removed.keys())

    def replace(self, family: Family, records: Iterable[Record], is_removed: Callable[[Entry], bool]) -> None:
        """Store records and delete those that ``is_removed`` selects: a reader sees all changes or none."""
        new = {record.id: record for record in records}
        with self._change():
            stored = self.catalog.of(family)
            removed = [id_ for id_, entry in stored.items() if id_ not in new and is_removed(entry)]
            self._store(family, new, removed)

    def set_vectors(self, family: Family, payloads: Mapping[str, str], embeddings: Sequence[Embedding]) -> None:
        """Store the embeddings of records with these payloads by id. Those deleted or changed since are skipped."""
        with self._change():
            stored = self.index.payloads(family, payloads)
            given = zip(payloads.items(), embeddings, strict=True)
            same = {id_: embedding for (id_, payload), embedding in given if stored.get(id_) == payload}
            self._renew(family, self._rows(family, same), same)

    def derive(self) -> bool:
        """Derive columns and words of some outdated rows again; return whether there may be more.

        Outdated are rows of another version of the code and tables, and those that have no words yet.
        """
        with self._change():
            family, ids = self.index.outdated(derived_version(), _DERIVED_AT_ONCE)
            rows = self._rows(family, ids)
            if len(rows) < len(ids):
                raise StoreError(f"Milvus has lost records of {family}.")
            self._renew(family, rows, {})
            self.lacks_words = self.lacks_words and bool(ids)
            return bool(ids)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are flushed."""
        with self._change():
            self._note(entries)

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """Keep other changes out, with Milvus open and the index in line with it.

        After a failure Milvus is closed, so that its next opening brings both in line.
        """
        with self._changing:
            if self._stopping.is_set():
                raise StoreError("LoreKeeper is shutting down.")
            if self._waiting is None or sum(map(len, self._waiting.values())) > _WAITING:
                self.milvus()
            if not folder.can_write(self._folder):
                raise StoreFullError
            try:
                yield
            except StoreError:
                self._is_behind = self._waiting is None
                self._close_milvus()
                raise

    def _store(self, family: Family, arrived: Mapping[str, Record], removed: Collection[str] = ()) -> None:
        """Store records that are not stored as they are, and delete ids."""
        stored = self.index.payloads(family, arrived)
        payloads = {id_: encode_payload(record) for id_, record in arrived.items()}
        changed = {id_: record for id_, record in arrived.items() if stored.get(id_) != payloads[id_]}
        self._update(family, changed, payloads, self._rows(family, changed.keys() & stored.keys()), {}, removed)

    def _renew(self, family: Family, rows: Mapping[str, Row], embeddings: Mapping[str, Embedding]) -> None:
        """Derive columns and words of stored rows again, with new embeddings for some."""
        payloads = {id_: str(row["payload"]) for id_, row in rows.items()}
        records = {id_: decode_payload(Kind(str(row["kind"])), payloads[id_]) for id_, row in rows.items()}
        self._update(family, records, payloads, rows, embeddings)

    def _rows(self, family: Family, ids: Collection[str]) -> Mapping[str, Row]:
        """The whole rows of some records as they are stored."""
        if self._waiting is not None:
            return {id_: row for id_, row in self._waiting[family].items() if id_ in ids}
        rows = self._with_milvus(lambda milvus: list(milvus.rows(family, ids)))
        return {str(row["id"]): row for row in rows}

    def _update(
        self,
        family: Family,
        records: Mapping[str, Record],
        payloads: Mapping[str, str],
        old: Mapping[str, Row],
        embeddings: Mapping[str, Embedding],
        removed: Collection[str] = (),
    ) -> None:
        """Derive the rows of records, as they arrived, from the old ones; write what that changes, and delete ids.

        An embedding is kept while its texts stay. The time of change always grows: a reader that compares times then
        sees every change, even two within one second or after the clock was set back.
        """
        now = int(time.time())
        right = {id_: corrected(record) for id_, record in records.items()}
        columns = {id_: derived_columns(record) for id_, record in right.items()}
        others = [id_ for id_ in right if id_ not in old or old[id_]["texts"] != columns[id_]["texts"]]
        published = [right[id_] for id_ in others if right[id_].document_source is not Source.HOMEBREW]
        found = dict(zip([record.id for record in published], self._known(published) if published else (), strict=True))
        known = {**dict.fromkeys(others), **found, **embeddings}
        changed: list[tuple[Row, str]] = []
        unchanged: list[tuple[Row, str]] = []
        for id_, record in right.items():
            before: Row = old.get(id_, {"created_at": now, "updated_at": now - 1})
            row = before | columns[id_] | {"payload": payloads[id_]}
            if id_ in known:
                row |= embedding_columns(known[id_], self._encoder)
            if row == before:
                unchanged.append((row, searchable_words(record)))
            else:
                row["updated_at"] = max(now, int(str(before["updated_at"])) + 1)
                changed.append((row, searchable_words(record)))
        self._write(family, changed, removed, unchanged)

    def _write(
        self,
        family: Family,
        changed: Sequence[tuple[Row, str]],
        removed: Collection[str] = (),
        unchanged: Sequence[tuple[Row, str]] = (),
    ) -> None:
        """Store rows with their words, and delete ids; Milvus has the unchanged rows.

        In the index that is one step for readers. Milvus is given rows before it and loses them after it: wherever this
        process is killed, Milvus has all that the index has.
        """
        if not (changed or removed or unchanged):
            return
        self._begin()
        rows = {str(row["id"]): row for row, _ in changed}
        if self._waiting is None:
            self._with_milvus(lambda milvus: milvus.upsert(family, rows.values()))
        self.index.put(family, [*changed, *unchanged], removed, derived_version())
        if rows or removed:
            entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in removed}
            entries |= {id_: entry_from_row(row, self._encoder) for id_, row in rows.items()}
            self.catalog.replace(family, entries.values())
        if self._waiting is not None:
            kept = {id_: row for id_, row in self._waiting[family].items() if id_ not in removed}
            self._waiting[family] = kept | rows
            return
        self._with_milvus(lambda milvus: milvus.delete(family, removed))
        if self.path is None and (rows or removed):
            self._note({_MARK: {"change": uuid.uuid4().hex}})

    def _note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        self._begin()
        if self._waiting is None:
            self._with_milvus(lambda milvus: milvus.note(entries))
        self.index.note(entries)

    def _begin(self) -> None:
        """Note that Milvus or the index is about to change."""
        folder.forget_checksums(self._folder)


def _by_family(items: Iterable[Item]) -> dict[Family, dict[str, Item]]:
    """Records or entries by family and id."""
    families: dict[Family, dict[str, Item]] = {}
    for item in items:
        families.setdefault(family_of(item.kind), {})[item.id] = item
    return families


def passage_cosines(packed: Mapping[str, bytes], vectors: Sequence[Vector]) -> PassageCosines:
    """Return the similarity of packed passages, of four bits per number, to the nearest of some vectors."""
    places, similarities = (array.tolist() for array in cosines(b"".join(packed.values()), vectors))
    by_id: PassageCosines = {}
    start = 0
    for id_, passages in packed.items():
        stop = start + len(passages) // PASSAGE_BYTES
        by_id[id_] = dict(zip(places[start:stop], similarities[start:stop], strict=True))
        start = stop
    return by_id
