"""A relay's connection to the owner: MCP calls, and a heartbeat that distinguishes slow owners from dead ones."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp.shared.exceptions import MCPError
from mcp.types import CONNECTION_CLOSED

from lorekeeper_mcp.sharing.owner import LOOPBACK, MCP_PATH, OwnerCard, OwnerGoneError, OwnerSilentError, replies

T = TypeVar("T")
_BEAT_SECONDS = 0.5  # between two health checks while a call is pending
_REPLY_SECONDS = 0.75  # timeout of one health check
_SILENCE_SECONDS = 4.0  # without a reply, after which an owner counts as silent; it may only lack processor time
_CLOSE_SECONDS = 1.5
_CALL_SECONDS = 120.0  # timeout of a call


class OwnerLink:
    """A connection to one owner. Open it with ``OwnerLink.open``, close it with ``aclose``."""

    def __init__(self, card: OwnerCard) -> None:
        self.card = card
        url = f"http://{LOOPBACK}:{card.port}{MCP_PATH}"
        # FastMCP passes the options by keyword, though the type of the factory names each of them.
        transport = StreamableHttpTransport(url, auth=card.token, httpx_client_factory=_http_client)  # type: ignore[arg-type]
        self._client = Client(transport, timeout=_CALL_SECONDS)

    @classmethod
    async def open(cls, card: OwnerCard) -> OwnerLink | None:
        """Connect; return None if the owner is gone. Raises OwnerSilentError."""
        link = cls(card)
        try:
            await link.check()
            await link._client.__aenter__()  # type: ignore[no-untyped-call]  # FastMCP leaves it untyped
        except BaseException as error:  # also on cancellation
            await link.aclose()
            if isinstance(error, OwnerSilentError) or not isinstance(error, Exception):
                raise
            return None  # the client raises errors of four libraries
        return link

    async def check(self) -> None:
        """Check the owner's health, several times before it counts as silent.

        Raises OwnerGoneError if nothing listens there, or another process does; OwnerSilentError if the owner listens
        but does not reply: it is stopped, or hangs.
        """
        began = time.monotonic()
        while not await asyncio.to_thread(replies, self.card, _REPLY_SECONDS):
            if time.monotonic() - began >= _SILENCE_SECONDS:
                raise OwnerSilentError(self.card)

    async def ask(self, question: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]) -> T:
        """Return the owner's answer, or raise its error.

        Raises OwnerGoneError or OwnerSilentError if the owner does not answer. A question only reads, so the caller can
        then ask another owner.
        """
        asking = asyncio.ensure_future(question(self._client))
        try:
            while not (await asyncio.wait({asking}, timeout=_BEAT_SECONDS))[0]:
                await self.check()
            if (error := asking.exception()) is not None:
                await self.check()
                if not isinstance(error, MCPError) or error.code == CONNECTION_CLOSED:
                    raise OwnerGoneError from error  # only the connection is gone: the caller connects again
            return asking.result()
        finally:
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())  # marks the error as retrieved
            asking.cancel()
            await asyncio.wait({asking}, timeout=_CLOSE_SECONDS)

    async def aclose(self) -> None:
        """Close the connection, whatever state the owner is in."""
        with contextlib.suppress(Exception):  # the owner may be in any state, and the result does not matter
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._client.close()  # type: ignore[no-untyped-call]  # FastMCP leaves it untyped


def _http_client(**options: Any) -> httpx2.AsyncClient:  # Any, since these are of several types
    """A client for this machine: it ignores proxy settings and follows no redirects."""
    options = {"timeout": httpx2.Timeout(30.0, read=None), **options, "follow_redirects": False}
    return httpx2.AsyncClient(**options, trust_env=False, verify=False)
