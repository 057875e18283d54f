"""Opening a local store as its owner: its rows from the mirror, and Milvus only when something is written.

Milvus Lite lets one process own a folder. A folder that is damaged, or of an older format, is quarantined and a new one
begun, from the mirror's rows where the integrity file vouches for them.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import OlderFormatError, StoreBusyError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.integrity import (
    IntegrityFile,
    IntegrityState,
    RowDigest,
    collections_by_alias,
    damaged_files,
    drop_unsettled_indexes,
    immutable_files,
    remove_orphans,
)
from lorekeeper_mcp.store.lite.milvus_connection import connect, import_pymilvus_silently, is_locked, release_lock
from lorekeeper_mcp.store.lite.ownership import check_path, claim
from lorekeeper_mcp.store.lite.quarantine import quarantine
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.memory.row_files import delete_row_file, is_row_file, row_files
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenMilvus, OpenStore
from lorekeeper_mcp.store.schema import LEDGER, collection_name, ledger_name

log = logging.getLogger(__name__)
_OWNER_SECONDS = 15.0  # how long a process waits for another to free the folder
_POLL_SECONDS = 0.05
_ROW_FILE_FORMAT = 1  # raised by hand when the row file's tables change
_AT_ONCE = 500  # rows that are stored again at a time


class _DamagedError(StoreError):
    """The store is not as the account says; the message says what differs."""


def open_local(path: Path, encoder: str, mirror: MemoryMirror, abandoned: Callable[[], bool]) -> OpenStore:
    """Open the store in a folder. Raises StoreError, or OSError where it cannot be used."""
    account, opening = IntegrityFile(path), partial(open_milvus, path, encoder, mirror, abandoned)
    claim(path)
    _open_mirror(path, encoder, mirror)
    state = _vouched_for(path, mirror)
    if state is None and _is_begun(path):
        state = _begin(mirror)
        account.write(state)
    if state is not None:
        return OpenStore(account, state, None, opening)
    opened = opening()
    return OpenStore(account, opened.state, opened, opening, opened.notice)


def row_file(path: Path, encoder: str) -> Path:
    """The file with the rows of a store: another one for rows of another shape, or embedded by another model."""
    shape = f"{_ROW_FILE_FORMAT} {encoder} {ledger_name()}"
    return path.with_name(f"{path.stem}.rows-{hashlib.blake2b(shape.encode(), digest_size=4).hexdigest()}.sqlite")


def _open_mirror(path: Path, encoder: str, mirror: MemoryMirror) -> None:
    file = row_file(path, encoder)
    if not file.exists():
        for older in row_files(path):
            with contextlib.suppress(OSError):  # on Windows, where another process has it open
                if is_row_file(older):
                    delete_row_file(older)
    try:
        mirror.open(file)
    except StoreFullError as error:
        log.warning("The rows are kept in memory: %s", error)
        mirror.open(None)
    except StoreBusyError:
        raise
    except StoreError as error:
        log.warning("%s is made again: %s", file, error)
        mirror.close()
        delete_row_file(file)
        mirror.open(file)


def _is_begun(path: Path) -> bool:
    """Whether Milvus never had the rows of a store: a new one, or one that only its row file had."""
    account = IntegrityFile(path)
    if (state := account.read()) is not None:
        return not state.in_milvus
    return not account.path.exists() and not (path / "collections").exists()


def _begin(mirror: MemoryMirror) -> IntegrityState:
    """The account of a new store. The mirror forgets what it may hold of another that was deleted."""
    mirror.clear()
    tallies = {collection_name(family): RowDigest() for family in Family}
    return IntegrityState(in_milvus=False, tallies=tallies, versions={LEDGER: 0})


def _vouched_for(path: Path, mirror: MemoryMirror) -> IntegrityState | None:
    """The account, where the mirror holds just the rows that it counts.

    Those that were being written when a process was killed are taken as the mirror has them until Milvus is opened.
    """
    state, names = IntegrityFile(path).read(), collections_by_alias(path)
    if state is not None and not state.in_milvus:
        return _settled(state, mirror)
    if state is None or state.versions.get(LEDGER, 0) != mirror.file.ledger_version():
        return None
    for family in Family:
        name = names.get(collection_name(family), "")
        if state.tallies.get(name) != _sure(mirror.catalog.times(family), state, name):
            return None
    return state


def _sure(times: Mapping[str, int], state: IntegrityState, name: str) -> RowDigest:
    """Rows of a collection without those that were being written."""
    unsure = frozenset(state.unsure.get(name, ()))
    return RowDigest().plus({id_: at for id_, at in times.items() if id_ not in unsure})


def _settled(state: IntegrityState, mirror: MemoryMirror) -> IntegrityState | None:
    """The account of a store whose rows are in the row file alone, with what a killed process was writing.

    The row file takes a change as a whole or not at all, and may be one change ahead of the account.
    None where the file is not the one that the account tells of.
    """
    version = mirror.file.ledger_version() or 0
    if version not in (state.versions[LEDGER], state.versions[LEDGER] + 1):
        return None
    settled = IntegrityState(in_milvus=False, versions={LEDGER: version})
    for family in Family:
        name, times = collection_name(family), mirror.catalog.times(family)
        if state.tallies.get(name) != _sure(times, state, name):
            return None
        settled.tallies[name] = RowDigest().plus(times)
    return settled


def open_milvus(path: Path, encoder: str, mirror: MemoryMirror, abandoned: Callable[[], bool]) -> OpenMilvus:
    """Own the folder, and bring the mirror in line with it. Takes a second or more to import pymilvus.

    A process that ends frees the folder a moment after it has stopped answering. Raises StoreError, or OSError if the
    folder cannot be used.
    """
    import_pymilvus_silently()
    until = time.monotonic() + _OWNER_SECONDS
    while is_locked(path):
        if time.monotonic() > until or abandoned():
            raise StoreError("Another process uses it.")
        time.sleep(_POLL_SECONDS)
    return _own(path, encoder, mirror)


def _own(path: Path, encoder: str, mirror: MemoryMirror) -> OpenMilvus:
    """Become the owner of the folder. One that is damaged or of an older format is quarantined and replaced."""
    check_path(path)  # a second look: waiting for another owner takes a while
    kept = _vouched_for(path, mirror)
    waiting = kept if kept is not None and not kept.in_milvus else None
    try:
        return _opened(path, encoder, mirror, again=waiting)
    except StoreFullError:
        raise
    except (OlderFormatError, StoreError) as error:
        release_lock(path)
        if not path.exists() or not os.access(path.parent, os.W_OK) or not _writable(path):
            raise
        fault = error
    aside = quarantine(path)
    log.warning("The cache was quarantined as %s: %s", aside, fault)
    claim(path)
    if kept is not None:
        return _opened(path, encoder, mirror, again=kept)
    older = isinstance(fault, OlderFormatError)
    notice = (
        f"The cache {'was of an older format' if older else 'was damaged'} and has been quarantined as {aside.name}; "
        "a new one is being filled from the embedded SRD, Open5e and imported books."
    )
    opened = _opened(path, encoder, mirror)
    return OpenMilvus(opened.store, opened.state, notice)


def _writable(path: Path) -> bool:
    """Whether the folder itself may be written, so that a fault in opening it is the store's own."""
    return os.access(path, os.W_OK) and (not (path / "LOCK").exists() or os.access(path / "LOCK", os.W_OK))


def _opened(path: Path, encoder: str, mirror: MemoryMirror, again: IntegrityState | None = None) -> OpenMilvus:
    """Milvus on a folder, checked. A new one is filled with the mirror's rows where they are to be stored ``again``."""
    account = IntegrityFile(path)
    state = account.read() if again is None else None
    damaged = damaged_files(path, state or IntegrityState())
    if state is not None and damaged:
        raise _DamagedError(f"{', '.join(damaged[:3])} is not as it was written")
    drop_unsettled_indexes(path, state or IntegrityState())
    remove_orphans(path)
    store = MilvusStore(connect(str(path)), encoder, path)
    try:
        store.prepare()
        store.flush()
        if again is not None:
            _store_again(store, mirror)
        times = {family: store.times(family) for family in Family}
        before = state or again
        state = _agreed(store, state, times, before.versions if before else {})
        store.drop_left_over()
        try:
            _bring_in_line(store, mirror, state, times)
        except StoreFullError as error:
            log.warning("The rows are kept in memory: %s", error)
            mirror.open(None)
            _bring_in_line(store, mirror, state, times)
    except StoreError:
        store.close()
        raise
    state.files = immutable_files(path, state.files)
    with contextlib.suppress(OSError):  # on a full disk the account of before stands
        account.write(state)
    return OpenMilvus(store, state)


def _store_again(store: MilvusStore, mirror: MemoryMirror) -> None:
    for family in Family:
        ids = list(mirror.catalog.of(family))
        store.delete(family, store.times(family).keys() - set(ids))  # left by a filling that was cut short
        for start in range(0, len(ids), _AT_ONCE):
            store.upsert(family, mirror.file.rows(family, ids[start : start + _AT_ONCE]))
    store.note(mirror.file.ledger())


def _bring_in_line(
    store: MilvusStore, mirror: MemoryMirror, state: IntegrityState, times: Mapping[Family, Mapping[str, int]]
) -> None:
    for family in Family:
        if times[family] != mirror.catalog.times(family):
            mirror.follow(store, family)
    version, there = state.versions.get(LEDGER, 0), store.ledger()
    if version != mirror.file.ledger_version():
        mirror.file.note(there, version, whole=True)
    elif lost := {id_: entry for id_, entry in mirror.file.ledger().items() if there.get(id_) != entry}:
        store.note(lost)  # no tally counts the ledger


def _agreed(
    store: MilvusStore,
    state: IntegrityState | None,
    times: Mapping[Family, Mapping[str, int]],
    versions: Mapping[str, int],
) -> IntegrityState:
    """The account as it is with these rows. Raises _DamagedError where rows are missing that it counts.

    Rows that were being written when a process was killed are taken as they are. Without an account that can be
    read, the rows are taken as they are too: the files are then all that there is to go by.
    """
    agreed = IntegrityState(versions=dict(versions), files=dict(state.files) if state else {})
    for family, of_family in times.items():
        name = store.collection(family)
        if state is not None:
            found, stored = _sure(of_family, state, name), _expected(state, name)
            if found != stored:
                raise _DamagedError(f"{family} holds {found.rows} records, not the {stored.rows} stored")
        agreed.tallies[name] = RowDigest().plus(of_family)
    return agreed


def _expected(state: IntegrityState, name: str) -> RowDigest:
    """What a collection should hold. One that the account does not know should be new, and so should its family."""
    alias = name.rpartition("_")[0]
    others = [tally for other, tally in state.tallies.items() if other.rpartition("_")[0] == alias]
    return state.tallies.get(name) or max(others, key=lambda tally: tally.rows, default=RowDigest())
