"""This process's part in a shared store: its owner, or a relay to the process that is.

The lock beside the store decides who owns it; the operating system frees it when its holder ends, however it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import logging
import os
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fastmcp import Client, FastMCP
from fastmcp.client.transports import StreamableHttpTransport
from filelock import FileLock, Timeout

from lorekeeper_mcp.repository.idle_tracker import IdleTracker
from lorekeeper_mcp.repository.lazy import LazyRepository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.http_host import hosting
from lorekeeper_mcp.sharing.owner_file import OwnerCard, publish, published, withdraw
from lorekeeper_mcp.sharing.owner_link import OwnerGoneError, OwnerLink, OwnerSilentError
from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.store.lite.ownership import check_path
from lorekeeper_mcp.store.schema import ledger_name

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
T = TypeVar("T")
Serve = Callable[[LazyRepository], FastMCP]
_WATCH_SECONDS = 0.5  # between two looks at whether the owner has gone
_ELECTION_SECONDS = 30.0  # the longest that a call waits for an owner to appear
_POLL_SECONDS = 0.05


class Membership:
    """Answers through the owner of a store, or as its owner. Close it with ``aclose``."""

    def __init__(self, settings: Settings, activity: IdleTracker, serve: Serve, *, patient: bool = False) -> None:
        """``serve`` makes the server that the other processes ask if this one becomes the owner."""
        self._settings = settings
        self._serve = serve
        self._patient = patient
        self._store = settings.milvus_db_path if settings.milvus_uri is None else None
        self._joining = asyncio.Lock()
        self._ownership = contextlib.AsyncExitStack()
        self._link: OwnerLink | None = None
        self._owned: asyncio.Future[LazyRepository] | None = None
        self.activity = activity
        self.repository: LazyRepository | None = None

    async def answer(
        self, here: Callable[[], Awaitable[T]], there: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]
    ) -> T:
        """Return an answer made here if this process owns the store, else the owner's.

        What is asked only reads: it is asked again if the owner goes before it has answered.
        """
        while True:
            link = await self.join()
            if link is None:
                return await here()
            try:
                return await link.ask(there)
            except OwnerGoneError:
                await self._leave(link)

    async def use(self, work: Callable[[Repository], Awaitable[T]]) -> T:
        """Run work on the repository of the store that this process owns."""
        if self.repository is None:
            raise StoreUnavailableError("Another process owns the cache.")
        return await self.repository.use(work)

    async def join(self) -> OwnerLink | None:
        """Become the owner if there is none, else connect to it; None for the owner itself."""
        if self.repository is not None:
            return None
        if self._link is not None:
            return self._link
        async with self._joining:
            until = time.monotonic() + _ELECTION_SECONDS
            while self.repository is None and self._link is None:
                if self._lock():
                    await self._own()
                elif (link := await self._connected()) is not None:
                    self._link = link
                elif time.monotonic() > until:
                    raise StoreUnavailableError("The process that owns the cache does not answer.")
                else:
                    await asyncio.sleep(_POLL_SECONDS)
            return self._link if self.repository is None else None

    async def _leave(self, link: OwnerLink) -> None:
        """Give up a connection whose owner has gone."""
        if self._link is link:
            self._link = None
            await link.aclose()

    async def _connected(self) -> OwnerLink | None:
        """A connection to the owner that has published itself; None if it does not answer."""
        if self._store is None or (card := published(self._store)) is None:
            return None
        link = OwnerLink(card)
        try:
            await link.open()
        except OwnerGoneError:
            await link.aclose()
            return None
        return link

    def _lock(self) -> bool:
        """Take the lock of the store's owner if it is free. Where no lock can be made, nothing can be shared."""
        if self._store is None:
            return True
        check_path(self._store)
        folder = self._store.with_suffix(".locks")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(folder / "owner.lock", timeout=0, thread_local=False)
            lock.acquire()
        except Timeout:
            return False
        except OSError as error:
            log.info("The cache in %s cannot be shared: %s", self._store, error)
            self._store = None
            return True
        self._ownership.callback(lock.release)
        return True

    async def _own(self) -> None:
        """Answer for everybody from now on."""
        repository = LazyRepository(self._settings, self.activity, patient=self._patient)
        self._ownership.push_async_callback(repository.aclose)
        if self._store is not None:
            await self._host(self._store, repository)
        self.repository = repository
        if self._owned is not None and not self._owned.done():
            self._owned.set_result(repository)

    async def _host(self, store: Path, repository: LazyRepository) -> None:
        token = secrets.token_urlsafe(32)
        try:
            port = await self._ownership.enter_async_context(hosting(self._serve(repository), token))
            card = OwnerCard(os.getpid(), port, token, importlib.metadata.version("lorekeeper-mcp"), ledger_name())
            publish(store, card)
            self._ownership.callback(withdraw, store, card)
        except OSError as error:
            log.warning("Other processes cannot share the cache in %s: %s", store, error)

    async def owned(self) -> LazyRepository:
        """Wait until this process owns the store, and return the repository on it."""
        if self.repository is not None:
            return self.repository
        if self._owned is None:
            self._owned = asyncio.get_running_loop().create_future()
        return await asyncio.shield(self._owned)

    async def watch(self) -> None:
        """Join, and take the store over when its owner has gone, as long as this runs."""
        while self.repository is None:
            try:
                await self.join()
                async with self._joining:
                    if self._link is not None and self._lock():
                        await self._own()
                        await self._leave(self._link)
            except (StoreUnavailableError, OwnerSilentError) as error:
                log.info("No process answers for the cache: %s", error)
            await asyncio.sleep(_WATCH_SECONDS)

    async def aclose(self) -> None:
        """Leave: an owner stops answering, closes the store and frees the lock, in this order."""
        if self._link is not None:
            await self._leave(self._link)
        await self._ownership.aclose()
