"""Connections to Milvus: a server, or the folder that this process owns."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from lorekeeper_mcp.store.errors import StoreError, translate_errors

if TYPE_CHECKING:
    from pymilvus import MilvusClient

TIMEOUT = 10.0  # seconds for each call to Milvus


def connect(address: str, token: str = "") -> MilvusClient:
    """Connect to a server, or to a folder, which this process then owns. Raises StoreError.

    Silences pymilvus: our own log line about an error is enough.
    """
    from pymilvus import MilvusClient  # noqa: PLC0415 - a second, only when Milvus is opened

    for name in ("pymilvus", "milvus_lite", "grpc"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [logging.NullHandler()]
        logger.propagate = False
    try:
        with translate_errors():
            return MilvusClient(address, token=token, timeout=TIMEOUT)
    except ValueError as error:
        raise StoreError(str(error)[:200]) from error


def release_lock(path: Path) -> None:
    """Free the lock of a folder that this process owns or has tried to own; closing a client does not."""
    from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415 - see connect

    server_manager_instance.release_server(str(path))


def is_locked(path: Path) -> bool:
    """Whether another process holds the folder's lock; on Windows, whether the lock file exists."""
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
