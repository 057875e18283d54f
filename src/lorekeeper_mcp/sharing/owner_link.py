"""A relay's connection to the owner: MCP calls, and a heartbeat that distinguishes slow owners from dead ones."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from enum import Enum
from pathlib import Path
from typing import TypeVar

import httpx2
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp.shared.exceptions import MCPError
from mcp.types import CONNECTION_CLOSED

from lorekeeper_mcp.sharing.owner_file import (
    HEALTH_PATH,
    MCP_PATH,
    OwnerCard,
    OwnerGoneError,
    OwnerSilentError,
    silent_owner_message,
)

T = TypeVar("T")
_BEAT_SECONDS = 0.5  # between two health checks while a call is pending
_REPLY_SECONDS = 0.75  # timeout of one health check
_SILENCE_SECONDS = 1.5  # without a reply, after which an owner counts as silent
_BUSY_SECONDS = 5.0  # the same if its process is running according to the system: it may only lack processor time
_CALL_SECONDS = 120.0  # timeout of a call


class Health(Enum):
    """The result of a health check."""

    WELL = "well"
    GONE = "gone"  # nothing listens there, or another process does
    SILENT = "silent"  # it listens but does not reply: stopped, or hung


class OwnerLink:
    """An open connection to one owner. Connect with ``open``, close with ``aclose``."""

    def __init__(self, card: OwnerCard) -> None:
        self.card = card
        self._closed = False
        self._http = _http_client(timeout=httpx2.Timeout(_REPLY_SECONDS))
        transport = StreamableHttpTransport(card.address + MCP_PATH, auth=card.token, httpx_client_factory=_http_client)
        self._client = Client(transport, timeout=_CALL_SECONDS)

    async def health(self) -> Health:
        """Check the owner's health, several times before it counts as silent."""
        began = time.monotonic()
        while True:
            found = await self._health()
            patience = {True: _BUSY_SECONDS, False: 0.0, None: _SILENCE_SECONDS}[_is_running(self.card.pid)]
            if found is not Health.SILENT or time.monotonic() - began >= patience:
                return found

    async def _health(self) -> Health:
        if self._closed:
            return Health.GONE
        authorization = {"Authorization": f"Bearer {self.card.token}"}
        try:
            async with asyncio.timeout(_REPLY_SECONDS):
                reply = await self._http.get(self.card.address + HEALTH_PATH, headers=authorization)
        except (TimeoutError, httpx2.TimeoutException):
            return Health.SILENT
        except (httpx2.HTTPError, RuntimeError):  # RuntimeError: closed meanwhile
            return Health.GONE
        return Health.WELL if reply.is_success else Health.GONE

    async def ask(self, question: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]) -> T:
        """Return the owner's answer, or raise its error.

        Raises OwnerGoneError or OwnerSilentError if the owner does not answer. A question only reads, so the caller can
        then ask another owner.
        """
        asking = asyncio.ensure_future(self._send(question))
        try:
            while not (await asyncio.wait({asking}, timeout=_BEAT_SECONDS))[0]:
                await self._check()
            if (error := asking.exception()) is not None:
                await self._check()
                if not isinstance(error, MCPError) or error.code == CONNECTION_CLOSED:
                    raise OwnerGoneError from error  # only the connection is gone: the caller connects again
            return asking.result()
        finally:
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())  # marks the error as retrieved
            asking.cancel()
            await asyncio.wait({asking}, timeout=_SILENCE_SECONDS)

    async def _check(self) -> None:
        match await self.health():
            case Health.GONE:
                raise OwnerGoneError
            case Health.SILENT:
                raise OwnerSilentError(silent_owner_message(self.card))

    async def _send(self, question: Callable[[Client[StreamableHttpTransport]], Awaitable[T]]) -> T:
        async with self._client as client:
            return await question(client)

    async def open(self) -> None:
        """Connect. Raises OwnerGoneError or OwnerSilentError."""
        await self._check()
        try:
            await self._client.__aenter__()  # type: ignore[no-untyped-call]  # FastMCP leaves it untyped
        except Exception as error:  # the client raises errors of four libraries
            raise OwnerGoneError from error

    async def aclose(self) -> None:
        """Close the connection, whatever state the owner is in."""
        self._closed = True
        with contextlib.suppress(Exception):  # the owner may be in any state, and the result does not matter
            async with asyncio.timeout(_SILENCE_SECONDS):
                await self._client.close()  # type: ignore[no-untyped-call]  # FastMCP leaves it untyped
        await self._http.aclose()


def _is_running(pid: int) -> bool | None:
    """Whether a process runs and is not stopped; None if the system does not say."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return None
    return state not in {"T", "t", "Z", "X"}


def _http_client(
    headers: dict[str, str] | None = None,
    timeout: httpx2.Timeout | None = None,
    auth: httpx2.Auth | None = None,
    **_: object,
) -> httpx2.AsyncClient:
    """A client for this machine: it ignores proxy settings and follows no redirects."""
    return httpx2.AsyncClient(
        headers=headers, timeout=timeout or httpx2.Timeout(30.0, read=None), auth=auth, trust_env=False, verify=False
    )
