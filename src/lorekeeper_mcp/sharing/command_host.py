"""The owner's route for commands: carries them out and streams their progress as lines of JSON.

A line is ``{"progress": …}``, the last one ``{"result": …}`` or ``{"fault": "a sentence"}``; an empty line only says
that the owner is at work.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

from fastmcp import FastMCP
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.sharing.command import Command
from lorekeeper_mcp.sharing.owner_file import COMMAND_PATH

_ALIVE_SECONDS = 1.0  # between two lines


def add_commands(server: FastMCP, lazy: LazyRepository) -> None:
    """Add the route to the owner's server."""
    under_way: set[asyncio.Task[None]] = set()

    async def command(request: Request) -> Response:
        from lorekeeper_mcp.sharing.command_list import COMMANDS  # noqa: PLC0415 - imports the repository

        found = COMMANDS.get(request.path_params["name"])
        try:
            wanted = found.request.model_validate_json(await request.body()) if found else None
        except ValidationError:
            wanted = None
        if found is None or wanted is None:
            return JSONResponse({"fault": "This owner does not know the command."}, status_code=404)
        lines = _lines(found, wanted, lazy, under_way)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    server.custom_route(f"{COMMAND_PATH}/{{name}}", methods=["POST"])(command)


async def _lines(
    command: Command[BaseModel, BaseModel], wanted: BaseModel, lazy: LazyRepository, under_way: set[asyncio.Task[None]]
) -> AsyncIterator[str]:
    from lorekeeper_mcp.sharing.command_list import FAULTS  # noqa: PLC0415 - imports the repository

    lines: asyncio.Queue[dict[str, object]] = asyncio.Queue()

    async def work() -> None:
        try:
            found = await command.work(
                await lazy.get(), wanted, lambda step: lines.put_nowait({"progress": step.model_dump()})
            )
            lines.put_nowait({"result": found.model_dump(mode="json")})
        except FAULTS as error:
            lines.put_nowait({"fault": str(error)})

    working = asyncio.create_task(work(), name=command.name)
    under_way.add(working)
    working.add_done_callback(under_way.discard)
    try:
        while not (working.done() and lines.empty()):
            line: dict[str, object] | None = None
            with contextlib.suppress(TimeoutError):
                line = await asyncio.wait_for(lines.get(), _ALIVE_SECONDS)
            yield (json.dumps(line) if line else "") + "\n"
        await working
    finally:
        if not command.finishes:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
