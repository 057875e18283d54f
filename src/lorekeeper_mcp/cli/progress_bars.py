"""The progress bars of long commands."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lorekeeper_mcp.sharing.command import OnProgress
from lorekeeper_mcp.sharing.command import Progress as Step


@contextlib.contextmanager
def progress_bars(*tasks: str, transient: bool = False) -> Iterator[OnProgress]:
    """Show progress bars on stderr in a terminal, for some tasks at once and for others as soon as they begin."""
    stderr = Console(stderr=True)
    columns = (TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, transient=transient, disable=not stderr.is_terminal) as bars:
        ids = {task: bars.add_task(task, total=None) for task in tasks}

        def on_progress(step: Step) -> None:
            if step.task not in ids:
                ids[step.task] = bars.add_task(step.task, total=None)
            bars.update(ids[step.task], completed=step.done, total=step.total)

        yield on_progress
