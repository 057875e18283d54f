"""``serve --transport http``: the server over HTTP, on this machine only or protected by a token."""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Sequence

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import PREFIX, Settings
from lorekeeper_mcp.sharing.http_host import UVICORN_OPTIONS, BearerToken
from lorekeeper_mcp.sharing.owner import MCP_PATH, listening

_MIN_TOKEN = 16  # characters; shorter tokens can be guessed over a network


class OwnOrigin:
    """ASGI middleware: refuses web pages of other origins, those of other ports of this machine included."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self._app = app
        self._allowed = frozenset(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            origin = headers.get("origin", "").lower()
            if origin and origin not in self._allowed and origin != f"{scope['scheme']}://{headers.get('host', '')}":
                error = {"error": f"Pages of this origin may not call: {PREFIX}HTTP_ORIGINS names those that may."}
                await JSONResponse(error, 403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class ServingError(ValueError):
    """The server cannot listen as configured; the message is a sentence."""


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
    if token is not None and len(token.get_secret_value()) < _MIN_TOKEN:
        raise ServingError(f"{variable} is too short: it must have at least {_MIN_TOKEN} characters.")
    return token


def serve_http(settings: Settings, host: str, port: int) -> int:
    """Serve until signalled to stop and return the exit code. Raises ServingError before anything is opened.

    Web pages of other origins are refused. On a loopback address FastMCP refuses requests for another host; on other
    addresses the token protects. The origins in the settings, and their hosts, are allowed.
    """
    token = checked_token(host, settings.http_token)
    try:
        bound = listening(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ServingError(f"Cannot listen on {host} port {port}: {reason}. Try another --port.") from None
    host = host.strip("[]")
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"Serving MCP on http://{shown}:{bound.getsockname()[1]}{MCP_PATH}\n")
    sys.stderr.flush()
    serving = make_server(settings).run_http_async(
        show_banner=False,
        transport="http",
        host=host,
        path=MCP_PATH,
        sockets=[bound],
        host_origin_protection="auto",
        allowed_hosts=[host, *(url.partition("://")[2] for url in settings.http_origins)]
        if is_loopback(host)
        else None,
        allowed_origins=["*"],
        middleware=[
            Middleware(OwnOrigin, allowed=settings.http_origins),
            *([Middleware(BearerToken, token=token)] if token else []),
        ],
        uvicorn_config=dict(UVICORN_OPTIONS),
    )
    try:
        asyncio.run(serving)
    except KeyboardInterrupt:  # uvicorn re-raises the signal after shutdown
        return 130
    return 0
