"""Milvus Lite's folder, which follows the row file: filled from it, and the source of a new one if it is lost.

Milvus Lite lets one process open a folder, and takes several times the memory of its rows. So it is open only here.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import OlderFormatError, StoreBusyError, StoreError, StoreFullError, translate_errors
from lorekeeper_mcp.store.lite.folder_marker import check_path, delete_milvus_files, milvus_files
from lorekeeper_mcp.store.lite.integrity import IntegrityFile, checksum
from lorekeeper_mcp.store.lite.milvus_connection import (
    connect,
    free_unused_memory,
    import_pymilvus_silently,
    is_locked,
    release_lock,
)
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.schema import ledger_name

log = logging.getLogger(__name__)
_BATCH = 500  # rows
_WORK = "restoring"  # a folder below it


@contextlib.contextmanager
def open_milvus(path: Path, encoder: str) -> Iterator[MilvusStore]:
    """Open Milvus on a folder for a while. Importing pymilvus takes a second or more. Raises StoreError."""
    import_pymilvus_silently()
    if is_locked(path):  # the owner's lock is ours, so this is a process that does not know of it
        raise StoreBusyError("Another process uses it.")
    try:
        store = MilvusStore(connect(str(path)), encoder)
        try:
            yield store
        finally:
            store.close()
    finally:
        release_lock(path)
        free_unused_memory()


@translate_errors()
def fill_folder(path: Path, encoder: str, mirror: MemoryMirror) -> None:
    """Bring Milvus in line with the row file. A killed fill is completed by the next one.

    A folder that is damaged or cannot be used is emptied and filled again. Raises StoreError.
    """
    check_path(path)  # again: this may be hours after the store was opened
    mirror.file.check()  # before Milvus is changed, from which a damaged row file is rebuilt
    integrity = IntegrityFile(path)
    known = integrity.read().milvus
    integrity.update(milvus=None)
    if known is not None and known != checksum(milvus_files(path)):
        log.warning("Milvus' files in %s are not as they were written, and are made again.", path)
        delete_milvus_files(path)
    try:
        _fill(path, encoder, mirror)
    except (StoreFullError, StoreBusyError):
        raise
    except StoreError as error:
        mirror.file.check()  # so the fault is not there
        log.warning("Milvus in %s is filled again: %s", path, error)
        delete_milvus_files(path)
        _fill(path, encoder, mirror)
    integrity.update(milvus=checksum(milvus_files(path)))


def _fill(path: Path, encoder: str, mirror: MemoryMirror) -> None:
    with open_milvus(path, encoder) as store:
        store.prepare()
        store.drop_others()
        for family in Family:
            here = {id_: (entry.updated_at, entry.has_vector) for id_, entry in mirror.catalog.of(family).items()}
            there = store.versions(family)
            store.delete(family, there.keys() - here.keys())
            changed = [id_ for id_, version in here.items() if there.get(id_) != version]
            for start in range(0, len(changed), _BATCH):
                store.upsert(family, mirror.file.rows(family, changed[start : start + _BATCH]))
        store.replace_ledger(mirror.file.ledger())


def make_row_file(path: Path, encoder: str, file: Path) -> None:
    """Make the row file from Milvus as it was filled last.

    It is read from a copy, since opening changes its files, whose checksum is still needed if this process is killed.
    Raises OlderFormatError, StoreError if Milvus is not whole, or OSError.
    """
    if not any((path / "collections").glob(f"{ledger_name()}_*")):
        raise OlderFormatError("Milvus has no collections of this version of LoreKeeper.")
    known = IntegrityFile(path).read().milvus
    if known is None or known != checksum(milvus_files(path)):
        raise StoreError("Milvus' files do not have their checksum.")
    work = path / _WORK
    shutil.rmtree(work, ignore_errors=True)
    try:
        shutil.copytree(path, work / path.name, ignore=shutil.ignore_patterns("LOCK", _WORK))
        with open_milvus(work / path.name, encoder) as store, contextlib.closing(RowFile(work / file.name)) as rows:
            store.prepare()
            rows.use_encoder(encoder)
            for family in Family:
                ids = list(store.versions(family))
                for start in range(0, len(ids), _BATCH):
                    rows.put(family, store.rows(family, ids[start : start + _BATCH]))
            rows.note(store.ledger())
            rows.in_milvus = True
            rows.settle()
        (work / file.name).replace(file)
    finally:
        shutil.rmtree(work, ignore_errors=True)
