"""``sync``: download all of Open5e, or some kinds, in the foreground."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import typer

from lorekeeper_mcp.cli.lookup import print_json, print_message
from lorekeeper_mcp.cli.progress_bars import progress_bars
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.status_commands import lists_by_reason
from lorekeeper_mcp.cli.terminal import Column, Rows, console
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.background import EVERYTHING
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command import Progress
from lorekeeper_mcp.sharing.store_commands import GROUPS, Sync, Synced
from lorekeeper_mcp.tools import content_types


def sync(settings: Settings, names: Sequence[str], *, as_json: bool, accept_removals: bool) -> int:
    """Fetch what is missing or stale and return the exit code: 1 if something could not be fetched.

    ``names`` are groups or kinds; none means all. With ``accept_removals``, a list is accepted however much it has
    shrunk. Raises BadParameter.
    """
    kinds = _kinds(names)
    groups = {group: members for group, members in GROUPS.items() if members & kinds}
    with progress_bars(*groups) as on_progress:
        synced = run_command(settings, Sync(kinds=kinds, accept_removals=accept_removals), on_progress)
        for group, count in synced.fetched.items():
            if group in groups:
                on_progress(Progress(task=group, done=count, total=count))
    if as_json:
        print_json(synced.model_dump(mode="json"))
    else:
        _print_summary(synced, groups)
    return int(not synced.complete)


def _kinds(names: Sequence[str]) -> frozenset[Kind]:
    """Return the kinds that a user names: groups, or kinds in any spelling. Raises BadParameter with suggestions."""
    kinds: frozenset[Kind] = frozenset()
    for name in names:
        group = GROUPS.get(name.lower()) or GROUPS.get(f"{name.lower()}s")
        try:
            kinds |= group or content_types.kinds([name])
        except content_types.UnknownKindError as error:
            raise typer.BadParameter(str(error)) from None
    return kinds or EVERYTHING


def _print_summary(synced: Synced, groups: Mapping[str, frozenset[Kind]]) -> None:
    table = Rows([Column("kinds"), Column("fetched now", is_number=True), Column("records stored", is_number=True)])
    for group, kinds in groups.items():
        stored = sum(synced.records.get(kind, 0) for kind in kinds)
        table.add(group, str(synced.fetched[group]), str(stored))
    screen = console()
    screen.print(table.fit(screen.width))
    total = sum(synced.fetched.values())
    done = f"{total} records fetched in {synced.seconds:.0f} s." if total else "Everything is stored and up to date."
    sys.stdout.write(f"{done}\n" if synced.complete or total else "")
    for reason, lists in lists_by_reason(synced.unanswered).items():
        print_message(f"Not fetched: {', '.join(lists)}: {reason}.")
    if synced.without_embedding:
        sys.stderr.write(f"{synced.without_embedding} records are not embedded yet and match by keyword only.\n")
