"""A repository that is opened by the first call that needs it: opening takes seconds, starting must not."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from lorekeeper_mcp.settings import Settings

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.repository import Repository

log = logging.getLogger(__name__)
T = TypeVar("T")
_REOPENINGS = 4  # owners of the store that may go one after the other while one call is answered


class LazyRepository:
    """Opens once, whoever asks first, and again when the process that owned the store has gone."""

    def __init__(self, settings: Settings, *, patient: bool = False) -> None:
        self._settings = settings
        self._patient = patient
        self._opening: asyncio.Task[Repository] | None = None
        self._recovering = asyncio.Lock()

    async def use(self, work: Callable[[Repository], Awaitable[T]]) -> T:
        """Run work on the open repository, and again on a newly opened one while the store fails."""
        from lorekeeper_mcp.cache.store import StoreError  # noqa: PLC0415 - imports what opening needs

        for _ in range(_REOPENINGS):
            repository: Repository | None = None
            try:
                repository = await self.get()
                return await work(repository)
            except StoreError as error:
                log.warning("The cache failed and is opened anew: %s", error)
                await self._discard(repository)
        return await work(await self.get())

    async def get(self) -> Repository:
        """The open repository. An opening that failed is tried again by the next call."""
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def _open(self) -> Repository:
        from lorekeeper_mcp.repository.repository import Repository  # noqa: PLC0415 - imports numpy, httpx ...

        return await Repository.open(self._settings, patient=self._patient)

    async def _discard(self, failed: Repository | None) -> None:
        """Close what has failed, so that the next call opens anew; nothing if another call did that already."""
        async with self._recovering:
            opening = self._opening
            current = opening.result() if opening and opening.done() and not opening.exception() else None
            if failed is not None and current is failed:
                self._opening = None
                with contextlib.suppress(RuntimeError):  # what has failed may fail to close
                    await failed.aclose()

    async def aclose(self) -> None:
        """Close it if it was ever opened."""
        if self._opening is not None:
            opened = (await asyncio.gather(self._opening, return_exceptions=True))[0]
            if not isinstance(opened, BaseException):
                await opened.aclose()
