"""Clients of the server: in this process for speed, or over stdio to the command that users start."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import load_settings
from tests.cached_bytecode import bytecode_variables
from tests.forked_command import command_line
from tests.served_open5e import COMMAND

ROOT = Path(__file__).parents[2]
Era: TypeAlias = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
PYTHON = (sys.executable, "-m", COMMAND)  # starts the command as clients do
NOWHERE = "http://127.0.0.1:9"  # nothing listens on the discard port


@contextlib.asynccontextmanager
async def in_process(db: Path, url: str = NOWHERE, mode: Era = "auto", **settings: object) -> AsyncIterator[Client]:
    """A client of a server in this process; without background tasks unless a setting enables them."""
    loaded = load_settings(milvus_db_path=db, open5e_base_url=url, **{"background_fill": False, **settings})
    async with Client(make_server(loaded), mode=mode) as client:
        yield client


def environment(db: Path, url: str = NOWHERE, **variables: str) -> dict[str, str]:
    """The environment of a process that shares nothing with the user's own."""
    return {
        **bytecode_variables(),
        "PATH": os.environ["PATH"],
        "HOME": str(db.parent),
        "XDG_DATA_HOME": str(db.parent / "data"),
        "XDG_CONFIG_HOME": str(db.parent / "config"),
        "LOREKEEPER_MILVUS_DB_PATH": str(db),
        "LOREKEEPER_OPEN5E_BASE_URL": url,
        "LOREKEEPER_BACKGROUND_FILL": "false",
        **variables,
    }


@contextlib.asynccontextmanager
async def over_stdio(
    db: Path, url: str = NOWHERE, mode: Era = "auto", start: Sequence[str] = (), **variables: str
) -> AsyncIterator[Client]:
    """A client of the real command, in either era of the protocol. ``start`` may be ``PYTHON``, see forked_command."""
    program, *arguments = start or command_line(COMMAND)
    transport = StdioTransport(
        program,
        arguments,
        env={"PYTHONPATH": str(ROOT), **environment(db, url, **variables)},
        cwd=str(db.parent),
        keep_alive=False,
    )
    async with Client(transport, mode=mode, init_timeout=60) as client:
        yield client


async def ask(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured half of an answer, once the books of a new store are loaded."""
    while True:
        answer = await client.call_tool(tool, arguments)
        assert answer.structured_content is not None
        if "still being loaded" not in (answer.structured_content["hint"] or ""):
            return answer.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The sentence of an error."""
    answer = await client.call_tool(tool, arguments, raise_on_error=False)
    assert answer.is_error, answer.structured_content
    return str(answer.content[0].text)


async def every_result(client: Client, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    """The results of all pages, brief and fifty a page unless the arguments say otherwise."""
    arguments = {"limit": 50, "detail": "brief", **arguments}
    results: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = await ask(client, tool, **arguments, cursor=cursor)
        results += page["results"]
        cursor = page["next_cursor"]
        if cursor is None:
            assert len(results) == page["total"]
            return results


async def until_complete(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The answer once everything that Open5e has for it is stored."""
    for _ in range(300):
        answer = await ask(client, tool, **arguments)
        if answer["complete"]:
            return answer
        await asyncio.sleep(0.5)
    raise AssertionError(f"never complete: {answer['hint']}")


def names(answer: dict[str, Any]) -> list[str]:
    """The names of a page's results, in order."""
    return [str(result["name"]) for result in answer["results"]]
