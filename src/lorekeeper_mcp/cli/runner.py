"""Runs commands at the owner of the store; without an owner, this process becomes it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, Command, OnProgress, R
from lorekeeper_mcp.sharing.command import Progress as Step
from lorekeeper_mcp.sharing.lookup_command import Lookup
from lorekeeper_mcp.sharing.owner import OwnerGoneError, ask, living_owner

if TYPE_CHECKING:
    from rich.progress import TaskID

_OWNERS = 20  # owners that may end one after the other during one command


def run_command(settings: Settings, command: Command[R]) -> R:
    """Return a command's result; a terminal shows its progress meanwhile. Exits with a sentence if it fails."""
    try:
        with _shown_progress(is_lookup=isinstance(command, Lookup)) as on_progress:
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

    return asyncio.run(carry_out(settings, command, on_progress))


@contextlib.contextmanager
def _shown_progress(*, is_lookup: bool) -> Iterator[OnProgress]:
    """Show a bar on stderr for each task as soon as it begins; for a lookup, which has none, that it is at work."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - needed in a terminal only
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    screen = Console(stderr=True)
    columns = (TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    waiting = screen.status("Looking it up …") if is_lookup else contextlib.nullcontext()
    with waiting, Progress(*columns, console=screen, transient=True, disable=is_lookup) as bars:
        ids: dict[str, TaskID] = {}

        def on_progress(step: Step) -> None:
            if step.task not in ids:
                ids[step.task] = bars.add_task(step.task, total=None)
            bars.update(ids[step.task], completed=step.done, total=step.total)

        yield on_progress
