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
import shutil
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
from lorekeeper_mcp.sharing.owner_file import OwnerCard, OwnerSilentError, publish, published, withdraw
from lorekeeper_mcp.sharing.owner_link import Health, OwnerGoneError, OwnerLink
from lorekeeper_mcp.sharing.store_paths import clear_standby, lock_file, own_folder, standby_folder
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError
from lorekeeper_mcp.store.lite.ownership import check_path
from lorekeeper_mcp.store.lite.standby_copy import copy_store
from lorekeeper_mcp.store.schema import ledger_name

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
T = TypeVar("T")
Serve = Callable[[LazyRepository], FastMCP]
_WATCH_SECONDS = 0.5  # between two looks at whether the owner has gone
_ELECTION_SECONDS = 30.0  # the longest that a call waits for an owner to appear
_ANSWER_SECONDS = 60.0  # the longest that a call is asked again
_POLL_SECONDS = 0.05


class _NoCopyError(RuntimeError):
    """There is no sound copy of the store."""


class Membership:
    """Answers through the owner of a store, or as its owner. Close it with ``aclose``."""

    def __init__(
        self,
        settings: Settings,
        activity: IdleTracker,
        serve: Serve,
        *,
        patient: bool = False,
        copy_of: Path | None = None,
    ) -> None:
        """``serve`` makes what the others ask if this process owns the store; ``copy_of`` is what it stands in for."""
        self._settings = settings
        self._shape = ledger_name()  # it changes with everything that is stored
        self._serve = serve
        self._patient = patient
        self._copy_of = copy_of
        self._store = settings.milvus_db_path if settings.milvus_uri is None else None
        self._joining = asyncio.Lock()
        self._ownership = contextlib.AsyncExitStack()
        self._link: OwnerLink | None = None
        self._owned: asyncio.Future[LazyRepository] | None = None
        self._silent = False  # the owner holds the lock and does not reply
        self._standby: Membership | None = None
        self._standing_down: asyncio.Task[None] | None = None
        self._asked_aside = 0  # answers under way through the standby
        self.activity = activity
        self.repository: LazyRepository | None = None

    async def answer(
        self, here: Callable[[], Awaitable[T]], there: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]
    ) -> T:
        """Return an answer made here if this process owns the store, else the owner's.

        What is asked only reads: it is asked again if the owner goes before it has answered, and of a copy of the store
        if the owner holds the store and does not reply.
        """
        until = time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < until:
            if self._silent:
                try:
                    return await self._aside(here, there)
                except _NoCopyError:  # the owner runs after all, or there is no room
                    self._silent = False
            link = None
            try:
                if (link := await self.join()) is None:
                    return await here()
                return await link.ask(there)
            except OwnerGoneError:
                await self._leave(link)
            except OwnerSilentError:
                self._silent = self._copy_of is None
        raise StoreUnavailableError("The process that owns the cache does not reply; end it, and ask again.")

    async def _aside(
        self, here: Callable[[], Awaitable[T]], there: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]
    ) -> T:
        """Return an answer from the copy. Raises _NoCopyError."""
        self._asked_aside += 1
        try:
            return await self._stand_by().answer(here, there)
        finally:
            self._asked_aside -= 1

    def _stand_by(self) -> Membership:
        """The membership of the copy that answers while the owner is silent."""
        if self._standby is None:
            store = self._settings.milvus_db_path
            settings = self._settings.model_copy(update={"milvus_db_path": standby_folder(store) / store.name})
            self._standby = Membership(settings, self.activity, self._serve, patient=self._patient, copy_of=store)
        return self._standby

    async def use(self, work: Callable[[Repository], Awaitable[T]]) -> T:
        """Run work on the repository of the store that this process owns."""
        repository = self.repository or (self._standby.repository if self._standby else None)
        if repository is None:
            raise StoreUnavailableError("Another process owns the cache.")
        return await repository.use(work)

    async def join(self) -> OwnerLink | None:
        """Become the owner if there is none, else connect to it; None for the owner itself."""
        if self.repository is not None:
            return None
        if self._link is not None:
            return self._link
        async with self._joining:
            if self._store is not None and own_folder(self._store, self._shape).exists():
                self._move()
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

    async def _leave(self, link: OwnerLink | None) -> None:
        """Give up a connection whose owner has gone, unless another has taken its place."""
        if link is not None and self._link is link:
            self._link = None
            await link.aclose()

    async def _connected(self) -> OwnerLink | None:
        """A connection to the owner that has published itself; None if it does not answer."""
        if self._store is None or (card := published(self._store)) is None:
            return None
        if card.shape != self._shape:
            self._move()
            return None
        link = OwnerLink(card)
        try:
            await link.open()
        except BaseException as error:  # a cancellation too: the connection is closed in any case
            await link.aclose()
            if isinstance(error, OwnerGoneError):
                return None
            raise
        return link

    def _move(self) -> None:
        """Use a folder of this version's own: another version, which stores other data, has the one in the settings."""
        self._store = own_folder(self._settings.milvus_db_path, self._shape)
        self._settings = self._settings.model_copy(update={"milvus_db_path": self._store})

    def _lock(self) -> bool:
        """Take the lock of the store's owner if it is free. Where no lock can be made, nothing can be shared."""
        if self._store is None:
            return True
        store = self._copy_of or self._store
        check_path(store)
        file = lock_file(store, "standby" if self._copy_of else "owner")
        lock = FileLock(file, timeout=0, thread_local=False)
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            return False
        except OSError as error:
            log.info("The cache in %s cannot be shared: %s", store, error)
            self._store = None
            return True
        self._ownership.callback(lock.release)
        return True

    async def _own(self) -> None:
        """Answer for everybody from now on."""
        try:
            self.repository = await self._begin()
        except BaseException:  # a cancellation too
            await self._ownership.aclose()  # frees the lock
            raise
        self._silent = False
        if self._owned is not None and not self._owned.done():
            self._owned.set_result(self.repository)

    async def _begin(self) -> LazyRepository:
        notice = ""
        if self._copy_of is not None:
            notice = await self._copy(self._copy_of, self._settings.milvus_db_path)
        elif self._store is not None:
            clear_standby(self._store)
        repository = LazyRepository(self._settings, self.activity, patient=self._patient, notice=notice)
        self._ownership.push_async_callback(repository.aclose)
        if self._store is not None:
            await self._host(self._store, repository)
        return repository

    async def _copy(self, store: Path, to: Path) -> str:
        """Copy the store of an owner that is silent; what to tell the user. Raises _NoCopyError."""
        self._ownership.callback(shutil.rmtree, to.parent, ignore_errors=True)
        try:
            await asyncio.to_thread(copy_store, store, to)
        except (StoreError, OSError) as error:
            log.info("The cache cannot be copied: %s", error)
            raise _NoCopyError from error
        card = published(store)
        return f"Process {card.pid if card else '?'} owns the cache and does not reply; this is from a copy of it."

    async def _host(self, store: Path, repository: LazyRepository) -> None:
        token = secrets.token_urlsafe(32)
        try:
            port = await self._ownership.enter_async_context(hosting(self._serve(repository), token))
            card = OwnerCard(os.getpid(), port, token, importlib.metadata.version("lorekeeper-mcp"), self._shape)
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

    async def owned_repository(self) -> Repository:
        """Return the open repository of the store that this process owns."""
        return await (await self.owned()).get()

    async def watch(self) -> None:
        """Join, and take the store over when its owner has gone, as long as this runs."""
        while self.repository is None:
            try:
                await self._look()
            except (StoreUnavailableError, OwnerSilentError) as error:
                log.info("No process answers for the cache: %s", error)
            await asyncio.sleep(_WATCH_SECONDS)
        await self._stand_down()

    async def _look(self) -> None:
        """Take over from an owner that has gone, and return to one that replies again."""
        await self.join()
        async with self._joining:
            if self._link is not None and self._lock():
                await self._own()
                await self._leave(self._link)
        if self._silent and self._link is not None and (health := await self._link.health()) is not Health.SILENT:
            self._silent = False
            if health is Health.GONE:
                await self._leave(self._link)
        if not self._silent and not self._asked_aside:
            await self._stand_down()

    async def _stand_down(self) -> None:
        """Close the copy that answered while the owner was silent."""
        while self._asked_aside:  # noqa: ASYNC110 - once in the life of a stopped owner
            await asyncio.sleep(_POLL_SECONDS)
        standby, self._standby = self._standby, None
        if standby is not None:
            self._standing_down = asyncio.create_task(standby.aclose())
            await asyncio.shield(self._standing_down)

    async def aclose(self) -> None:
        """Leave: an owner stops answering, closes the store and frees the lock, in this order."""
        for closing in (self._standing_down, self._standby.aclose() if self._standby else None):
            if closing is not None:
                await closing
        await self._leave(self._link)
        await self._ownership.aclose()
