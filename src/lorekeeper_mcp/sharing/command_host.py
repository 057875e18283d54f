"""The owner's route for commands: carries them out and streams its messages as lines of JSON.

The type of a result is Any here, since each command has its own, which only the one who asks reads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastmcp import Client, FastMCP
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, COMMAND_PATH, Command, Message, OnProgress, Progress
from lorekeeper_mcp.sharing.lookup_command import Lookup

log = logging.getLogger(__name__)
_BEAT_SECONDS = 0.2  # between two messages, which also say that the owner is alive


def add_commands(server: FastMCP, lazy: LazyRepository) -> None:
    """Add the route to the owner's server."""
    running: set[asyncio.Task[Message[Any]]] = set()

    async def carry_out(command: Command[Any], on_progress: OnProgress) -> Message[Any]:
        try:
            if isinstance(command, Lookup):
                async with Client(server) as client:
                    return Message(result=await command.look_up(client.call_tool_mcp))
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

    async def route(request: Request) -> Response:
        command_types = await asyncio.to_thread(_command_types)
        try:
            command = command_types[request.url.path].model_validate_json(await request.body())
        except (KeyError, ValidationError):
            return PlainTextResponse(_line(Message(fault="This owner does not know the command.")), status_code=404)
        return StreamingResponse(messages(command), media_type="application/x-ndjson")

    server.custom_route(f"{COMMAND_PATH}/{{name}}", methods=["POST"])(route)


def _command_types() -> dict[str, type[Command[Any]]]:
    """The commands by path. Imports the repository."""
    from lorekeeper_mcp.sharing.book_commands import Export, Import, Remove  # noqa: PLC0415
    from lorekeeper_mcp.sharing.store_commands import Check, Embed, Status, Sync  # noqa: PLC0415

    return {command.path(): command for command in (Lookup, Status, Check, Sync, Embed, Import, Export, Remove)}


def _line(message: Message[Any]) -> str:
    return message.model_dump_json(exclude_unset=True) + "\n"
