"""Opening the store: a server by URI, the local folder, the process that owns the folder, or a temporary one.

Milvus Lite lets one process own a folder. The owner publishes its loopback address beside the folder in a
file that only the user can read; other processes of the user attach to it, and one of them takes over when it
has gone. A folder that is damaged, or of an older format, is set aside and a new one begun.
"""

from __future__ import annotations

import contextlib
import logging
import os
import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import (
    ForeignPathError,
    OlderFormatError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    translate_errors,
)
from lorekeeper_mcp.store.lite.connection import (
    advertise,
    connect,
    import_pymilvus_silently,
    is_locked,
    owner,
    release_lock,
)
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
from lorekeeper_mcp.store.memory.catalog import Entry, entry_from_row
from lorekeeper_mcp.store.milvus import TIMEOUT, MilvusStore
from lorekeeper_mcp.store.milvus_2_3 import knows_infix

log = logging.getLogger(__name__)
_OWNER_SECONDS = 15.0  # how long a process waits for the owner of the folder to answer

Catalogs = Mapping[Family, list[Entry]]


@dataclass(frozen=True)
class KnownState:
    """What a process knew of the store before its owner went: versions of the families, and their entries."""

    versions: Mapping[str, int] = field(default_factory=dict)
    catalogs: Catalogs = field(default_factory=dict)


@dataclass(frozen=True)
class OpenStore:
    """A store with what it holds in brief, and a sentence for the user where it is not just as the settings name it.

    ``state`` is the account that the catalogs agree with, None for a Milvus server; ``temporary`` is a folder to
    be removed in the end.
    """

    store: MilvusStore
    account: IntegrityFile | None
    state: IntegrityState
    catalogs: Catalogs
    notice: str = ""
    temporary: Path | None = None


class _DamagedError(StoreError):
    """The store is not as the account says; the message says what differs."""


def open_store(
    settings: Settings, remembered: KnownState | None = None, abandoned: Callable[[], bool] = lambda: False
) -> OpenStore:
    """Open what the settings name. Blocks for a second or two: pymilvus alone takes one to import.

    What is ``remembered`` is not read again where the account shows no change since. A local folder that cannot be
    used (read-only, or its owner does not answer) gives way to a temporary one with a notice. Once the caller has
    ``abandoned`` it, no other process is waited for any longer.
    Raises StoreUnavailableError with a sentence where a server was named and does not answer, ForeignPathError where
    the path holds what this program did not make.
    """
    encoder = encoder_identity(settings.embedding_model)
    if settings.milvus_uri is not None:
        import_pymilvus_silently()
        return _server(settings, encoder)
    path = settings.milvus_db_path
    check_path(path)
    import_pymilvus_silently()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _local(path, encoder, remembered or KnownState(), abandoned)
    except ForeignPathError:
        raise
    except (OSError, StoreError) as error:
        log.warning("The cache in %s cannot be used: %s", path, error)
        notice = f"The cache in {path} cannot be used; until that is mended, answers come from a temporary one."
        return _temporary(notice, encoder)


def _local(path: Path, encoder: str, known: KnownState, abandoned: Callable[[], bool]) -> OpenStore:
    until = time.monotonic() + _OWNER_SECONDS
    locks = StoreLocks(path)
    while True:
        with locks.opening() as mine:  # nobody else probes the lock or opens the folder at this moment
            if mine and not is_locked(path):
                return _own(path, encoder, known)
        if (opened := _attach(path, encoder, known)) is not None:
            return opened
        # An owner that has just started has not yet published its address; one that has just gone frees the lock.
        if time.monotonic() > until or abandoned():
            raise StoreError("The process that uses it does not answer.")
        time.sleep(random.uniform(0.02, 0.1))  # noqa: S311 - so that those who wait do not try all at once


def _temporary(notice: str, encoder: str) -> OpenStore:
    """A store in a folder of its own, wherever one can be made: where every disk is full, in memory."""
    fault: Exception | None = None
    for place in (None, "/dev/shm"):  # noqa: S108 - mkdtemp makes a private folder in it
        try:
            folder = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
            opened = _own(folder / "lorekeeper.db", encoder, KnownState())
        except (OSError, StoreError) as error:
            fault = error
            continue
        return OpenStore(opened.store, opened.account, opened.state, opened.catalogs, notice, folder)
    raise StoreUnavailableError(
        "Nothing can be stored here, not even for the time being: make room, or name another folder with --db-path."
    ) from fault


def _server(settings: Settings, encoder: str) -> OpenStore:
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        client = connect(str(settings.milvus_uri).rstrip("/"), token)
        with translate_errors():
            version = client.get_server_version(timeout=TIMEOUT)
        store = MilvusStore(client, encoder, infix=knows_infix(version))
        store.prepare()
        return OpenStore(store, None, IntegrityState(), _catalogs(store))
    except StoreError as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error


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
        return OpenStore(store, account, state, _catalogs(store, known, state))
    except StoreError:
        return None


def _own(path: Path, encoder: str, known: KnownState) -> OpenStore:
    """Become the owner of the folder. One that is damaged or of an older format is set aside, and a new one begun."""
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
    log.warning("The cache was set aside as %s: %s", aside, fault)
    older = isinstance(fault, OlderFormatError)
    notice = (
        f"The cache {'was of an older format' if older else 'was damaged'} and has been set aside as {aside.name}; "
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
        catalogs = _catalogs(store, known, state or IntegrityState())
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


def _catalogs(store: MilvusStore, known: KnownState | None = None, state: IntegrityState | None = None) -> Catalogs:
    """The entries of all rows; those that are remembered where nobody has changed the family since."""
    catalogs: dict[Family, list[Entry]] = {}
    for family in Family:
        if known and state and _unchanged(store, family, known, state):
            catalogs[family] = known.catalogs[family]
        else:
            catalogs[family] = [entry_from_row(row) for row in store.catalog(family)]
    return catalogs


def _unchanged(store: MilvusStore, family: Family, known: KnownState, state: IntegrityState) -> bool:
    version = state.versions.get(family)
    return (
        version is not None and version == known.versions.get(family) and store.collection(family) not in state.unsure
    )


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
