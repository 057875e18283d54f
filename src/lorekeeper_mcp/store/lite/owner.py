"""Opening a local store: as its owner, or attached to the process that owns it.

Milvus Lite lets one process own a folder. The owner publishes its loopback address beside the folder in a
file that only the user can read; other processes of the user attach to it, and one of them takes over when it
has gone. A folder that is damaged, or of an older format, is quarantined and a new one begun.
"""

from __future__ import annotations

import contextlib
import logging
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from lorekeeper_mcp.store.errors import OlderFormatError, StoreError, StoreFullError
from lorekeeper_mcp.store.lite.connection import advertise, connect, is_locked, owner, release_lock
from lorekeeper_mcp.store.lite.integrity import (
    IntegrityFile,
    IntegrityState,
    RowDigest,
    damaged_files,
    drop_unsettled_indexes,
    immutable_files,
    remove_orphans,
)
from lorekeeper_mcp.store.lite.locks import StoreLocks
from lorekeeper_mcp.store.lite.ownership import check_path, claim
from lorekeeper_mcp.store.lite.quarantine import quarantine
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import Catalogs, KnownState, OpenStore, read_catalogs

log = logging.getLogger(__name__)
_OWNER_SECONDS = 15.0  # how long a process waits for the owner of the folder to answer


class _DamagedError(StoreError):
    """The store is not as the account says; the message says what differs."""


def open_local(path: Path, encoder: str, known: KnownState, abandoned: Callable[[], bool]) -> OpenStore:
    """Own the store in a folder, or attach to its owner. Raises StoreError, or OSError where it cannot be used."""
    until = time.monotonic() + _OWNER_SECONDS
    locks = StoreLocks(path)
    while True:
        with locks.opening() as mine:  # nobody else probes the lock or opens the folder at this moment
            if mine and not is_locked(path):
                return own(path, encoder, known)
        if (opened := _attach(path, encoder, known)) is not None:
            return opened
        # An owner that has just started has not yet published its address; one that has just gone frees the lock.
        if time.monotonic() > until or abandoned():
            raise StoreError("The process that uses it does not answer.")
        time.sleep(random.uniform(0.02, 0.1))  # noqa: S311 - so that those who wait do not try all at once


def _attach(path: Path, encoder: str, known: KnownState) -> OpenStore | None:
    """The store of the folder's owner, or None where nobody answers at the address it published."""
    said = owner(path)
    if said is None:
        return None
    account = IntegrityFile(path)
    try:
        state = account.read() or IntegrityState()
        store = MilvusStore(connect(said[0]), encoder)
        store.prepare()
        return OpenStore(store, account, state, read_catalogs(store, known, state))
    except StoreError:
        return None


def own(path: Path, encoder: str, known: KnownState) -> OpenStore:
    """Become the owner of the folder. One that is damaged or of an older format is quarantined and replaced."""
    check_path(path)  # a second look: waiting for another owner takes a while
    try:
        return _opened(path, encoder, known)
    except StoreFullError:
        raise
    except (OlderFormatError, StoreError) as error:
        release_lock(path)
        if not path.exists() or not os.access(path.parent, os.W_OK) or not _writable(path):
            raise
        fault = error
    aside = quarantine(path)
    log.warning("The cache was quarantined as %s: %s", aside, fault)
    older = isinstance(fault, OlderFormatError)
    notice = (
        f"The cache {'was of an older format' if older else 'was damaged'} and has been quarantined as {aside.name}; "
        "a new one is being filled from the embedded SRD, Open5e and imported books."
    )
    opened = _opened(path, encoder, KnownState())
    return OpenStore(opened.store, opened.account, opened.state, opened.catalogs, notice)


def _writable(path: Path) -> bool:
    """Whether the folder itself may be written, so that a fault in opening it is the store's own."""
    return os.access(path, os.W_OK) and (not (path / "LOCK").exists() or os.access(path / "LOCK", os.W_OK))


def _opened(path: Path, encoder: str, known: KnownState) -> OpenStore:
    claim(path)
    account = IntegrityFile(path)
    state = account.read()
    damaged = damaged_files(path, state or IntegrityState())
    if state is not None and damaged:
        raise _DamagedError(f"{', '.join(damaged[:3])} is not as it was written")
    drop_unsettled_indexes(path, state or IntegrityState())
    remove_orphans(path)
    store = MilvusStore(connect(str(path)), encoder, path)
    try:
        store.prepare()
        store.flush()
        catalogs = read_catalogs(store, known, state or IntegrityState())
        state = _agreed(store, state, catalogs)
        store.drop_left_over()
    except StoreError:
        store.close()
        raise
    state.files = immutable_files(path, state.files)
    with contextlib.suppress(OSError):  # on a full disk the account of before stands
        account.write(state)
    advertise(path)
    return OpenStore(store, account, state, catalogs)


def _agreed(store: MilvusStore, state: IntegrityState | None, catalogs: Catalogs) -> IntegrityState:
    """The account as it is with these rows. Raises _DamagedError where rows are missing that it counts.

    Rows that were being written when a process was killed are taken as they are. Without an account that can be
    read, the rows are taken as they are too: the files are then all that there is to go by.
    """
    agreed = IntegrityState(versions=dict(state.versions) if state else {}, files=dict(state.files) if state else {})
    for family, entries in catalogs.items():
        name = store.collection(family)
        times = {entry.id: entry.updated_at for entry in entries}
        if state is not None:
            unsure = set(state.unsure.get(name, ()))
            sure = {id_: at for id_, at in times.items() if id_ not in unsure}
            if RowDigest().plus(sure) != _expected(state, name):
                raise _DamagedError(f"{family} holds {len(sure)} records, not the {_expected(state, name).rows} stored")
        agreed.tallies[name] = RowDigest().plus(times)
        if state is None or name in state.unsure:
            agreed.versions[family] = agreed.versions.get(family, 0) + 1
    return agreed


def _expected(state: IntegrityState, name: str) -> RowDigest:
    """What a collection should hold. One that the account does not know should be new, and so should its family."""
    alias = name.rpartition("_")[0]
    others = [tally for other, tally in state.tallies.items() if other.rpartition("_")[0] == alias]
    return state.tallies.get(name) or max(others, key=lambda tally: tally.rows, default=RowDigest())
