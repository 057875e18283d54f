"""Answers from a copy of the store while the store's owner holds the lock but does not reply."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from lorekeeper_mcp.repository.idle_tracker import IdleTracker
from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.owner import read_owner_card, silent_owner_message
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

_PREFIX = "lorekeeper-standby-"
_LOCK = "lock"  # held by the process that made the copy


class Standby(LazyRepository):
    """A repository on a copy of the store, which is made on the first call and deleted when it is closed.

    ``activity`` counts the answers from the copy alone.
    """

    def __init__(self, settings: Settings, *, wait_for_model: bool) -> None:
        super().__init__(settings, IdleTracker(), wait_for_model=wait_for_model)
        self._store = settings.milvus_db_path
        self._copy = contextlib.ExitStack()

    async def _open(self) -> Repository:
        from lorekeeper_mcp.store.lite.local_store import copy_store  # noqa: PLC0415 - imports SQLite

        card = read_owner_card(self._store)
        try:
            await asyncio.to_thread(delete_abandoned_copies)
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            self._copy.callback(shutil.rmtree, folder, ignore_errors=True)
            self._copy.enter_context(FileLock(folder / _LOCK, timeout=0, thread_local=False))
            await asyncio.to_thread(copy_store, self._store, folder / self._store.name)
        except (StoreError, OSError, Timeout) as error:
            self._copy.close()
            raise StoreUnavailableError(silent_owner_message(card)) from error
        self._settings = self._settings.model_copy(update={"milvus_db_path": folder / self._store.name})
        repository = await super()._open()
        owner = card.pid if card else "?"
        notice = f"Process {owner} owns the cache and does not reply; this answer comes from a copy of the cache."
        repository.cache.copy_notice = notice
        return repository

    async def aclose(self) -> None:
        """Close the repository and delete the copy."""
        await super().aclose()
        self._copy.close()


def delete_abandoned_copies() -> None:
    """Delete the copies of processes that were killed, whose locks are free."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, Timeout), FileLock(folder / _LOCK, timeout=0):
            shutil.rmtree(folder, ignore_errors=True)
