"""A process's role in a shared store: its owner, a relay to the owner, or a standby while the owner does not reply.

The lock in the store's folder elects the owner. The operating system frees it when its holder ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.metadata
import logging
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from filelock import FileLock, Timeout

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.repository.lazy_repository import IdleTracker, LazyRepository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.owner import OwnerCard, OwnerGoneError, OwnerSilentError, publish, read_owner_card, withdraw
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError
from lorekeeper_mcp.store.folder import OWNER_LOCK, SHAPE, check_path, claim, path_of_shape

if TYPE_CHECKING:
    from fastmcp import Client, FastMCP
    from fastmcp.client.transports import StreamableHttpTransport

    from lorekeeper_mcp.repository.repository import Repository
    from lorekeeper_mcp.sharing.owner_link import OwnerLink

log = logging.getLogger(__name__)
T = TypeVar("T")
_WATCH_SECONDS = 0.5  # between two checks whether the owner is gone
_ELECTION_SECONDS = 30.0  # how long a call waits at most for an owner to appear
_ANSWER_SECONDS = 60.0  # how long a call is retried at most
_POLL_SECONDS = 0.05


class StoreMember:
    """One of the processes that share a store: answers as its owner, or through it. Close it with ``aclose``."""

    def __init__(
        self,
        settings: Settings,
        make_host: Callable[[LazyRepository], FastMCP],
        *,
        wait_for_model: bool = False,
        hosts_after: float = 0.0,
    ) -> None:
        """``make_host`` makes the server that relays ask if this process is the owner.

        ``hosts_after`` are the seconds for which an owner serves nobody else, since it may be done before.
        """
        self._hosts_after = hosts_after
        self._settings = settings
        self._make_host = make_host
        self._wait_for_model = wait_for_model
        self._store = settings.milvus_db_path
        self._is_shared = settings.milvus_uri is None  # each process connects to a Milvus server itself
        self._joining = asyncio.Lock()
        self._ownership = contextlib.AsyncExitStack()
        self._link: OwnerLink | None = None
        self._is_owner_silent = False  # it holds the lock and does not reply
        self._standby: Standby | None = None
        self.activity = IdleTracker()
        self.repository: LazyRepository | None = None

    async def answer(
        self, locally: Callable[[], Awaitable[T]], via_owner: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]
    ) -> T:
        """Return the answer of ``locally`` if this process owns the store, otherwise of ``via_owner``.

        Both must only read: the call is retried if the owner ends before it has answered, and answered from a copy of
        the store if the owner holds the lock but does not reply.
        """
        until = time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < until:
            if self._is_owner_silent:
                self._standby = self._standby or Standby(self._settings, wait_for_model=self._wait_for_model)
                with self._standby.activity.answering():
                    return await locally()  # which uses the standby, see ``use``
            try:
                joined = await self.join()
                if isinstance(joined, LazyRepository):
                    return await locally()
                return await joined.ask(via_owner)
            except OwnerGoneError:
                await self._leave(joined)
            except OwnerSilentError:
                self._is_owner_silent = True
        raise OwnerSilentError(read_owner_card(self._store))

    async def use(self, work: Callable[[Repository], Awaitable[T]], families: Iterable[Family] = ()) -> T:
        """Run work on the repository of the store that this process owns."""
        repository = self.repository or self._standby
        assert repository is not None  # as in ``answer``
        return await repository.use(work, families)

    async def join(self) -> LazyRepository | OwnerLink:
        """Become the owner if there is none, otherwise connect to it; return the repository, or the connection."""
        async with self._joining:
            return self.repository or self._link or await self._elect()

    async def _elect(self) -> LazyRepository | OwnerLink:
        """Become the owner or connect to it, whichever is possible first. Raises StoreUnavailableError."""
        if self._is_shared and path_of_shape(self._store).exists():
            self._use_folder_of_this_version()
        until = time.monotonic() + _ELECTION_SECONDS
        while time.monotonic() < until:
            card = read_owner_card(self._store)
            if self._lock():
                return await self._become_owner()
            if card is not None and card.shape != SHAPE:
                self._use_folder_of_this_version()
            elif card is not None and (link := await _connect(card)) is not None:
                self._link = link
                return link
            else:
                await asyncio.sleep(_POLL_SECONDS)
        raise StoreUnavailableError("The process that owns the cache does not reply.")

    async def _leave(self, link: LazyRepository | OwnerLink | None) -> None:
        """Close a connection whose owner is gone, unless it has been replaced already."""
        if link is not None and self._link is link:
            self._link = None
            await link.aclose()

    def _use_folder_of_this_version(self) -> None:
        """Leave the folder in the settings to another version of the program, whose stored data has another shape."""
        self._store = path_of_shape(self._settings.milvus_db_path)
        self._settings = self._settings.model_copy(update={"milvus_db_path": self._store})

    def _lock(self) -> bool:
        """Take the owner's lock if it is free. If no lock can be made, the store is not shared."""
        if not self._is_shared:
            return True
        check_path(self._store)
        try:
            claim(self._store)
            self._ownership.enter_context(FileLock(self._store / OWNER_LOCK, timeout=0, thread_local=False))
        except Timeout:
            return False
        except OSError as error:
            log.info("The cache in %s cannot be shared: %s", self._store, error)
            self._is_shared = False
        return True

    async def _become_owner(self) -> LazyRepository:
        """Open the store and answer for all processes. The lock is held."""
        repository = LazyRepository(self._settings, self.activity, wait_for_model=self._wait_for_model)
        self._ownership.push_async_callback(repository.aclose)
        try:
            if self._is_shared and self._hosts_after:
                later = asyncio.create_task(self._host(repository), name="host")
                self._ownership.push_async_callback(_end, later)
            elif self._is_shared:
                await self._host(repository)
        except BaseException:  # also on cancellation
            await self._ownership.aclose()  # frees the lock
            raise
        self.repository = repository
        self._is_owner_silent = False
        return repository

    async def _host(self, repository: LazyRepository) -> None:
        """Serve the other processes. If that fails, this process answers its own client only."""
        await asyncio.sleep(self._hosts_after)  # until then they wait for the lock
        http_host = await asyncio.to_thread(importlib.import_module, "lorekeeper_mcp.sharing.http_host")
        host, token = self._make_host(repository), secrets.token_urlsafe(32)
        http_host.add_commands(host, repository)
        try:
            port = await self._ownership.enter_async_context(http_host.hosting(host, token))
            card = OwnerCard(os.getpid(), port, token, importlib.metadata.version("lorekeeper-mcp"), SHAPE)
            publish(self._store, card)
            self._ownership.callback(withdraw, self._store, card)
        except OSError as error:
            log.warning("Other processes cannot share the cache in %s: %s", self._store, error)

    async def watch(self) -> LazyRepository:
        """Join, and take over the store when its owner is gone. Return the repository once this process owns it."""
        while True:
            try:
                await self._check_owner()
            except OwnerGoneError:
                await self._leave(self._link)
            except StoreUnavailableError as error:
                log.info("No process answers for the cache: %s", error)
            if self.repository is not None and self._standby is None:
                return self.repository
            await asyncio.sleep(_WATCH_SECONDS)

    async def _check_owner(self) -> None:
        """Take over from an owner that is gone, or return to one that replies again.

        Raises OwnerGoneError, or OwnerSilentError as long as it does not reply.
        """
        await self.join()
        async with self._joining:
            if self._link is not None and self._lock():
                await self._become_owner()
                await self._leave(self._link)
        if self._is_owner_silent and self._link is not None:
            await self._link.check()
            self._is_owner_silent = False
        if not self._is_owner_silent and self._standby is not None and not self._standby.activity.busy():
            standby, self._standby = self._standby, None
            await standby.aclose()

    async def aclose(self) -> None:
        """Leave. An owner stops answering, closes the store and frees the lock, in this order."""
        if self._standby is not None:
            await self._standby.aclose()
        await self._leave(self._link)
        await self._ownership.aclose()


class Standby(LazyRepository):
    """A repository that reads the index of a store whose owner does not reply. ``activity`` counts its answers."""

    def __init__(self, settings: Settings, *, wait_for_model: bool) -> None:
        super().__init__(settings, IdleTracker(), wait_for_model=wait_for_model, read_only=True)

    async def _open(self) -> Repository:
        card = read_owner_card(self._settings.milvus_db_path)
        try:
            repository = await super()._open()
        except (StoreError, OSError) as error:
            raise OwnerSilentError(card) from error
        owner = card.pid if card else "?"
        repository.cache.owner_notice = (
            f"Process {owner} owns the cache and does not reply; this answer is from the index that it left."
        )
        return repository


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _connect(card: OwnerCard) -> OwnerLink | None:
    """Connect to an owner, or return None if it is gone. An owner never imports the client, which takes 0.3 s."""
    await asyncio.to_thread(importlib.import_module, "lorekeeper_mcp.sharing.owner_link")
    from lorekeeper_mcp.sharing.owner_link import OwnerLink  # noqa: PLC0415 - imported in a thread above

    return await OwnerLink.open(card)
