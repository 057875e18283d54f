"""A repository that is opened on first use, since opening takes seconds and a server has to start fast."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from lorekeeper_mcp.repository.deadline import counted_from_now
from lorekeeper_mcp.repository.idle_tracker import IdleTracker
from lorekeeper_mcp.settings import Settings

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

T = TypeVar("T")


class RepositoryUser(Protocol):
    """Runs work on the open repository: a ``LazyRepository``, or the ``StoreMember`` that owns one."""

    async def use(self, work: Callable[[Repository], Awaitable[T]]) -> T:
        """Return the result of ``work`` on the open repository. Raises StoreError."""
        ...


class LazyRepository:
    """Opens the repository once, on the first call."""

    def __init__(
        self, settings: Settings, activity: IdleTracker, *, wait_for_model: bool = False, read_only: bool = False
    ) -> None:
        self._settings = settings
        self._wait_for_model, self._read_only = wait_for_model, read_only
        self._opening: asyncio.Task[Repository] | None = None
        self.activity = activity

    async def use(self, work: Callable[[Repository], Awaitable[T]]) -> T:
        """Run ``work`` on the open repository."""
        with self.activity.answering(), counted_from_now():
            repository = await self.get()
            await repository.refresh()
            return await work(repository)

    async def get(self) -> Repository:
        """Return the open repository. After a failed opening, the next call retries."""
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def _open(self) -> Repository:
        from lorekeeper_mcp.repository.repository import Repository  # noqa: PLC0415 - imports numpy, httpx ...

        return await Repository.open(
            self._settings, wait_for_model=self._wait_for_model, busy=self.activity.busy, read_only=self._read_only
        )

    async def aclose(self) -> None:
        """Close the repository if it was opened; cancel an opening in progress."""
        if self._opening is not None:
            self._opening.cancel()
            (repository,) = await asyncio.gather(self._opening, return_exceptions=True)
            if not isinstance(repository, BaseException):
                await repository.aclose()
