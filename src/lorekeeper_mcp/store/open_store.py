"""An open store: Milvus, which has the records, and the index beside it, which answers what needs no vectors.

One class for Milvus Lite in a folder and for a Milvus server. Milvus is opened when it is first needed; until then, and
while it cannot be opened, names, filters, lists and words are answered from the index alone. An index that is missing,
damaged, behind or of another version is brought in line with Milvus in one way: ``_catch_up`` copies the rows that
differ, and ``derive`` makes their words.
"""

from __future__ import annotations

import contextlib
import logging
import math
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
from lorekeeper_mcp.store.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreLostError,
    StoreRejectedError,
    StoreUnavailableError,
)
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
    to_row,
)

log = logging.getLogger(__name__)
T = TypeVar("T")
Item = TypeVar("Item", Record, Entry)
KnownEmbeddings = Callable[[Sequence[Record]], Sequence[Embedding | None]]
_SELECTIONS = 4  # of a family that are cached for the next page or question; each entry takes 100 bytes
_DERIVED_AT_ONCE = 100  # rows, some 0.1 s
_SENT_AT_ONCE = 500  # rows, so that a kill costs only these
_FEW = 500  # rows that are read from Milvus by id; more are read by a scan
_REOPENING_SECONDS = 60.0  # after a reopening that did not help, in which further faults are raised at once
_FOLLOW_SECONDS = 1.0  # how long an answer waits for a write to end before it does without what others have stored
_MARK = "changed:"  # an entry in the ledger of a server: a random text, which differs after every change


PassageCosines = dict[str, dict[int, float]]
"""Cosine similarities of passages, by record id and the passage's index."""


class StoreDamagedError(StoreError):
    """Milvus has lost records."""


class OpenStore:
    """The records of a folder or of a server. Everything here blocks and raises StoreError; any thread may read."""

    def __init__(
        self,
        address: Path | str,
        token: str,
        encoder: str,
        catalog: Catalog,
        known: KnownEmbeddings,
        *,
        read_only: bool = False,
    ) -> None:
        """Open the index and fill the catalog. ``known`` returns precomputed embeddings.

        ``read_only`` reads the index alone, which another process has open. Raises StoreError, or OSError if the folder
        cannot be used.
        """
        spare_memory()
        self.path = address if isinstance(address, Path) else None
        self.catalog = catalog
        self.notice = ""  # a sentence for the user if the store is not the one that was stored
        self.openings = 1  # reload the ledger when it grows
        self.lacks_words = False  # whether some rows cannot be found by words yet
        self._folder = self.path or Path(tempfile.mkdtemp(prefix="lorekeeper-"))
        self.temporary = None if self.path else self._folder  # to delete when the store is closed
        self._address, self._token, self._encoder, self._known = str(address), token, encoder, known
        self._read_only = read_only
        self._milvus: MilvusStore | None = None
        self._last_reopening = -math.inf
        self._changing = threading.RLock()  # held while Milvus is opened, and while rows are written
        self._stopping = threading.Event()
        self._selections = {family: lru_cache(_SELECTIONS)(self._select) for family in Family}
        if self.path and not read_only:
            folder.claim(self.path)
            ours = map(collection_name, Family)
            if folder.has_collections(self.path) and not folder.has_collections(self.path, ours):
                self._quarantine("was in an older format")
        self._index = self._open_index()
        if self.path is None:
            self.milvus()

    # -- the index

    def _open_index(self, damage: str = "") -> IndexFile:
        """Open or create the index and load the catalog. A damaged one is deleted, to be made again from Milvus."""
        recorded = folder.read_checksums(self._folder)
        self._is_behind = not recorded  # a process was killed after it had written, or there is nothing yet
        try:
            if not damage:
                return self._loaded_index(recorded.get("index"))
        except IndexDamagedError as error:
            if self._read_only:
                raise
            damage = str(error)
        log.info("The index in %s is made again: %s", self._folder, damage)
        for file in self._folder.glob(f"{folder.INDEX}*"):
            file.unlink()
        self._is_behind = True
        return self._loaded_index(None)

    def _loaded_index(self, recorded: folder.Checksum | None) -> IndexFile:
        """Open or create the index and load the catalog. Raises IndexDamagedError, and then it is closed."""
        index = IndexFile(self._folder / folder.INDEX, read_only=self._read_only)
        # SQLite notices few of the ways in which a file can be harmed. In a thread, while the catalog is read.
        with contextlib.ExitStack() as after_error, ThreadPoolExecutor(1) as pool:
            after_error.callback(index.close)
            is_whole = pool.submit(lambda: self._read_only or recorded in (None, folder.checksum(index.content())))
            try:
                for family in Family:
                    self._load_catalog(index, family)
            except (KeyError, ValueError) as error:
                raise IndexDamagedError(f"It has a row that no version wrote: {error!r}") from error
            if not is_whole.result():
                raise IndexDamagedError("It does not match its checksum.")
            self.lacks_words = index.lacks_words()
            after_error.pop_all()
        return index

    def _load_catalog(self, index: IndexFile, family: Family) -> None:
        self.catalog.replace(family, (entry_from_row(row, self._encoder) for row in index.briefs(family)))

    def remake_index(self, damaged: IndexDamagedError) -> None:
        """Make the index again from Milvus, after SQLite has found it damaged."""
        if self._read_only:
            raise damaged
        with self._changing:
            self._index.close()
            self._index = self._open_index(str(damaged))
            self._with_milvus(self._catch_up)
            self.openings += 1

    # -- Milvus

    def milvus(self) -> MilvusStore:
        """Return Milvus, opened if it is not. Raises StoreError."""
        if (opened := self._milvus) is not None:
            return opened
        with self._changing:
            if self._milvus is None:
                self._milvus = self._open_folder(self.path) if self.path else self._open_milvus()
            return self._milvus

    @property
    def lacks_rows(self) -> bool:
        """Whether nothing is found until the index is made again, which opening Milvus does."""
        is_ours = self.path is not None and not self._read_only
        return is_ours and not any(self.catalog) and folder.has_collections(self._folder)

    @property
    def is_milvus_open(self) -> bool:
        """Whether a question by meaning need not wait."""
        return self._milvus is not None

    def _open_milvus(self) -> MilvusStore:
        """Open Milvus, and bring it and the index in line. Raises StoreDamagedError, or another StoreError."""
        recorded = folder.read_checksums(self._folder)
        if recorded and recorded["milvus"] != folder.milvus_checksum(self._folder):
            raise StoreDamagedError("Milvus's files do not match their checksum.")
        try:
            milvus = MilvusStore(self._address, self._encoder, self._token, before_change=self._begin)
        except StoreError as error:
            if self.path:
                raise
            raise StoreUnavailableError(f"The Milvus server at {self._address} does not answer.") from error
        if self.path and not recorded:  # a process was killed after it had changed the files
            milvus.drop_others()
            milvus.flush()
        self._send_pending(milvus)
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
            # Milvus that does not answer, as on a busy machine, says nothing about its files.
            is_other = isinstance(error, StoreBusyError | StoreLostError | StoreFullError | IndexDamagedError | OSError)
            # At the interpreter's end no thread starts any more, so that every opening fails.
            is_ending = self._stopping.is_set() or not threading.main_thread().is_alive()
            if is_other or is_ending or not folder.can_write(path) or folder.is_locked(path):
                raise error if isinstance(error, StoreError) else StoreError(str(error)) from error
            log.warning("Milvus in %s is damaged: %s", path, error)
            self._index.close()
            self._quarantine("was damaged")
            self._index = self._open_index()
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
        """Run work on Milvus; after a fault that this may cure, open it again and retry.

        A lost connection may be back at any time, and a full disk hides Lite's rows; another fault stays.
        """
        milvus = self.milvus()
        try:
            return work(milvus)
        except (StoreRejectedError, StoreBusyError, StoreUnavailableError, IndexDamagedError):
            raise
        except StoreError as error:
            if not isinstance(error, StoreLostError):
                if time.monotonic() - self._last_reopening < _REOPENING_SECONDS:
                    raise
                self._last_reopening = time.monotonic()
            log.warning("Milvus is reopened after an error: %s", error)
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
            with contextlib.suppress(StoreError):
                if self._milvus is not None or self._index.has_pending():
                    self.milvus().flush()
            self._close_milvus()
            with contextlib.suppress(StoreError, OSError):
                self._record_rest()
            self._index.close()
            if self.temporary is not None:
                shutil.rmtree(self.temporary, ignore_errors=True)

    def settle(self) -> None:
        """Flush what was written, and record the checksums of the files, which are then at rest."""
        with self._changing:
            if self._milvus is not None and self.path and not self.is_at_rest():
                self._milvus.flush()
                folder.wait_for_compaction(self.path)
                self._record_rest()

    def is_at_rest(self) -> bool:
        """Whether nothing has been written since the checksums were recorded."""
        return bool(folder.read_checksums(self._folder))

    def _record_rest(self) -> None:
        if not self.path or self._read_only or self._is_behind or self._index.has_pending() or self.is_at_rest():
            return
        if self._index.settle() and folder.has_collections(self.path):
            sums = {"milvus": folder.milvus_checksum(self.path), "index": folder.checksum(self._index.content())}
            folder.write_checksums(self.path, sums)

    # -- the index in line with Milvus

    def _catch_up(self, milvus: MilvusStore) -> None:
        """Copy what differs from Milvus to the index. Raises StoreDamagedError if Milvus has lost records."""
        with self._changing:
            self._begin()
            ledger = milvus.ledger()
            for family in Family:
                self._copy_changes(milvus, family)
            if ledger != self._index.ledger():
                self._index.note(ledger, replacing=True)
            self._is_behind = False

    def _copy_changes(self, milvus: MilvusStore, family: Family) -> None:
        """Bring a family's rows in line; their words follow, see ``derive``."""
        stored = milvus.versions(family)
        known = {id_: (entry.updated_at, entry.has_vector) for id_, entry in self.catalog.of(family).items()}
        lost = known.keys() - stored.keys()
        if self.path and lost:
            raise StoreDamagedError(f"Milvus has lost {len(lost)} records of {family}.")
        changed = {id_ for id_, version in stored.items() if version != known.get(id_)}
        if changed or lost:
            fields = {**brief_fields(family), **DATA}
            rows = milvus.rows(family, changed, fields) if len(changed) <= _FEW else milvus.scan(family, fields)
            for batch in batches(row for row in rows if row["id"] in changed):
                self._index.put(family, [(row, "") for row in batch])
            self._index.put(family, [], lost)
            self.lacks_words = self.lacks_words or bool(changed)
            self._load_catalog(self._index, family)

    def follow(self) -> None:
        """Take in what other processes have stored on a server. Skipped during a long write of this process."""
        if self.path or not self._changing.acquire(timeout=_FOLLOW_SECONDS):
            return
        try:
            if self._with_milvus(lambda milvus: milvus.ledger()) != self._index.ledger():
                self._with_milvus(self._catch_up)
                self.openings += 1
                for _ in range(_FEW // _DERIVED_AT_ONCE):  # more are left to the background
                    if not self.derive():
                        break
        finally:
            self._changing.release()

    def derive(self) -> bool:
        """Derive columns and words of some outdated rows again; return whether there may be more.

        Outdated are rows of another version of the code and tables, and those that have no words yet.
        """
        with self._change():
            family, ids = self._index.outdated(derived_version(), _DERIVED_AT_ONCE)
            if ids:
                rows = self._with_milvus(lambda milvus: list(milvus.rows(family, ids)))
                if len(rows) < len(ids):
                    raise StoreDamagedError(f"Milvus has lost records of {family}.")
                self._renew(family, rows, {})
            self.lacks_words = self.lacks_words and bool(ids)
            return bool(ids)

    def _renew(self, family: Family, rows: Iterable[Row], embeddings: Mapping[str, Embedding]) -> None:
        """Derive columns and words of stored rows again, with new embeddings for some; write what that changes.

        An embedding is kept while its texts stay. The time of change grows, see ``_new_rows``.
        """
        changed: list[tuple[Row, str]] = []
        unchanged: list[tuple[Row, str]] = []
        for old in rows:
            record = corrected(decode_payload(Kind(str(old["kind"])), str(old["payload"])))
            columns, embedding = derived_columns(record), embeddings.get(record.id)
            if embedding or old["texts"] != columns["texts"]:
                embedding = embedding or self._embeddings([record])[record.id]
                columns |= embedding_columns(embedding, self._encoder)
            new, words = old | columns, searchable_words(record)
            if new == old:
                unchanged.append((old, words))
            else:
                changed_at = max(int(time.time()), int(str(old["updated_at"])) + 1)
                changed.append((new | {"updated_at": changed_at}, words))
        self._write(family, changed, unchanged=unchanged)

    # -- queries

    def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        return self._selections[where.family](where, self.catalog.versions[where.family])

    def _select(self, where: RecordFilter, _version: int) -> Mapping[str, Entry]:
        return select(where, self.catalog.of(where.family))

    def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""
        expression = self.expression(where)
        return self._with_milvus(lambda milvus: milvus.nearest(where.family, vector, expression, limit))

    def expression(self, where: RecordFilter) -> str:
        """Return the Milvus expression of a filter."""
        entries = self.catalog.of(where.family)
        return expression_of(where, partial(texts_of, family=where.family, entries=entries))

    @property
    def index(self) -> IndexFile:
        """The index, for queries by words and passages."""
        return self._index

    def passage_cosines(self, family: Family, vectors: Sequence[Vector], ids: Iterable[str]) -> PassageCosines:
        """Return the similarity of each embedded passage of some records to the nearest of some vectors."""
        entries = self.catalog.of(family)
        ours = [id_ for id_ in ids if (entry := entries.get(id_)) and entry.has_vector]
        return passage_cosines(self._index.passages(family, ours), vectors)

    def records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return whole records by id. Those deleted meanwhile are left out."""
        return {id_: corrected(record) for id_, record in self.served_records(entries).items()}

    def served_records(self, entries: Iterable[Entry]) -> dict[str, Record]:
        """Return records as they arrived, without corrections."""
        entries = list(entries)
        payloads: dict[str, str] = {}
        for family, of_family in _by_family(entries).items():
            payloads |= self._index.payloads(family, of_family)
        return {entry.id: decode_payload(entry.kind, payloads[entry.id]) for entry in entries if entry.id in payloads}

    # -- changes

    def put(self, records: Iterable[Record]) -> None:
        """Store records. Those without a precomputed embedding are embedded later."""
        with self._change():
            for family, arrived in _by_family(records).items():
                self._write(family, self._new_rows(family, arrived))

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
            self._write(family, self._new_rows(family, new), removed)

    def set_vectors(self, family: Family, payloads: Mapping[str, str], embeddings: Sequence[Embedding]) -> None:
        """Store the embeddings of records with these payloads by id. Those deleted or changed since are skipped."""
        with self._change():
            rows = self._with_milvus(lambda milvus: list(milvus.rows(family, payloads)))
            same = (row for row in rows if row["payload"] == payloads[str(row["id"])])
            self._renew(family, same, dict(zip(payloads, embeddings, strict=True)))

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are flushed."""
        with self._change():
            self.milvus()
            self._begin()
            self._with_milvus(lambda milvus: milvus.note(entries))
            self._index.note(entries)

    def _embeddings(self, records: Sequence[Record]) -> dict[str, Embedding | None]:
        """The precomputed embeddings of corrected records by id. Homebrew has none, so it is not looked up."""
        published = [record for record in records if record.document_source is not Source.HOMEBREW]
        known = self._known(published) if published else []
        return dict.fromkeys(record.id for record in records) | {
            record.id: embedding for record, embedding in zip(published, known, strict=True)
        }

    def _new_rows(self, family: Family, arrived: Mapping[str, Record]) -> list[tuple[Row, str]]:
        """Rows and words of records that are not stored as they are. An embedding is kept while its texts stay.

        A stored record keeps its creation time, and its time of change always grows: a reader that compares times then
        sees every change, even two within one second or after the clock was set back.
        """
        now, stored = int(time.time()), self.catalog.of(family)
        payloads = self._index.payloads(family, arrived)
        right = {id_: corrected(record) for id_, record in arrived.items()}
        embeddings = self._embeddings(list(right.values()))
        rows: dict[str, Row] = {}
        for id_, record in arrived.items():
            entry, embedding = stored.get(id_), embeddings[id_]
            if entry and payloads.get(id_) == encode_payload(record) and (entry.has_vector or embedding is None):
                continue
            created, changed = (entry.created_at, max(now, entry.updated_at + 1)) if entry else (now, now)
            rows[id_] = to_row(record, embedding, encoder=self._encoder, created_at=created, updated_at=changed)
        bare = [id_ for id_, row in rows.items() if not row["encoder"] and id_ in stored and stored[id_].has_vector]
        fields = ["id", "texts", *embedding_columns(None, "")]
        for row in self._with_milvus(lambda milvus: list(milvus.rows(family, bare, fields))) if bare else ():
            if row["texts"] == rows[str(row["id"])]["texts"]:
                rows[str(row["id"])] |= row
        return [(row, searchable_words(right[id_])) for id_, row in rows.items()]

    def _is_new(self) -> bool:
        """Whether this is a folder in which Milvus has nothing yet."""
        can_fill = self.path is not None and not self._read_only
        return can_fill and self._milvus is None and not folder.has_collections(self._folder)

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """Keep other changes out, with Milvus open and the index in line with it."""
        with self._changing:
            if self._stopping.is_set():
                raise StoreError("LoreKeeper is shutting down.")
            if not self._is_new():
                self._with_milvus(self._send_pending)  # after a write that failed
            yield

    def _begin(self) -> None:
        """Note that Milvus or the index is about to change."""
        folder.forget_checksums(self._folder)

    def _write(
        self,
        family: Family,
        changed: Sequence[tuple[Row, str]],
        removed: Collection[str] = (),
        unchanged: Sequence[tuple[Row, str]] = (),
    ) -> None:
        """Store rows with their words, and delete ids: first in the index, in one step for readers, then in Milvus.

        What Milvus may lack is pending in the index, so that the next opening sends it if this process is killed.
        Milvus has the unchanged rows.

        In a new store that is all for the time being, since importing Milvus and filling it takes longer than all else
        in a very first start. It is sent when Milvus is opened: by the first ledger entry or question by meaning.
        """
        if changed or removed or unchanged:
            self._begin()
            pending = [*(str(row["id"]) for row, _ in changed), *removed]
            self._index.put(family, [*changed, *unchanged], removed, derived_version(), pending)
        if changed or removed:
            entries = {id_: entry for id_, entry in self.catalog.of(family).items() if id_ not in removed}
            entries |= {entry.id: entry for entry in (entry_from_row(row, self._encoder) for row, _ in changed)}
            self.catalog.replace(family, entries.values())
            if not self._is_new():
                self._with_milvus(self._send_pending)

    def _send_pending(self, milvus: MilvusStore) -> None:
        """Give Milvus the changes that it lacks."""
        is_ahead = self._index.has_pending()
        for family in Family if is_ahead else ():
            while changes := self._index.pending(family, _SENT_AT_ONCE):
                milvus.upsert(family, [row for row in changes.values() if row])
                milvus.delete(family, [id_ for id_, row in changes.items() if not row])
                self._index.forget_pending(family, changes)
        if is_ahead and self.path is None:
            mark = {_MARK: {"change": uuid.uuid4().hex}}
            milvus.note(mark)
            self._index.note(mark)


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
