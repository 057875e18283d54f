"""HTTP for MCP: a socket to listen on, a token that every request must carry, and the owner's private host."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any

import uvicorn
from fastmcp import FastMCP
from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lorekeeper_mcp.sharing.owner import HEALTH_PATH, LOOPBACK, MCP_PATH

_POLL_SECONDS = 0.005
# The grace is for answers in progress at shutdown; relays ask the next owner again.
UVICORN_OPTIONS: Mapping[str, Any] = {  # Any, since they are passed as keywords of several types
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "timeout_graceful_shutdown": 1,
}


class BearerToken:
    """ASGI middleware: passes on requests with the token and answers 401 to others."""

    def __init__(self, app: ASGIApp, token: SecretStr) -> None:
        self._app = app
        self._expected = f"Bearer {token.get_secret_value()}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            authorization = Headers(scope=scope).get("authorization", "").encode("latin-1")
            if not hmac.compare_digest(authorization, self._expected):
                refusal = JSONResponse(
                    {"error": "This server requires its token: Authorization: Bearer …"},
                    status_code=401,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address; port 0 picks a free one. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on other systems it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


async def _health(_: Request) -> Response:
    """Reply that the owner's event loop runs."""
    return Response(status_code=204)


@contextlib.asynccontextmanager
async def hosting(server: FastMCP, token: str) -> AsyncIterator[int]:
    """Serve MCP to this user's other processes on a free port of 127.0.0.1, and yield the port.

    Requests without the token, for another host or from a web page are refused. Raises OSError if there is no port.
    """
    bound = listening(LOOPBACK, 0)
    server.custom_route(HEALTH_PATH, methods=["GET"])(_health)
    app = server.http_app(
        path=MCP_PATH,
        stateless_http=True,
        host_origin_protection=True,
        allowed_hosts=[LOOPBACK],
        middleware=[Middleware(BearerToken, token=SecretStr(token))],
    )
    running = uvicorn.Server(uvicorn.Config(app, ws="none", **UVICORN_OPTIONS))
    running.capture_signals = contextlib.nullcontext  # type: ignore[assignment]  # signals are left to the process
    serving = asyncio.create_task(running.serve(sockets=[bound]), name="host")
    try:
        while not running.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(_POLL_SECONDS)
        if serving.done():
            raise OSError("The owner's host did not start.") from serving.exception()
        yield int(bound.getsockname()[1])
    finally:
        running.should_exit = True
        await asyncio.gather(serving, return_exceptions=True)
        bound.close()
