"""Runs commands at the owner of the store; without an owner, this process becomes it."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import typer

from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, Command, OnProgress, R
from lorekeeper_mcp.sharing.lookup_command import Lookup
from lorekeeper_mcp.sharing.owner import OwnerGoneError, ask, living_owner

_OWNERS = 20  # owners that may end one after the other during one command


def run_command(settings: Settings, command: Command[R], on_progress: OnProgress = lambda _: None) -> R:
    """Return a command's result. Exits with a sentence if it fails."""
    try:
        for _ in range(_OWNERS - 1):
            with contextlib.suppress(OwnerGoneError):
                return _run_once(settings, command, on_progress)
        return _run_once(settings, command, on_progress)
    except (OwnerGoneError, *COMMAND_ERRORS) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; the data stored so far is kept.\n")
        raise typer.Exit(130) from None


def _run_once(settings: Settings, command: Command[R], on_progress: OnProgress) -> R:
    """Raise OwnerGoneError if the owner ends before the command does."""
    if (owner := living_owner(settings)) is not None:
        return ask(owner, command, on_progress)
    from lorekeeper_mcp.server import carry_out  # noqa: PLC0415 - needed without an owner only: imports FastMCP

    is_watched = isinstance(command, Lookup) and sys.stderr.isatty()
    if not is_watched:
        return asyncio.run(carry_out(settings, command, on_progress))
    from rich.console import Console  # noqa: PLC0415 - a tenth of a second

    with Console(stderr=True).status("Looking it up …"):
        return asyncio.run(carry_out(settings, command, on_progress))
