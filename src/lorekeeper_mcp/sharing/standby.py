"""Answers from a copy of the store while the store's owner holds the lock but does not reply."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from filelock import FileLock, Timeout

from lorekeeper_mcp.repository.idle_tracker import IdleTracker
from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.owner_file import read_owner_card, silent_owner_message
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError

_POLL_SECONDS = 0.05
_PREFIX = "lorekeeper-standby-"
_LOCK = "lock"  # held by the process that made the copy


class Standby:
    """A copy of this process's own, made when it is first asked and deleted when it is closed."""

    def __init__(self, activity: IdleTracker, *, wait_for_model: bool) -> None:
        self._activity = activity
        self._wait_for_model = wait_for_model
        self._changing = asyncio.Lock()
        self._copy = contextlib.AsyncExitStack()
        self._answering = 0  # answers from the copy in progress
        self.repository: LazyRepository | None = None

    @property
    def is_answering(self) -> bool:
        """Whether an answer from the copy is in progress."""
        return self._answering > 0

    @contextlib.asynccontextmanager
    async def answering(self, settings: Settings) -> AsyncIterator[None]:
        """Keep a copy of the store in the settings open for an answer. Raises StoreUnavailableError."""
        self._answering += 1
        try:
            async with self._changing:
                if self.repository is None:
                    await self._open(settings)
            yield
        finally:
            self._answering -= 1

    async def _open(self, settings: Settings) -> None:
        from lorekeeper_mcp.store.lite.local_store import copy_store  # noqa: PLC0415 - imports numpy and SQLite

        card = read_owner_card(settings.milvus_db_path)
        try:
            await asyncio.to_thread(delete_abandoned_copies)
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            self._copy.callback(shutil.rmtree, folder, ignore_errors=True)
            self._copy.enter_context(FileLock(folder / _LOCK, timeout=0, thread_local=False))
            copy = folder / settings.milvus_db_path.name
            await asyncio.to_thread(copy_store, settings.milvus_db_path, copy)
        except (StoreError, OSError, Timeout) as error:
            await self._copy.aclose()
            raise StoreUnavailableError(silent_owner_message(card)) from error
        notice = f"Process {card.pid if card else '?'} owns the cache and does not reply; this answer is from a copy."
        settings = settings.model_copy(update={"milvus_db_path": copy})
        self.repository = LazyRepository(settings, self._activity, wait_for_model=self._wait_for_model, notice=notice)
        self._copy.push_async_callback(self.repository.aclose)

    async def stand_down(self) -> None:
        """Close the copy after its last answer."""
        while self.is_answering:  # noqa: ASYNC110 - once in the life of a stopped owner
            await asyncio.sleep(_POLL_SECONDS)
        await self.aclose()

    async def aclose(self) -> None:
        """Close the copy at once."""
        async with self._changing:
            self.repository = None
            await self._copy.aclose()


def delete_abandoned_copies() -> None:
    """Delete the copies of processes that were killed, whose locks are free."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, Timeout), FileLock(folder / _LOCK, timeout=0):
            shutil.rmtree(folder, ignore_errors=True)
