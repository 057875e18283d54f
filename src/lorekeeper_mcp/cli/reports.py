"""The commands ``status``, ``doctor`` and ``sync``: facts with labels, tables, sentences on stderr."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.text import Text

from lorekeeper_mcp.cli.lookup import print_json, print_message
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.terminal import console, labeled, print_table
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.background import EVERYTHING
from lorekeeper_mcp.repository.status import Missing, Report
from lorekeeper_mcp.settings import Settings, config_file
from lorekeeper_mcp.sharing.store_commands import GROUPS, Status, Sync
from lorekeeper_mcp.tools import content_types
from lorekeeper_mcp.tools.error_messages import CallerError

_FEW = 3  # names in a line
_LOW_BYTES = 300_000_000  # all of Open5e takes about 50 MB, twice that during a refresh
_COLORS = {"ok": "green", "warning": "yellow", "fault": "red"}


@dataclass(frozen=True)
class Check:
    """A fact about the installation: ``state`` is ok, warning or fault; ``advice`` says what to do."""

    what: str
    found: str
    state: str = "ok"
    advice: str = ""


def run_status(settings: Settings, *, as_json: bool, verbose: bool) -> None:
    """Print the status of the cache; with ``verbose`` every name, and the records of each kind."""
    report = run_command(settings, Status())
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    facts = _checks(report, None if verbose else _FEW, offline=settings.offline)
    console().print(labeled((fact.what, fact.found) for fact in facts))
    if verbose:
        rows = [
            [
                kind.kind,
                str(kind.records),
                ", ".join(f"{source} {count}" for source, count in kind.by_source.items()),
                f"{kind.fetched:%Y-%m-%d %H:%M}" if kind.fetched else "" if kind.complete else "incomplete",
            ]
            for kind in report.kinds
        ]
        sys.stdout.write("\n")
        print_table(("kind", "count", "from", "fetched (UTC)"), rows)


def run_doctor(settings: Settings, *, as_json: bool) -> int:
    """Print what ``status`` does, with advice, and whether settings and disk are sound; return 1 if a check fails."""
    report, file = run_command(settings, Status()), config_file()
    checks = [
        Check("settings", f"read from the environment and {file}" if file.exists() else "from the environment"),
        _check_disk(settings.milvus_db_path),
        *_checks(report, _FEW, offline=settings.offline),
    ]
    if as_json:
        print_json([dataclasses.asdict(check) for check in checks])
    for check in () if as_json else checks:
        lines = [(check.state, Text.assemble((check.what, "bold"), f": {check.found}"))]
        console().print(labeled([*lines, *([("", Text(check.advice))] if check.advice else [])], _COLORS[check.state]))
    sys.stdout.flush()
    return int(any(check.state == "fault" for check in checks))


def _check_disk(path: Path) -> Check:
    folder = next(parent for parent in (path, *path.parents) if parent.exists())
    if not os.access(folder, os.W_OK):
        advice = "Change its permissions, or choose another folder with --db-path."
        return Check("disk", f"{folder} is not writable", "fault", advice)
    free = shutil.disk_usage(folder).free
    advice = "" if free >= _LOW_BYTES else f"Free some space: about {_LOW_BYTES // 1_000_000} MB are needed."
    return Check("disk", f"{free / 1e9:.1f} GB free", "warning" if advice else "ok", advice)


def _checks(report: Report, few: int | None, *, offline: bool) -> Iterator[Check]:
    """What there is to say about the store and what it depends on; of lists of names only a few."""

    def names(names: Sequence[str]) -> str:
        more = f" and {len(names) - few} more" if few is not None and len(names) > few else ""
        return ", ".join(names[:few]) + more

    owner = "this command" if report.owner == f"process {os.getpid()}" else report.owner
    place = f"{report.location} ({report.bytes_on_disk / 1e6:.0f} MB), owned by {owner}"
    advice = "Make the folder writable, or choose another with --db-path." if report.notice else ""
    yield Check("cache", ". ".join(filter(None, (place, report.notice))), "warning" if advice else "ok", advice)
    if report.quarantined:
        yield Check("quarantined", names(report.quarantined), advice="They can be deleted.")
    stored = f"{report.records} records from {report.documents} documents"
    if report.missing:
        missing = "; ".join(f"{names(lists)}: {why}" for why, lists in _by_reason(report.missing).items())
        advice = "Unset LOREKEEPER_OFFLINE, then: lorekeeper-mcp sync" if offline else "lorekeeper-mcp sync"
        yield Check("records", f"{stored}; parts of Open5e are missing: {missing}", "warning", advice)
    elif report.without_embedding:
        found = f"{stored}, {report.without_embedding} of them not embedded yet"
        yield Check("records", found, "warning", "lorekeeper-mcp sync")
    else:
        yield Check("records", f"{stored}, all of Open5e among them")
    unread = [f"{left.count} of {left.list}, such as {', '.join(left.examples[:_FEW])}" for left in report.unreadable]
    if unread:
        yield Check("left out", f"{names(unread)}, which could not be read")
    if report.imported_books:
        yield Check("homebrew", names(report.imported_books))
    if report.homebrew_faults:
        faults = names([f"{book}: {reason}" for book, reason in report.homebrew_faults.items()])
        yield Check("damaged", faults, "warning", "What is stored of them stays. Import the files again.")
    if report.model_fault:
        advice = "Reinstall, or unset LOREKEEPER_EMBEDDING_MODEL. Searches still match by keyword."
        yield Check("model", f"{report.model}: {report.model_fault}", "fault", advice)
    else:
        yield Check("model", report.model)
    if report.upstream_fault:
        cause = "unset LOREKEEPER_OFFLINE" if offline else "check the network, the proxy, or LOREKEEPER_OPEN5E_BASE_URL"
        advice = f"Stored data is still served; to fetch the rest, {cause}."
        yield Check("Open5e", f"{report.upstream} {report.upstream_fault}", "warning", advice)
    else:
        yield Check("Open5e", f"{report.upstream} is reachable")


def _by_reason(missing: Iterable[Missing]) -> dict[str, list[str]]:
    """Group lists that are missing by the reason."""
    lists: dict[str, list[str]] = {}
    for entry in missing:
        lists.setdefault(entry.why, []).append(entry.list)
    return lists


def run_sync(settings: Settings, names: Sequence[str], *, as_json: bool, accept_removals: bool) -> int:
    """Fetch what is missing or stale and return the exit code: 1 if something could not be fetched.

    ``names`` are groups or kinds; none means all. With ``accept_removals``, a list is accepted however much it has
    shrunk. Raises BadParameter.
    """
    kinds = _kinds(names)
    groups = {group: members for group, members in GROUPS.items() if not kinds or members & kinds}
    synced = run_command(settings, Sync(kinds=kinds or EVERYTHING, accept_removals=accept_removals))
    if as_json:
        print_json(synced.model_dump(mode="json"))
        return int(not synced.complete)
    rows = [
        [group, str(synced.fetched[group]), str(sum(synced.records.get(kind, 0) for kind in members))]
        for group, members in groups.items()
    ]
    print_table(("kinds", "fetched now", "records stored"), rows)
    if total := sum(synced.fetched.values()):
        sys.stdout.write(f"{total} records fetched in {synced.seconds:.0f} s.\n")
    elif synced.complete:
        sys.stdout.write("Everything is stored and up to date.\n")
    for reason, lists in _by_reason(synced.unanswered).items():
        print_message(f"Not fetched: {', '.join(lists)}: {reason}.")
    if synced.without_embedding:
        print_message(f"{synced.without_embedding} records are not embedded yet and match by keyword only.")
    return int(not synced.complete)


def _kinds(names: Iterable[str]) -> frozenset[Kind]:
    kinds: frozenset[Kind] = frozenset()
    for name in names:
        try:
            kinds |= GROUPS.get(name.lower()) or GROUPS.get(f"{name.lower()}s") or content_types.kinds([name])
        except CallerError as error:
            raise typer.BadParameter(str(error)) from None
    return kinds
