"""Answers from a copy of the store while the store's owner holds the lock but does not reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

if TYPE_CHECKING:
    from lorekeeper_mcp.repository.lazy_repository import LazyRepository
    from lorekeeper_mcp.sharing.store_member import StoreMember

T = TypeVar("T")
_POLL_SECONDS = 0.05


class NoCopyError(RuntimeError):
    """The store could not be copied completely."""


class Standby:
    """Joins the processes that share the copy when it is first asked, and leaves them when it is closed."""

    def __init__(self, make_member: Callable[[], StoreMember]) -> None:
        """``make_member`` makes this process's member of the copy."""
        self._make_member = make_member
        self._member: StoreMember | None = None
        self._closing: asyncio.Task[None] | None = None
        self._answering = 0  # answers from the copy in progress

    @property
    def is_answering(self) -> bool:
        """Whether an answer from the copy is in progress."""
        return self._answering > 0

    @property
    def repository(self) -> LazyRepository | None:
        """The repository of the copy, if this process owns it."""
        return self._member.repository if self._member else None

    async def answer(
        self, locally: Callable[[], Awaitable[T]], via_owner: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]
    ) -> T:
        """Return an answer from the copy. Raises NoCopyError."""
        self._answering += 1
        try:
            if self._member is None:
                self._member = self._make_member()
            return await self._member.answer(locally, via_owner)
        finally:
            self._answering -= 1

    async def stand_down(self) -> None:
        """Close the copy after its last answer."""
        while self.is_answering:  # noqa: ASYNC110 - once in the life of a stopped owner
            await asyncio.sleep(_POLL_SECONDS)
        member, self._member = self._member, None
        if member is not None:
            self._closing = asyncio.create_task(member.aclose())
            await asyncio.shield(self._closing)

    async def aclose(self) -> None:
        """Close the copy at once."""
        if self._closing is not None:
            await self._closing
        if self._member is not None:
            await self._member.aclose()
