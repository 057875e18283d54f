"""HTTP for MCP: a token that every request must carry, and the owner's private host.

Its route for commands carries them out and streams its messages as lines of JSON. The type of a result is Any there,
since each command has its own, which only the one who asks reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

import uvicorn
from fastmcp import FastMCP
from pydantic import SecretStr, ValidationError
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, COMMAND_PATH, Command, Message, OnProgress, Progress
from lorekeeper_mcp.sharing.lookup_command import Lookup
from lorekeeper_mcp.sharing.owner import HEALTH_PATH, LOOPBACK, MCP_PATH, listening
from lorekeeper_mcp.tools.tool_registry import answer_call

log = logging.getLogger(__name__)
_POLL_SECONDS = 0.005
_BEAT_SECONDS = 0.2  # between two messages about a command, which also say that the owner is alive
# The grace is for answers in progress at shutdown; relays ask the next owner again.
UVICORN_OPTIONS: Mapping[str, Any] = {  # Any, since they are passed as keywords of several types
    "ws": "none",
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
                error = {"error": "This server requires its token: Authorization: Bearer …"}
                await JSONResponse(error, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
                return
        await self._app(scope, receive, send)


@contextlib.asynccontextmanager
async def hosting(server: FastMCP, token: str) -> AsyncIterator[int]:
    """Serve MCP to this user's other processes on a free port of 127.0.0.1, and yield the port.

    Requests without the token, for another host or from a web page are refused. Raises OSError if there is no port.
    """
    bound = listening(LOOPBACK, 0)

    @server.custom_route(HEALTH_PATH, methods=["GET"])
    async def health(_: Request) -> Response:  # as long as the event loop runs
        return Response(status_code=204)

    app = server.http_app(
        path=MCP_PATH,
        stateless_http=True,
        host_origin_protection=True,
        allowed_hosts=[LOOPBACK],
        middleware=[Middleware(BearerToken, token=SecretStr(token))],
    )
    running = uvicorn.Server(uvicorn.Config(app, **UVICORN_OPTIONS))
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


def add_commands(server: FastMCP, lazy: LazyRepository) -> None:
    """Add the route for commands to the owner's server."""
    running: set[asyncio.Task[Message[Any]]] = set()

    async def carry_out(command: Command[Any], on_progress: OnProgress) -> Message[Any]:
        try:
            if isinstance(command, Lookup):
                return Message(result=await command.look_up(partial(answer_call, lazy)))
            return Message(result=await command.work(await lazy.get(), on_progress))
        except COMMAND_ERRORS as error:
            return Message(fault=str(error))
        except Exception:  # the boundary: a command without a reply is sent again, and fails again
            log.exception("The command %s failed.", command.path())
            return Message(fault="The command failed because of an internal error, which the cache's owner has logged.")

    async def messages(command: Command[Any]) -> AsyncIterator[str]:
        steps: dict[str, Progress] = {}  # new ones, by task
        task = asyncio.create_task(carry_out(command, lambda step: steps.update({step.task: step})))
        running.add(task)
        task.add_done_callback(running.discard)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=_BEAT_SECONDS)
                yield _line(Message())
                for name in list(steps):
                    yield _line(Message(progress=steps.pop(name)))
            yield _line(task.result())
        finally:
            if not command.finishes:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    @server.custom_route(f"{COMMAND_PATH}/{{name}}", methods=["POST"])
    async def route(request: Request) -> Response:
        command_types = await asyncio.to_thread(_command_types)
        try:
            command = command_types[request.url.path].model_validate_json(await request.body())
        except (KeyError, ValidationError):
            return PlainTextResponse(_line(Message(fault="This owner does not know the command.")), status_code=404)
        return StreamingResponse(messages(command), media_type="application/x-ndjson")


def _command_types() -> dict[str, type[Command[Any]]]:
    """The commands by path. Imports the repository."""
    from lorekeeper_mcp.sharing.book_commands import Import, Remove  # noqa: PLC0415
    from lorekeeper_mcp.sharing.store_commands import Embed, Status, Sync  # noqa: PLC0415

    return {command.path(): command for command in (Lookup, Status, Sync, Embed, Import, Remove)}


def _line(message: Message[Any]) -> str:
    return message.model_dump_json(exclude_unset=True) + "\n"
