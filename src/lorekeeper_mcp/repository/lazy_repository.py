"""A repository that is opened on first use, since opening takes seconds and a server has to start fast.

It tracks whether answers are in progress, so that background work can yield to them.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.repository.deadline import Deadline, counted_from_now
from lorekeeper_mcp.settings import Settings

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

T = TypeVar("T")
PAUSE_SECONDS = 0.3  # after a reply, before more is loaded, since a client lists the tools right after initialization
QUIET_SECONDS = 3.0  # after the start and after each answer, before anything is fetched in the background


class IdleTracker:
    """Counts the answers in progress."""

    def __init__(self) -> None:
        self._answering = 0
        self._last = time.monotonic()
        self.first = asyncio.Event()  # set after the first answer

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Count an answer while the block runs."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            self._last = time.monotonic()
            self.first.set()

    def busy(self) -> bool:
        """Whether an answer is in progress."""
        return self._answering > 0

    async def wait_until_idle(self, seconds: float, at_most: float = math.inf) -> None:
        """Wait until no answer has been in progress for ``seconds``, but no longer than ``at_most`` seconds."""
        until = time.monotonic() + at_most
        while (now := time.monotonic()) < until:
            rest = seconds - (now - self._last)
            if rest <= 0 and not self.busy():
                return
            await asyncio.sleep(min(max(0.05, rest), until - now))


class RepositoryUser(Protocol):
    """Runs work on the open repository: a ``LazyRepository``, or the ``StoreMember`` that owns one."""

    async def use(self, work: Callable[[Repository], Awaitable[T]], families: Iterable[Family] = ()) -> T:
        """Return the result of ``work`` on the open repository, which needs these families first. Raises StoreError."""
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

    async def use(self, work: Callable[[Repository], Awaitable[T]], families: Iterable[Family] = ()) -> T:
        """Run ``work`` on the open repository, which may still be loading after some seconds: see ``is_loading``."""
        with self.activity.answering(), counted_from_now():
            repository = await self._opened()
            deadline = Deadline.of_call(wait_for_model=self._wait_for_model)
            await repository.load(families, deadline.loading_seconds())
            return await work(repository)

    async def get(self) -> Repository:
        """Return the open repository with all of its records."""
        repository = await self._opened()
        await repository.load()
        return repository

    async def _opened(self) -> Repository:
        """The open repository. After a failed opening, the next call retries."""
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
