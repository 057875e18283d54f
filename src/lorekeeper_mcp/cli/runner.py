"""Sends commands to the owner of the store and shows their progress; without an owner, this process becomes it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from typing import TypeVar

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from lorekeeper_mcp.cli.broken_pipe import exit_on_broken_pipe
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing import command_client
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, Command, OnProgress
from lorekeeper_mcp.sharing.command import Progress as Step
from lorekeeper_mcp.sharing.owner_file import OwnerGoneError

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)
_OWNERS = 20  # owners that may end one after the other during one command


def run_command(settings: Settings, command: Command[Q, R], request: Q, on_progress: OnProgress = lambda _: None) -> R:
    """Return a command's result. Exits with a sentence if it fails."""
    try:
        with exit_on_broken_pipe():
            return _run_with_retries(settings, command, request, on_progress)
    except (OwnerGoneError, *COMMAND_ERRORS) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; the data stored so far is kept.\n")
        raise typer.Exit(130) from None


def _run_with_retries(settings: Settings, command: Command[Q, R], request: Q, on_progress: OnProgress) -> R:
    for attempt in range(1, _OWNERS + 1):
        owner = command_client.living_owner(settings)
        try:
            if owner is None:
                return asyncio.run(_run_as_owner(settings, command, request, on_progress))
            return _run_at_owner(owner, command, request, on_progress)
        except OwnerGoneError:
            if attempt == _OWNERS:
                raise
    raise AssertionError


def _run_at_owner(owner: command_client.OwnerCard, command: Command[Q, R], request: Q, on_progress: OnProgress) -> R:
    result = command_client.run(
        owner, command.name, request.model_dump_json(), lambda step: on_progress(Step.model_validate(step))
    )
    return command.result.model_validate(result)


async def _run_as_owner(settings: Settings, command: Command[Q, R], request: Q, on_progress: OnProgress) -> R:
    from lorekeeper_mcp.server import join_store  # noqa: PLC0415 - imports FastMCP

    async with join_store(settings) as member:
        if (link := await member.join()) is not None:  # another process was faster
            return await asyncio.to_thread(_run_at_owner, link.card, command, request, on_progress)
        return await command.work(await member.owned_repository(), request, on_progress)


class _Rate(ProgressColumn):
    """The column with records per second."""

    def render(self, task: Task) -> Text:
        """Show the rate of a task once it is known."""
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="dim")


@contextlib.contextmanager
def progress_bars(*tasks: str, transient: bool = False) -> Iterator[OnProgress]:
    """Show progress bars on stderr in a terminal, for some tasks at once and for others as soon as they begin."""
    stderr = Console(stderr=True)
    columns = (TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, transient=transient, disable=not stderr.is_terminal) as bars:
        ids = {task: bars.add_task(task, total=None) for task in tasks}

        def on_progress(step: Step) -> None:
            if step.task not in ids:
                ids[step.task] = bars.add_task(step.task, total=None)
            bars.update(ids[step.task], completed=step.done, total=step.total)

        yield on_progress
