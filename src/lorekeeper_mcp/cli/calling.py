"""Runs a tool as a client would, in this process, and prints what it answers."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import dataclass

from fastmcp import Client
from rich.console import Console
from rich.markdown import Markdown

from lorekeeper_mcp.server import make_server
from lorekeeper_mcp.settings import Settings


@dataclass(frozen=True)
class Called:
    """What a tool answered, in both forms."""

    text: str
    structured: dict[str, object]
    failed: bool


async def call(settings: Settings, tool: str, arguments: dict[str, object]) -> Called:
    """Call a tool of a server of our own."""
    with Console(stderr=True).status("Looking it up …") if sys.stderr.isatty() else contextlib.nullcontext():
        async with Client(make_server(settings, patient=True)) as client:
            answer = await client.call_tool(tool, arguments, raise_on_error=False)
    text = "\n".join(getattr(block, "text", "") for block in answer.content)
    return Called(text, answer.structured_content or {}, answer.is_error)


def show_result(called: Called, *, as_json: bool, exact: bool) -> int:
    """Print an answer; the exit code: 1 for an error, or where ``exact`` wanted one thing that is not there."""
    if called.failed:
        sys.stderr.write(f"{called.text}\n")
        return 1
    results = called.structured.get("results")
    missed = exact and not (isinstance(results, list) and results and results[0].get("similarity_score") == 1.0)
    if missed and not as_json:
        names = [str(one["name"]) for one in results] if isinstance(results, list) else []
        sys.stderr.write(f"There is no such key or name{'; nearest: ' + ', '.join(names) if names else ''}.\n")
    elif as_json:
        sys.stdout.write(json.dumps(called.structured, ensure_ascii=False, indent=2) + "\n")
    elif sys.stdout.isatty():
        Console().print(Markdown(called.text))
    else:
        sys.stdout.write(called.text + "\n")
    return int(missed)
