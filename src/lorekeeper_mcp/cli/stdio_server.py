"""The server on stdin and stdout.

The SDK drops a message that it cannot parse, and its client waits in vain. Here, such a message is refused if its id
can be read.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from io import TextIOWrapper

import anyio
from fastmcp import FastMCP
from fastmcp.server.context import reset_transport, set_transport
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

_ID = re.compile(r'"id"\s*:\s*(\d{1,18}|"[^"\\]{0,200}")')
_REASON = "This is not a JSON-RPC 2.0 message that can be read: check its syntax, nesting, escapes and fields."


async def run_on_stdio(server: FastMCP) -> None:
    """Serve until the client closes stdin."""
    stdin = TextIOWrapper(os.fdopen(os.dup(sys.stdin.fileno()), "rb"), encoding="utf-8", errors="replace")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())  # nobody else reads the client's messages
    os.close(nothing)
    messages = _Messages(anyio.wrap_file(stdin))
    transport = set_transport("stdio")
    try:
        # What FastMCP does, which has no place for other streams.
        async with server._lifespan_manager(), stdio_server(stdin=messages) as (read, write):  # type: ignore[arg-type]
            messages.send = write.send
            inner = server._mcp_server
            await inner.run(read, write, inner.create_initialization_options())
    finally:
        reset_transport(transport)


class _Messages:
    """The lines of stdin that are messages; others are answered by ``send`` with an error."""

    send: Callable[[SessionMessage], Awaitable[None]]

    def __init__(self, lines: anyio.AsyncFile[str]) -> None:
        self._lines = lines

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._lines:
            if (error := refusal(line)) is None:
                yield line
            else:
                await self.send(SessionMessage(error))


def refusal(line: str) -> JSONRPCError | None:
    """Return the error that answers a line; None for a message, and for a line without an id to answer to."""
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        code = INVALID_REQUEST
    else:
        return None
    try:
        message = json.loads(line)
        message = message[0] if isinstance(message, list) and message else message
        id_ = message.get("id") if isinstance(message, dict) else None
    except (ValueError, RecursionError):
        code, found = PARSE_ERROR, _ID.search(line)
        id_ = json.loads(found[1]) if found else None
    if isinstance(id_, bool) or not isinstance(id_, int | str):
        return None
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=_REASON))
