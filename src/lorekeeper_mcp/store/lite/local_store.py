"""A local store: each change is one transaction on its row file, and Milvus is filled later.

A row file that is damaged or lost is made again from Milvus, if Milvus' files have their checksum. If neither half is
whole, both are quarantined and a new store begins.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import shutil
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.catalog import Catalog, Entry, entry_from_row, select
from lorekeeper_mcp.store.errors import (
    OlderFormatError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)
from lorekeeper_mcp.store.lite.folder_marker import check_path, claim, quarantine
from lorekeeper_mcp.store.lite.milvus_folder import fill_folder, make_row_file
from lorekeeper_mcp.store.memory.fulltext_index import FullTextIndex
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.memory.sqlite_connection import RowFileDamagedError, copy_database
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.rows import HAS_VECTOR, Row
from lorekeeper_mcp.store.schema import ledger_name
from lorekeeper_mcp.store.store_files import DAMAGED, IntegrityFile, checksum, has_log, mark_as_damaged, row_files

if TYPE_CHECKING:
    from lorekeeper_mcp.store.memory.vector_matrix import VectorMatrix

log = logging.getLogger(__name__)
_FORMAT = 1  # increase it when the row file's tables change
_SELECTIONS = 4  # of a family that are cached for the next page or question; each entry takes 100 bytes


class LocalStore(OpenStore):
    """The store in a folder: its row file, and the catalog and embeddings in memory."""

    rows: RowFile
    path: Path

    def __init__(self, path: Path, encoder: str, catalog: Catalog) -> None:
        """Open the store. Raises StoreError, or OSError if the folder cannot be used."""
        super().__init__(catalog)
        self.path = path
        self._encoder = encoder
        self._integrity = IntegrityFile(path)
        self._matrices: dict[Family, VectorMatrix] = {}
        self._matrices_lock = threading.Lock()
        self._selections = {family: lru_cache(_SELECTIONS)(self._select) for family in Family}
        claim(path)
        self._open_rows()
        self._words = FullTextIndex(self.rows.searcher)
        self.in_milvus = self.rows.in_milvus and (path / "collections").is_dir()

    # -- opening and closing

    def _open_rows(self) -> None:
        """Open the row file; give a notice for the user if its records are not those that were stored."""
        file = row_file(self.path)
        if file in row_files(self.path):
            try:
                self._open_checked(file)
            except RowFileDamagedError as error:
                log.warning("%s is made again: %s", file, error)
                mark_as_damaged(file)
            else:
                return
        self._integrity.update(row_file=None)
        if row_files(self.path) or (self.path / "collections").exists():
            self.notice = _replace_row_file(self.path, self._encoder, file)
        self._open_checked(file)

    def _open_checked(self, file: Path) -> None:
        """Open or create the row file and load the catalog. Raises RowFileDamagedError, and then the file is closed."""
        if has_log(file):  # a process was killed after it had changed the file
            self._integrity.update(row_file=None)
        recorded = self._integrity.read().row_file
        try:
            self.rows = RowFile(file)
        except StoreFullError as error:  # it can still be read
            log.warning("Nothing can be written to %s: %s", file, error)
            self.rows = RowFile(file, alone=True)
        # SQLite notices few of the ways in which a file can be harmed. In a thread, while the catalog is read.
        with contextlib.ExitStack() as after_error, ThreadPoolExecutor(1) as pool:
            # Now, not when it is forgotten: closing it ends this process's POSIX locks on it, also a later opening's.
            after_error.callback(self.rows.close)
            is_whole = pool.submit(lambda: recorded in (None, checksum(self.rows.content())))
            self._load_catalog()
            if not is_whole.result():
                raise RowFileDamagedError("It does not match its checksum.")
            if not self.rows.has_encoder(self._encoder):
                self._begin()
                self.rows.use_encoder(self._encoder)
                self._load_catalog()
            after_error.pop_all()

    def _load_catalog(self) -> None:
        """Load the catalog from the row file. Raises RowFileDamagedError if a row's checksum is wrong."""
        for family in Family:
            self.catalog.replace(family, map(entry_from_row, self.rows.briefs(family)))

    def close(self, *, is_damaged: bool = False) -> None:
        """Bring the row file to rest and close it. A damaged one is renamed, a temporary folder is deleted."""
        with contextlib.suppress(StoreError, OSError), self._changing:
            if not is_damaged and self._integrity.read().row_file is None:
                self._settle()
        self.rows.close()
        if is_damaged:
            mark_as_damaged(row_file(self.path))
        if self.temporary is not None:
            shutil.rmtree(self.temporary, ignore_errors=True)

    # -- queries

    def candidates(self, where: RecordFilter) -> Mapping[str, Entry]:
        """Return the catalog entries of the records that a filter selects, by id."""
        return self._selections[where.family](where, self.catalog.versions[where.family])

    def _select(self, where: RecordFilter, _version: int) -> Mapping[str, Entry]:
        return select(where, self.catalog.of(where.family))

    def nearest(self, where: RecordFilter, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the nearest records that a filter selects, best first, ties by id."""
        ids = self.candidates(where).keys()
        with self._matrices_lock:
            return self._matrix(where.family).nearest(vector, ids, limit)

    def load(self, family: Family) -> None:
        """Load a family's embeddings."""
        with self._matrices_lock:
            self._matrix(family)

    def _matrix(self, family: Family) -> VectorMatrix:
        """The embeddings of a family, loaded on first use. The lock is held."""
        if family not in self._matrices:
            from lorekeeper_mcp.store.memory.vector_matrix import VectorMatrix  # noqa: PLC0415 - imports numpy

            entries = self.catalog.of(family)
            vectors = self.rows.vectors(family)  # with the ids of the catalog, so that memory has each id once
            self._matrices[family] = VectorMatrix(
                (entries[id_].id if id_ in entries else id_, vector) for id_, vector in vectors
            )
        return self._matrices[family]

    # -- changes

    def _begin(self) -> None:
        """Note that the row file changes: its checksum no longer holds, and Milvus has yet to follow."""
        self.in_milvus = False
        self._integrity.update(row_file=None)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, after the records that they describe are stored."""
        with self._changing:
            self._begin()
            self.rows.note(entries)

    def _write(self, family: Family, rows: Sequence[Row], removed: Collection[str]) -> None:
        self._begin()
        self.rows.put(family, rows, removed)
        self._update_catalog(family, rows, removed)
        with self._matrices_lock:
            if family in self._matrices:
                vectors = [(str(row["id"]), cast(Vector, row["embedding"])) for row in rows if row[HAS_VECTOR]]
                self._matrices[family].put(vectors)
                self._matrices[family].drop([*removed, *(str(row["id"]) for row in rows if not row[HAS_VECTOR])])

    def fill(self) -> None:
        """Bring Milvus in line with the row file, if it is not. Takes seconds, in which other writes wait."""
        with self._changing:
            if not self.in_milvus:
                fill_folder(self.path, self._encoder, self.rows, self._stopping)
                self.rows.in_milvus = self.in_milvus = True
                self._settle()

    def _settle(self) -> None:
        """Record the checksum of the row file, which is now at rest."""
        if self.rows.settle():
            self._integrity.update(row_file=checksum(self.rows.content()))


def open_local_store(path: Path, encoder: str, catalog: Catalog) -> LocalStore:
    """Open the store in a folder, or a temporary one with a notice if the folder cannot be used (it is read-only).

    Raises ForeignPathError if the path has content that this program did not make, or StoreUnavailableError.
    """
    check_path(path)
    try:
        return LocalStore(path, encoder, catalog)
    except (OSError, StoreError) as error:
        log.warning("The cache in %s cannot be used: %s", path, error)
        failure: Exception = error
    for place in (None, "/dev/shm"):  # noqa: S108 - in memory if every disk is full; mkdtemp makes a private folder
        try:
            folder = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
            store = LocalStore(folder / "lorekeeper.db", encoder, catalog)
        except (OSError, StoreError) as error:
            failure = error
            continue
        store.temporary = folder
        store.notice = f"The cache in {path} cannot be used; until this is fixed, answers come from a temporary one."
        return store
    raise StoreUnavailableError(
        "Nothing can be stored here, not even temporarily: free some space, or choose another folder with --db-path."
    ) from failure


def row_file(path: Path) -> Path:
    """The row file of a store. Each shape of rows has its own."""
    shape = f"{_FORMAT} {ledger_name()}"
    return path / f"rows-{hashlib.blake2b(shape.encode(), digest_size=4).hexdigest()}.sqlite"


def _replace_row_file(path: Path, encoder: str, file: Path) -> str:
    """Make the row file from Milvus, or quarantine both and return a notice. Raises StoreError, or OSError."""
    damaged = [other for other in row_files(path) if DAMAGED in other.name]
    try:
        make_row_file(path, encoder, file)
    except (StoreFullError, StoreBusyError):
        raise
    except StoreError as error:
        quarantined = quarantine(path)
        log.warning("The cache was quarantined as %s: %s", quarantined, error)
        is_older = isinstance(error, OlderFormatError) and not damaged
        return (
            f"The cache {'was in an older format' if is_older else 'was damaged'} and has been quarantined as "
            f"{quarantined.name}; a new one is being filled from the embedded SRD, Open5e and imported books."
        )
    for other in damaged:
        other.unlink()
    return ""


def copy_store(store: Path, to: Path) -> None:
    """Copy the row file of a store that another process may be writing to, as of its last whole change.

    Raises StoreError if it cannot be read, OSError if there is no room.
    """
    claim(to)
    copy_database(row_file(store), row_file(to))
