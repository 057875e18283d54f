"""Runs commands at the owner of the store; without an owner, this process becomes it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, cast

import typer

from lorekeeper_mcp.repository.lazy_repository import LazyRepository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command import COMMAND_ERRORS, Command, OnProgress, R
from lorekeeper_mcp.sharing.command import Progress as Step
from lorekeeper_mcp.sharing.lookup_command import Lookup
from lorekeeper_mcp.sharing.owner import OwnerGoneError, ask, living_owner

if TYPE_CHECKING:
    from fastmcp import Client, FastMCP
    from fastmcp.client.transports import StreamableHttpTransport
    from rich.progress import TaskID

    from lorekeeper_mcp.tools.envelope import ToolAnswer

_ALONE_SECONDS = 2.0  # of a lookup, which then imports FastMCP to serve other processes
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
    return asyncio.run(_carry_out(settings, command, on_progress))


async def _carry_out(settings: Settings, command: Command[R], on_progress: OnProgress) -> R:
    """Carry out a command that found no owner to ask: as the owner, or at one that has appeared meanwhile."""
    from lorekeeper_mcp.sharing.store_member import StoreMember  # noqa: PLC0415 - needed without an owner only
    from lorekeeper_mcp.tools.tool_registry import answer_call  # noqa: PLC0415

    after = _ALONE_SECONDS if isinstance(command, Lookup) else 0.0
    async with aclosing(StoreMember(settings, _make_host, wait_for_model=True, hosts_after=after)) as member:
        if isinstance(command, Lookup):
            answer = await member.answer(
                lambda: command.look_up(partial(answer_call, member)),
                lambda owner: command.look_up(partial(_call_at, owner)),
            )
            return cast("R", answer)
        joined = await member.join()
        if isinstance(joined, LazyRepository):
            return await command.work(await joined.get(), on_progress)
        return await asyncio.to_thread(ask, joined.card, command, on_progress)


def _make_host(user: LazyRepository) -> FastMCP:
    from lorekeeper_mcp.server import make_host  # noqa: PLC0415 - needed only if another process asks: imports FastMCP

    return make_host(user)


async def _call_at(owner: Client[StreamableHttpTransport], name: str, arguments: dict[str, object]) -> ToolAnswer:
    from lorekeeper_mcp.tools.mcp_tools import from_result  # noqa: PLC0415 - imports FastMCP

    return from_result(await owner.call_tool_mcp(name, arguments))


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
