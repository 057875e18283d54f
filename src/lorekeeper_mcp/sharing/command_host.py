"""The owner's route for commands: carries them out and streams its messages as lines of JSON.

A message without a value, at least one per second, only says that the owner is at work.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastmcp import Client, FastMCP
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, Command, Lookup, Message, OnProgress, R
from lorekeeper_mcp.sharing.owner_file import COMMAND_PATH

_ALIVE_SECONDS = 1.0  # between two messages


def add_commands(server: FastMCP, lazy: LazyRepository) -> None:
    """Add the route to the owner's server."""
    running: set[asyncio.Task[None]] = set()

    async def carry_out(command: Command[R], on_progress: OnProgress) -> R:
        if isinstance(command, Lookup):
            async with Client(server) as client:
                result: R = await command.look_up(client.call_tool_mcp)
                return result
        return await command.work(await lazy.get(), on_progress)

    async def messages(command: Command[R]) -> AsyncIterator[str]:
        queue: asyncio.Queue[Message[R]] = asyncio.Queue()

        async def work() -> None:
            try:
                result = await carry_out(command, lambda step: queue.put_nowait(Message(progress=step)))
                queue.put_nowait(Message(result=result))
            except COMMAND_ERRORS as error:
                queue.put_nowait(Message(fault=str(error)))

        task = asyncio.create_task(work(), name=command.path())
        running.add(task)
        task.add_done_callback(running.discard)
        try:
            while not (task.done() and queue.empty()):
                try:
                    message = await asyncio.wait_for(queue.get(), _ALIVE_SECONDS)
                except TimeoutError:
                    message = Message()
                yield _line(message)
            await task
        finally:
            if not command.finishes:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def route(request: Request) -> Response:
        # They import the repository.
        from lorekeeper_mcp.sharing import book_commands, lookup_commands, store_commands  # noqa: PLC0415

        modules = (book_commands, lookup_commands, store_commands)
        command_types = {command.path(): command for module in modules for command in module.COMMANDS}
        try:
            command = command_types[request.url.path].model_validate_json(await request.body())
        except (KeyError, ValidationError):
            return PlainTextResponse(_line(Message(fault="This owner does not know the command.")), status_code=404)
        return StreamingResponse(messages(command), media_type="application/x-ndjson")

    server.custom_route(f"{COMMAND_PATH}/{{name}}", methods=["POST"])(route)


def _line(message: Message[R]) -> str:
    return message.model_dump_json(exclude_unset=True) + "\n"
