"""The owner's route for commands: carries them out and streams their progress as lines of JSON.

A line is ``{"progress": …}``, the last one ``{"result": …}`` or ``{"fault": "a sentence"}``; an empty line only says
that the owner is at work.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping

from fastmcp import FastMCP
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, Command
from lorekeeper_mcp.sharing.owner_file import COMMAND_PATH

_ALIVE_SECONDS = 1.0  # between two lines


def add_commands(server: FastMCP, lazy: LazyRepository) -> None:
    """Add the route to the owner's server."""
    running: set[asyncio.Task[None]] = set()

    async def route(request: Request) -> Response:
        # They import the repository.
        from lorekeeper_mcp.sharing import book_commands, store_commands  # noqa: PLC0415

        commands: Mapping[str, Command[BaseModel, BaseModel]] = {
            command.name: command  # type: ignore[misc]  # each takes its own request, which is read as such
            for command in (*book_commands.COMMANDS, *store_commands.COMMANDS)
        }
        command = commands.get(request.path_params["name"])
        try:
            options = command.request.model_validate_json(await request.body()) if command else None
        except ValidationError:
            options = None
        if command is None or options is None:
            return JSONResponse({"fault": "This owner does not know the command."}, status_code=404)
        lines = _lines(command, options, lazy, running)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    server.custom_route(f"{COMMAND_PATH}/{{name}}", methods=["POST"])(route)


async def _lines(
    command: Command[BaseModel, BaseModel], options: BaseModel, lazy: LazyRepository, running: set[asyncio.Task[None]]
) -> AsyncIterator[str]:
    messages: asyncio.Queue[dict[str, object]] = asyncio.Queue()

    async def work() -> None:
        try:
            result = await command.work(
                await lazy.get(), options, lambda step: messages.put_nowait({"progress": step.model_dump()})
            )
            messages.put_nowait({"result": result.model_dump(mode="json")})
        except COMMAND_ERRORS as error:
            messages.put_nowait({"fault": str(error)})

    task = asyncio.create_task(work(), name=command.name)
    running.add(task)
    task.add_done_callback(running.discard)
    try:
        while not (task.done() and messages.empty()):
            try:
                yield json.dumps(await asyncio.wait_for(messages.get(), _ALIVE_SECONDS)) + "\n"
            except TimeoutError:
                yield "\n"
        await task
    finally:
        if not command.finishes:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
