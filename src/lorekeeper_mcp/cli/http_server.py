"""``serve --transport http``: the server over HTTP, on this machine only or protected by a token."""

from __future__ import annotations

import asyncio
import ipaddress
import sys

from pydantic import SecretStr
from starlette.middleware import Middleware

from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import PREFIX, Settings
from lorekeeper_mcp.sharing.http_host import UVICORN_OPTIONS, BearerToken, listening
from lorekeeper_mcp.sharing.owner import MCP_PATH

_MIN_TOKEN = 16  # characters; shorter tokens can be guessed over a network


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

    On a loopback address FastMCP's host and origin protection refuses requests for another host or from foreign web
    pages; on other addresses the token does, which no page has.
    """
    token = checked_token(host, settings.http_token)
    try:
        bound = listening(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ServingError(f"Cannot listen on {host} port {port}: {reason}. Try another --port.") from None
    shown = f"[{host.strip('[]')}]" if ":" in host else host
    sys.stderr.write(f"Serving MCP on http://{shown}:{bound.getsockname()[1]}{MCP_PATH}\n")
    sys.stderr.flush()
    server = make_server(settings)
    try:
        asyncio.run(
            server.run_http_async(
                show_banner=False,
                transport="http",
                host=host.strip("[]"),
                path=MCP_PATH,
                sockets=[bound],
                host_origin_protection="auto",
                middleware=[Middleware(BearerToken, token=token)] if token else [],
                uvicorn_config=dict(UVICORN_OPTIONS),
            )
        )
    except KeyboardInterrupt:  # uvicorn re-raises the signal after shutdown
        return 130
    return 0
