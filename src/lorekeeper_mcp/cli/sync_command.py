"""``sync``: download all of Open5e, or some kinds, in the foreground."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from lorekeeper_mcp.cli.lookup import print_json
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.terminal import Column, Rows, console
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.background import EVERYTHING
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command import Progress as Step
from lorekeeper_mcp.sharing.store_commands import GROUPS, SYNC, Synced, SyncRequest
from lorekeeper_mcp.tools.content_types import UnknownKindError
from lorekeeper_mcp.tools.content_types import kinds as kinds_mentioned

__all__ = ["UnknownKindError", "sync", "wanted_kinds"]


def wanted_kinds(names: Sequence[str]) -> frozenset[Kind]:
    """Return the kinds that a user names: groups, or kinds in any spelling. Raises an error with suggestions."""
    found: frozenset[Kind] = frozenset()
    for name in names:
        group = GROUPS.get(name.lower()) or GROUPS.get(f"{name.lower()}s")
        found |= group or kinds_mentioned([name])
    return found or EVERYTHING


def sync(settings: Settings, kinds: frozenset[Kind], *, as_json: bool, accept_removals: bool = False) -> int:
    """Fetch what is missing or stale and return the exit code: 1 if something could not be fetched.

    With ``accept_removals``, a list is accepted however much it has shrunk.
    """
    with _bars() as bars:
        tasks = {group: bars.add_task(group, total=None) for group, of in GROUPS.items() if of & kinds}

        def on_progress(step: Step) -> None:
            if step.task not in tasks:
                tasks[step.task] = bars.add_task(step.task, total=None)
            bars.update(tasks[step.task], completed=step.done, total=step.total)

        synced = run_command(settings, SYNC, SyncRequest(kinds=kinds, accept_removals=accept_removals), on_progress)
        for group, task in tasks.items():
            if group in synced.fetched:
                bars.update(task, completed=synced.fetched[group], total=synced.fetched[group])
    if as_json:
        print_json(_as_json(synced))
    else:
        _show(synced, kinds)
    return int(bool(synced.unanswered))


class _Rate(ProgressColumn):
    """The column with records per second."""

    def render(self, task: Task) -> Text:
        """Show the rate of a task once it is known."""
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="dim")


@contextlib.contextmanager
def _bars() -> Iterator[Progress]:
    """Show progress bars on stderr in a terminal: records, rate, time left."""
    stderr = Console(stderr=True)
    columns = (TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal) as progress:
        yield progress


def _as_json(synced: Synced) -> dict[str, object]:
    return {
        "complete": not synced.unanswered,
        "fetched": synced.fetched,
        "records": {str(kind): count for kind, count in sorted(synced.records.items())},
        "unanswered": [{"list": one.list, "why": one.why} for one in synced.unanswered],
        "without_embedding": synced.without_embedding,
        "seconds": round(synced.seconds, 1),
    }


def _show(synced: Synced, kinds: frozenset[Kind]) -> None:
    table = Rows([Column("kinds"), Column("fetched now", is_number=True), Column("records stored", is_number=True)])
    for group, of in GROUPS.items():
        if of & kinds:
            stored = sum(synced.records.get(kind, 0) for kind in of)
            table.add(group, str(synced.fetched[group]), str(stored))
    screen = console()
    screen.print(table.fit(screen.width))
    total = sum(synced.fetched.values())
    done = f"{total} records fetched in {synced.seconds:.0f} s." if total else "Everything is stored and fresh."
    sys.stdout.write(f"{done}\n" if not synced.unanswered or total else "")
    for one in synced.unanswered:
        sys.stderr.write(f"{one.list}: {one.why}.\n")
    if synced.without_embedding:
        sys.stderr.write(f"{synced.without_embedding} records are not embedded: found by keyword but not by meaning.\n")
