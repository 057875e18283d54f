"""Opening the store: a server by URI, the local folder, the process that owns the folder, or a temporary one.

Milvus Lite lets one process own a folder. The owner publishes its loopback address beside the folder in a
file that only the user can read; other processes of the user attach to it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lorekeeper_mcp.cache.store import TIMEOUT, Store, StoreError, StoreUnavailableError
from lorekeeper_mcp.settings import Settings

if TYPE_CHECKING:
    from pymilvus import MilvusClient

log = logging.getLogger(__name__)
_OWNER_SECONDS = 15.0  # how long a process waits for the owner of the folder to answer


@dataclass(frozen=True)
class Opened:
    """A store, and a sentence for the user where it is not the one that the settings name."""

    store: Store
    notice: str = ""


def open_store(settings: Settings) -> Opened:
    """Open what the settings name. Blocks for a second or two: pymilvus alone takes one to import.

    A local folder that cannot be used (read-only, damaged) gives way to a temporary one with a notice.
    Raises StoreUnavailableError with a sentence where a server was named and does not answer.
    """
    _import_quietly()
    if settings.milvus_uri is not None:
        return Opened(_server(settings))
    path = settings.milvus_db_path
    until = time.monotonic() + _OWNER_SECONDS
    while True:
        try:
            return Opened(_own(path))
        except (OSError, StoreUnavailableError) as first:
            if (store := _attach(path)) is not None:
                return Opened(store)
            fault = first
        # An owner that has just started has not yet published its address; one that has just gone frees the lock.
        if not _locked(path) or time.monotonic() > until:
            break
        time.sleep(random.uniform(0.05, 0.2))  # noqa: S311 - so that those who wait do not try all at once
    log.warning("The cache in %s cannot be opened: %s", path, fault)
    folder = Path(tempfile.mkdtemp(prefix="lorekeeper-"))
    notice = f"The cache in {path} cannot be opened; until that is mended, answers come from a temporary one."
    return Opened(_own(folder / "lorekeeper.db"), notice)


def _locked(path: Path) -> bool:
    """Whether another process holds the folder's lock; where that cannot be told, whether there is one."""
    lock = path / "LOCK"
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return lock.exists()
    try:
        with lock.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _import_quietly() -> None:
    """Import pymilvus, which sets up a log of its own, and silence it: our own line says enough of a fault."""
    import pymilvus  # noqa: F401, PLC0415 - a second, only when a store is opened

    for name in ("pymilvus", "milvus_lite", "grpc"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.CRITICAL)
        logging.getLogger(name).propagate = False
    for name in list(logging.Logger.manager.loggerDict):
        if name.startswith(("pymilvus.", "milvus_lite.", "grpc.")):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _connect(uri: str, token: str = "") -> MilvusClient:
    from pymilvus import MilvusClient, MilvusException  # noqa: PLC0415 - half a second, only when a store is opened

    try:
        return MilvusClient(uri, token=token, timeout=TIMEOUT)
    except (MilvusException, ValueError) as error:
        raise StoreUnavailableError(str(error)[:200]) from error


def _server(settings: Settings) -> Store:
    from pymilvus import MilvusException  # noqa: PLC0415 - see _connect

    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        return Store(_connect(str(settings.milvus_uri).rstrip("/"), token), None)
    except (MilvusException, StoreError) as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error


def _own(path: Path) -> Store:
    """Become the owner of the folder and say so in the address file."""
    from pymilvus import MilvusException  # noqa: PLC0415 - see _connect

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    client = _connect(str(path))
    try:
        store = Store(client, path)
    except MilvusException as error:
        raise StoreUnavailableError(str(error)[:200]) from error
    from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415 - loaded by the connection

    uri = server_manager_instance.start_and_get_uri(str(path))
    _publish(_address_file(path), uri)
    return store


def _address_file(path: Path) -> Path:
    return path.with_suffix(".owner.json")


def _publish(file: Path, uri: str) -> None:
    """Write the address so that no other process ever reads a half of it."""
    with contextlib.suppress(OSError):  # a full disk keeps others from attaching, not this process from serving
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps({"uri": uri, "pid": os.getpid()}), encoding="utf-8")
        draft.replace(file)


def _attach(path: Path) -> Store | None:
    """The store of the folder's owner, or None where nobody answers at the address it published."""
    from pymilvus import MilvusException  # noqa: PLC0415 - see _connect

    try:
        uri = str(json.loads(_address_file(path).read_text(encoding="utf-8"))["uri"])
        return Store(_connect(uri), None)
    except (OSError, ValueError, KeyError, MilvusException, StoreError):
        return None
