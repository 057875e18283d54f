"""``serve --transport http``: the server over HTTP, on this machine only or protected by a token."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import os
import socket
import sys

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import PREFIX, Settings

PATH = "/mcp"
_SHORTEST_TOKEN = 16  # characters; shorter tokens can be guessed over a network
_GRACE_SECONDS = 1  # for answers in progress at shutdown


class ServingError(ValueError):
    """The server cannot listen as configured; the message is a sentence."""


class BearerToken:
    """ASGI middleware: pass on requests with the token, answer 401 to others."""

    def __init__(self, app: ASGIApp, token: SecretStr) -> None:
        self._app = app
        self._expected = f"Bearer {token.get_secret_value()}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization", "").encode("latin-1")
            if not hmac.compare_digest(given, self._expected):
                refusal = JSONResponse(
                    {"error": "This server requires its token: Authorization: Bearer …"},
                    status_code=401,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address; among names, only ``localhost`` is certain to be local."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def checked_token(host: str, token: SecretStr | None) -> SecretStr | None:
    """Return the token to require. Raises ServingError if other machines could connect and it is missing or weak."""
    variable = f"{PREFIX}HTTP_TOKEN"
    if token is None and not is_loopback(host):
        raise ServingError(
            f"Other machines could connect to {host}: set {variable} to a token that they must send,"
            " or listen on 127.0.0.1."
        )
    if token is not None and len(token.get_secret_value()) < _SHORTEST_TOKEN:
        raise ServingError(f"{variable} is too short: it must have at least {_SHORTEST_TOKEN} characters.")
    return token


def listening(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address; port 0 picks a free one. Raises ServingError if that fails."""
    bare = host.strip("[]")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        if os.name == "posix":  # on other systems it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ServingError(f"Cannot listen on {host} port {port}: {reason}. Try another --port.") from None
    return bound


def serve_http(settings: Settings, host: str, port: int) -> int:
    """Serve until signalled to stop and return the exit code. Raises ServingError before anything is opened.

    On a loopback address FastMCP's host and origin protection refuses requests for another host or from foreign web
    pages; on other addresses the token does, which no page has.
    """
    token = checked_token(host, settings.http_token)
    bound = listening(host, port)
    shown = f"[{host.strip('[]')}]" if ":" in host else host
    sys.stderr.write(f"Serving MCP on http://{shown}:{bound.getsockname()[1]}{PATH}\n")
    sys.stderr.flush()
    server = make_server(settings)
    try:
        asyncio.run(
            server.run_http_async(
                show_banner=False,
                transport="http",
                host=host.strip("[]"),
                path=PATH,
                sockets=[bound],
                host_origin_protection="auto",
                middleware=[Middleware(BearerToken, token=token)] if token else [],
                uvicorn_config={
                    "log_config": None,
                    "access_log": False,
                    "timeout_graceful_shutdown": _GRACE_SECONDS,
                    "server_header": False,
                },
            )
        )
    except KeyboardInterrupt:  # uvicorn re-raises the signal after shutdown
        return 130
    return 0
