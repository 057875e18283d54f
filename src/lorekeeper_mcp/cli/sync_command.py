"""``sync``: download all of Open5e, or some kinds, in the foreground."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from lorekeeper_mcp.cli.runner import with_repository
from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.repository.background import EVERYTHING, fill, unanswered
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sync.fetcher import FetchState, FetchStatus
from lorekeeper_mcp.sync.ingest import Progress as Page
from lorekeeper_mcp.tools.content_types import kinds as kinds_mentioned

_RULES = frozenset({Kind.RULE, Kind.RULE_SET})
GROUPS: dict[str, frozenset[Kind]] = {
    "spells": frozenset(FAMILIES[Family.SPELLS]),
    "creatures": frozenset(FAMILIES[Family.CREATURES]),
    "items": frozenset(FAMILIES[Family.EQUIPMENT]),
    "options": frozenset(FAMILIES[Family.OPTIONS]),
    "rules": _RULES,
    "reference": frozenset(FAMILIES[Family.RULES]) - _RULES,
}


@dataclass
class Synced:
    """The result of a sync: records fetched by group, failed requests with reasons, and the seconds it took."""

    fetched: Counter[str] = field(default_factory=Counter)
    unanswered: list[FetchStatus] = field(default_factory=list)
    records: Counter[Kind] = field(default_factory=Counter)
    seconds: float = 0.0
    without_embedding: int = 0


def wanted_kinds(names: Sequence[str]) -> frozenset[Kind]:
    """Return the kinds that a user names: groups, or kinds in any spelling. Raises an error with suggestions."""
    found: frozenset[Kind] = frozenset()
    for name in names:
        group = GROUPS.get(name.lower()) or GROUPS.get(f"{name.lower()}s")
        found |= group or kinds_mentioned([name])
    return found or EVERYTHING


def sync(settings: Settings, kinds: frozenset[Kind], *, as_json: bool, accept_removals: bool = False) -> int:
    """Fetch what is missing or stale and return the exit code: 1 if something could not be fetched.

    With ``accept_removals`` a list is accepted however much of it is gone.
    """

    async def work(repository: Repository) -> Synced:
        if accept_removals:
            repository.accept_removals()
        return await _sync(repository, kinds)

    synced = with_repository(settings, work)
    if as_json:
        sys.stdout.write(json.dumps(_as_json(synced), indent=2) + "\n")
    else:
        _show(synced, kinds)
    return int(bool(synced.unanswered))


async def _sync(repository: Repository, kinds: frozenset[Kind]) -> Synced:
    began = time.monotonic()
    synced = Synced()
    with _bars() as progress:
        done: dict[str, tuple[int, int]] = {}
        bars = {group: progress.add_task(group, total=None) for group, of in GROUPS.items() if of & kinds}

        def tell(page: Page) -> None:
            group = next(name for name, of in GROUPS.items() if of & page.request.endpoint.kinds)
            before = done.get(page.request.path, (0, 0))
            done[page.request.path] = (page.done, page.total)
            synced.fetched[group] += page.done - before[0]
            if group not in bars:
                bars[group] = progress.add_task(group, total=None)
            total = (progress.tasks[bars[group]].total or 0) + page.total - before[1]
            progress.update(bars[group], completed=synced.fetched[group], total=total)

        repository.listen(tell)
        statuses = await fill(repository, kinds)
        for group, bar in bars.items():
            progress.update(bar, total=synced.fetched[group], completed=synced.fetched[group])
        if waiting := repository.waiting_for_embedding():
            bar = progress.add_task("meaning", total=waiting)
            await repository.embed_rest(lambda left: progress.update(bar, completed=waiting - left))
    await repository.refresh()
    # Checked again: a store that was rebuilt in the middle has only what came afterwards.
    synced.unanswered = unanswered(repository.statuses(status.request for status in statuses))
    synced.records = Counter(entry.kind for entry in repository.entries())
    synced.without_embedding = repository.waiting_for_embedding()
    synced.seconds = time.monotonic() - began
    return synced


class _Rate(ProgressColumn):
    """Records a second."""

    def render(self, task: Task) -> Text:
        """Show the rate of a bar once it is known."""
        return Text(f"{task.speed:.0f}/s" if task.speed else "", style="dim")


@contextlib.contextmanager
def _bars() -> Iterator[Progress]:
    """Show progress bars on stderr in a terminal: records, rate, time left."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield progress


def _as_json(synced: Synced) -> dict[str, object]:
    return {
        "complete": not synced.unanswered,
        "fetched": {group: synced.fetched[group] for group in GROUPS},
        "records": {str(kind): count for kind, count in sorted(synced.records.items())},
        "unanswered": [{"list": s.request.path, "why": _why(s)} for s in synced.unanswered],
        "without_embedding": synced.without_embedding,
        "seconds": round(synced.seconds, 1),
    }


def _why(status: FetchStatus) -> str:
    if status.state is FetchState.OFFLINE:
        return "LOREKEEPER_OFFLINE is set"
    return f"Open5e {status.reason or 'has not answered'}"


def _show(synced: Synced, kinds: frozenset[Kind]) -> None:
    table = Table("kinds", "fetched now", "records held")
    for group, of in GROUPS.items():
        if of & kinds:
            held = sum(synced.records[kind] for kind in of)
            table.add_row(group, str(synced.fetched[group]), str(held))
    Console().print(table)
    total = synced.fetched.total()
    done = f"{total} records fetched in {synced.seconds:.0f} s." if total else "Everything is stored and fresh."
    sys.stdout.write(f"{done}\n" if not synced.unanswered or total else "")
    for status in synced.unanswered:
        sys.stderr.write(f"{status.request.path}: {_why(status)}.\n")
    if synced.without_embedding:
        sys.stderr.write(f"{synced.without_embedding} records are not embedded: found by words but not by meaning.\n")
