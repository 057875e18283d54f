"""A local store and how its owner opens it: the mirror at once, Milvus only when something is written.

Milvus Lite lets one process own a folder. A folder that is damaged or of an older format is quarantined, and a new one
is filled from the mirror if the integrity file proves the mirror's rows.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import OlderFormatError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.folder_marker import check_path, claim
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
from lorekeeper_mcp.store.lite.local_mirror import open_mirror
from lorekeeper_mcp.store.lite.milvus_connection import connect, import_pymilvus_silently, is_locked, release_lock
from lorekeeper_mcp.store.lite.quarantine import quarantine
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenMilvus, OpenStore
from lorekeeper_mcp.store.schema import LEDGER, collection_name

log = logging.getLogger(__name__)
_BATCH = 500  # rows


class _DamagedError(StoreError):
    """The store does not match its integrity file; the message says what differs."""


def open_local(path: Path, encoder: str, mirror: MemoryMirror) -> OpenStore:
    """Open the store in a folder. Raises StoreError, or OSError if the folder cannot be used."""
    integrity_file = IntegrityFile(path)
    opening = partial(open_milvus, path, encoder, mirror)
    claim(path)
    open_mirror(path, encoder, mirror)
    state = _trusted_state(path, mirror)
    if state is None and _milvus_is_empty(path):
        state = _empty_state(mirror)
        integrity_file.write(state)
    if state is not None:
        return OpenStore(integrity_file, state, None, opening)
    opened = opening()
    return OpenStore(integrity_file, opened.state, opened, opening, opened.notice)


def _milvus_is_empty(path: Path) -> bool:
    """Whether Milvus never had rows: the store is new, or its rows are in the row file alone."""
    integrity_file = IntegrityFile(path)
    if (state := integrity_file.read()) is not None:
        return not state.in_milvus
    return not integrity_file.path.exists() and not (path / "collections").exists()


def _empty_state(mirror: MemoryMirror) -> IntegrityState:
    """Clear the mirror, which may have rows of a deleted store, and return the integrity state of a new store."""
    mirror.clear()
    tallies = {collection_name(family): RowDigest() for family in Family}
    return IntegrityState(in_milvus=False, tallies=tallies, versions={LEDGER: 0})


def _trusted_state(path: Path, mirror: MemoryMirror) -> IntegrityState | None:
    """The integrity state if the mirror has exactly the rows that it counts, otherwise None.

    Unsure rows, which a killed process was writing, are used as the mirror has them until Milvus is opened.
    """
    state, names = IntegrityFile(path).read(), collections_by_alias(path)
    if state is not None and not state.in_milvus:
        return _replay_killed_write(state, mirror)
    if state is None or state.versions.get(LEDGER, 0) != mirror.file.ledger_version():
        return None
    for family in Family:
        name = names.get(collection_name(family), "")
        if state.tallies.get(name) != _digest_without_unsure(mirror.catalog.times(family), state, name):
            return None
    return state


def _digest_without_unsure(times: Mapping[str, int], state: IntegrityState, name: str) -> RowDigest:
    """The digest of a collection's rows without the unsure ones."""
    unsure = frozenset(state.unsure.get(name, ()))
    return RowDigest().plus({id_: at for id_, at in times.items() if id_ not in unsure})


def _replay_killed_write(state: IntegrityState, mirror: MemoryMirror) -> IntegrityState | None:
    """The integrity state of a store without rows in Milvus, including the last write of a killed process.

    The row file stores a change as a whole or not at all, and may be one change ahead of the integrity file.
    None if the row file belongs to another state.
    """
    version = mirror.file.ledger_version() or 0
    if version not in (state.versions[LEDGER], state.versions[LEDGER] + 1):
        return None
    replayed = IntegrityState(in_milvus=False, versions={LEDGER: version})
    for family in Family:
        name, times = collection_name(family), mirror.catalog.times(family)
        if state.tallies.get(name) != _digest_without_unsure(times, state, name):
            return None
        replayed.tallies[name] = RowDigest().plus(times)
    return replayed


def open_milvus(path: Path, encoder: str, mirror: MemoryMirror) -> OpenMilvus:
    """Open Milvus on the folder and bring the mirror in line with it. Importing pymilvus takes a second or more.

    A folder that is damaged or of an older format is quarantined and replaced. Raises StoreError, or OSError if the
    folder cannot be used.
    """
    import_pymilvus_silently()
    if is_locked(path):  # the owner's lock is free, so this is a process that does not know the lock
        raise StoreError("Another process uses it.")
    check_path(path)  # again: the first write may come hours after the store was opened
    trusted = _trusted_state(path, mirror)
    not_in_milvus = trusted if trusted is not None and not trusted.in_milvus else None
    try:
        return _open_checked(path, encoder, mirror, refill=not_in_milvus)
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
    if trusted is not None:
        return _open_checked(path, encoder, mirror, refill=trusted)
    older = isinstance(fault, OlderFormatError)
    notice = (
        f"The cache {'was of an older format' if older else 'was damaged'} and has been quarantined as {aside.name}; "
        "a new one is being filled from the embedded SRD, Open5e and imported books."
    )
    opened = _open_checked(path, encoder, mirror)
    return OpenMilvus(opened.store, opened.state, notice)


def _writable(path: Path) -> bool:
    """Whether the folder can be written to, so that an error while opening it is due to the store itself."""
    return os.access(path, os.W_OK) and (not (path / "LOCK").exists() or os.access(path / "LOCK", os.W_OK))


def _open_checked(path: Path, encoder: str, mirror: MemoryMirror, refill: IntegrityState | None = None) -> OpenMilvus:
    """Open Milvus and check its rows against the integrity file.

    With ``refill``, the integrity state of the mirror, Milvus gets the mirror's rows instead. Raises StoreError.
    """
    integrity_file = IntegrityFile(path)
    state = integrity_file.read() if refill is None else None
    damaged = damaged_files(path, state or IntegrityState())
    if state is not None and damaged:
        raise _DamagedError(f"{', '.join(damaged[:3])} does not match its checksum")
    drop_unsettled_indexes(path, state or IntegrityState())
    remove_orphans(path)
    store = MilvusStore(connect(str(path)), encoder, path)
    try:
        store.prepare()
        store.flush()
        if refill is not None:
            _refill_milvus(store, mirror)
        times = {family: store.times(family) for family in Family}
        before = state or refill
        state = _verified_state(store, state, times, before.versions if before else {})
        store.drop_left_over()
        try:
            _sync_mirror(store, mirror, state, times)
        except StoreFullError as error:
            log.warning("The rows are kept in memory: %s", error)
            mirror.open(None)
            _sync_mirror(store, mirror, state, times)
    except StoreError:
        store.close()
        raise
    state.files = immutable_files(path, state.files)
    with contextlib.suppress(OSError):  # on a full disk the previous file stays
        integrity_file.write(state)
    return OpenMilvus(store, state)


def _refill_milvus(store: MilvusStore, mirror: MemoryMirror) -> None:
    for family in Family:
        ids = list(mirror.catalog.of(family))
        store.delete(family, store.times(family).keys() - set(ids))  # left by an interrupted refill
        for start in range(0, len(ids), _BATCH):
            store.upsert(family, mirror.file.rows(family, ids[start : start + _BATCH]))
    store.note(mirror.file.ledger())


def _sync_mirror(
    store: MilvusStore, mirror: MemoryMirror, state: IntegrityState, times: Mapping[Family, Mapping[str, int]]
) -> None:
    for family in Family:
        if times[family] != mirror.catalog.times(family):
            mirror.follow(store, family)
    version, stored = state.versions.get(LEDGER, 0), store.ledger()
    if version != mirror.file.ledger_version():
        mirror.file.note(stored, version, whole=True)
    elif lost := {id_: entry for id_, entry in mirror.file.ledger().items() if stored.get(id_) != entry}:
        store.note(lost)  # the ledger has no digest that would reveal the loss


def _verified_state(
    store: MilvusStore,
    state: IntegrityState | None,
    times: Mapping[Family, Mapping[str, int]],
    versions: Mapping[str, int],
) -> IntegrityState:
    """The integrity state of the rows in Milvus. Raises _DamagedError if they differ from what ``state`` counts.

    Unsure rows, which a killed process was writing, are accepted as they are. So are all rows if there is no readable
    integrity file to compare them with.
    """
    verified = IntegrityState(versions=dict(versions), files=dict(state.files) if state else {})
    for family, of_family in times.items():
        name = store.collection(family)
        if state is not None:
            found, expected = _digest_without_unsure(of_family, state, name), _expected_digest(state, name)
            if found != expected:
                raise _DamagedError(f"{family} holds {found.rows} records, not the {expected.rows} stored")
        verified.tallies[name] = RowDigest().plus(of_family)
    return verified


def _expected_digest(state: IntegrityState, name: str) -> RowDigest:
    """The digest that a collection should have.

    A collection that the integrity file does not list counts as empty, unless its family had rows in another one.
    """
    alias = name.rpartition("_")[0]
    others = [tally for other, tally in state.tallies.items() if other.rpartition("_")[0] == alias]
    return state.tallies.get(name) or max(others, key=lambda tally: tally.rows, default=RowDigest())
