"""The reports of ``status``, ``doctor``, ``sync`` and ``import``: facts with labels, tables, sentences on stderr."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.text import Text

from lorekeeper_mcp.cli.lookup import print_json, print_message
from lorekeeper_mcp.cli.progress_bars import progress_bars
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.terminal import Column, Rows, console, labeled
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.background import EVERYTHING
from lorekeeper_mcp.repository.status import Missing, Report
from lorekeeper_mcp.settings import Settings, config_file
from lorekeeper_mcp.sharing.command import Progress
from lorekeeper_mcp.sharing.store_commands import GROUPS, Status, Sync, Synced
from lorekeeper_mcp.tools import content_types

TESTED = {"fastmcp-slim": "4.1.", "milvus-lite": "3.2.", "pymilvus": "3.0."}  # as pyproject.toml pins them
_FEW = 3  # names in a line
_LOW_BYTES = 300_000_000  # all of Open5e takes about 50 MB, twice that during a refresh
_COUNTS = ("read", "imported", "updated", "unchanged", "skipped", "removed")  # of an import
_ALWAYS = ("read", "imported")


def status(settings: Settings) -> Report:
    """Collect the status of the cache."""
    report = run_command(settings, Status())
    is_own = report.owner == f"process {os.getpid()}"
    return report.model_copy(update={"owner": "this command"}) if is_own else report


def run_status(settings: Settings, *, as_json: bool, verbose: bool) -> None:
    """Print the status of the cache; with ``verbose`` every name, and the records of each kind."""
    report = status(settings)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    screen = console()
    screen.print(labeled(_status_facts(report, None if verbose else _FEW)))
    if verbose:
        table = Rows([Column("kind"), Column("count", is_number=True), Column("from"), Column("fetched (UTC)")])
        for kind in report.kinds:
            sources = ", ".join(f"{source} {count}" for source, count in kind.by_source.items())
            unknown = "" if kind.complete else "incomplete"
            when = f"{kind.fetched:%Y-%m-%d %H:%M}" if kind.fetched else unknown
            table.add(kind.kind, str(kind.records), sources, when)
        screen.print("", table.fit(screen.width), sep="\n")


def _status_facts(report: Report, few: int | None) -> list[tuple[str, str]]:
    """What there is to say, with labels; of lists of names only a few."""
    waiting = f"{report.without_embedding} records not embedded yet" if report.without_embedding else "all embedded"
    unread = [
        f"{left.count} records of {left.list}, which could not be read, such as {', '.join(left.examples[:_FEW])}"
        for left in report.unreadable
    ]
    facts = [
        ("cache", f"{report.location} ({report.bytes_on_disk / 1e6:.0f} MB), owned by {report.owner}"),
        ("contents", f"{report.records} records from {report.documents} documents"),
        ("embeddings", f"{report.model}: {report.model_fault or waiting}"),
        ("Open5e", f"{report.upstream}: {report.upstream_fault or 'reachable'}"),
        ("imported", _names(report.imported_books, few)),
        ("damaged", _names([f"{book}: {reason}" for book, reason in report.homebrew_faults.items()], few)),
        ("quarantined", _names(report.quarantined, few)),
        ("notice", report.notice or ""),
        ("missing", "; ".join(f"{_names(lists, few)}: {why}" for why, lists in _by_reason(report.missing).items())),
        ("left out", _names(unread, few)),
    ]
    return [fact for fact in facts if fact[1]]


def _names(names: Sequence[str], few: int | None) -> str:
    more = f" and {len(names) - few} more" if few is not None and len(names) > few else ""
    return ", ".join(names[:few]) + more


def _by_reason(missing: Iterable[Missing]) -> dict[str, list[str]]:
    """Group lists that are missing by the reason."""
    lists: dict[str, list[str]] = {}
    for entry in missing:
        lists.setdefault(entry.why, []).append(entry.list)
    return lists


@dataclass(frozen=True)
class Check:
    """One check: ``state`` is ok, warning or fault; ``advice`` says what to do."""

    what: str
    state: str
    found: str
    advice: str = ""


def run_doctor(settings: Settings, *, as_json: bool) -> int:
    """Run and print all checks; return 1 if one fails."""
    checks = doctor(settings)
    if as_json:
        print_json([dataclasses.asdict(check) for check in checks])
    else:
        colors, screen = {"ok": "green", "warning": "yellow", "fault": "red"}, console()
        for check in checks:
            finding = Text.assemble((check.what, "bold"), f": {check.found}")
            lines = [(f"{check.state:>7}", finding), *([("", Text(check.advice))] if check.advice else [])]
            screen.print(labeled(lines, colors[check.state]))
        sys.stdout.flush()
    return int(any(check.state == "fault" for check in checks))


def doctor(settings: Settings) -> list[Check]:
    """Run all checks."""
    report = status(settings)
    return [
        _check_settings(),
        _check_versions(),
        _check_store(report),
        _check_homebrew(report),
        _check_disk(settings.milvus_db_path),
        _check_model(report),
        _check_upstream(report, offline=settings.offline),
        _check_records(report, offline=settings.offline),
    ]


def _check_settings() -> Check:
    file = config_file()
    return Check("settings", "ok", f"read from the environment and {file}" if file.exists() else "from the environment")


def _check_versions() -> Check:
    """Check that the packages whose private behavior this program relies on have tested versions."""
    running = {name: importlib.metadata.version(name) for name in TESTED}
    untested = [f"{name} {version}" for name, version in running.items() if not version.startswith(TESTED[name])]
    if untested:
        tested = ", ".join(f"{name} {minor}x" for name, minor in TESTED.items())
        finding = f"{', '.join(untested)}: not tested with LoreKeeper"
        return Check("versions", "warning", finding, f"Reinstall, or install tested versions: {tested}.")
    return Check("versions", "ok", ", ".join(f"{name} {version}" for name, version in running.items()))


def _check_store(report: Report) -> Check:
    if report.notice:
        return Check("cache", "warning", report.notice, "Make the folder writable, or choose another with --db-path.")
    sound = f"{report.location} is intact, owned by {report.owner}"
    if not report.quarantined:
        return Check("cache", "ok", sound)
    advice = f"Quarantined stores can be deleted: {', '.join(report.quarantined)}."
    return Check("cache", "ok", f"{sound}; {len(report.quarantined)} quarantined earlier", advice)


def _check_homebrew(report: Report) -> Check:
    if not report.homebrew_faults:
        return Check("homebrew", "ok", f"{len(report.imported_books)} imported books")
    faults = "; ".join(f"{book}: {reason}" for book, reason in report.homebrew_faults.items())
    return Check("homebrew", "warning", faults, "What is stored of them stays. Import the files again.")


def _check_disk(path: Path) -> Check:
    folder = next(parent for parent in (path, *path.parents) if parent.exists())
    if not os.access(folder, os.W_OK):
        advice = "Change its permissions, or choose another folder with --db-path."
        return Check("disk", "fault", f"{folder} is not writable", advice)
    free = shutil.disk_usage(folder).free
    found = f"{free / 1e9:.1f} GB free"
    if free >= _LOW_BYTES:
        return Check("disk", "ok", found)
    return Check("disk", "warning", found, f"Free some space: about {_LOW_BYTES // 1_000_000} MB are needed.")


def _check_model(report: Report) -> Check:
    if report.model_fault:
        advice = "Reinstall, or unset LOREKEEPER_EMBEDDING_MODEL. Searches still match by keyword."
        return Check("model", "fault", report.model_fault, advice)
    return Check("model", "ok", report.model)


def _check_upstream(report: Report, *, offline: bool) -> Check:
    if report.upstream_fault:
        cause = "unset LOREKEEPER_OFFLINE" if offline else "check the network, the proxy, or LOREKEEPER_OPEN5E_BASE_URL"
        advice = f"Stored data is still served; to fetch the rest, {cause}."
        return Check("Open5e", "warning", f"{report.upstream} {report.upstream_fault}", advice)
    return Check("Open5e", "ok", f"{report.upstream} is reachable")


def _check_records(report: Report, *, offline: bool) -> Check:
    fetching = "Unset LOREKEEPER_OFFLINE, then: lorekeeper-mcp sync" if offline else "lorekeeper-mcp sync"
    if report.missing:
        names = _names([missing.list for missing in report.missing], _FEW)
        return Check("records", "warning", f"parts of Open5e are missing: {names}", fetching)
    if report.without_embedding:
        what = f"{report.without_embedding} records are not embedded yet"
        return Check("records", "warning", what, "lorekeeper-mcp sync")
    return Check("records", "ok", f"all of Open5e, {report.records} records")


def run_sync(settings: Settings, names: Sequence[str], *, as_json: bool, accept_removals: bool) -> int:
    """Fetch what is missing or stale and return the exit code: 1 if something could not be fetched.

    ``names`` are groups or kinds; none means all. With ``accept_removals``, a list is accepted however much it has
    shrunk. Raises BadParameter.
    """
    kinds: frozenset[Kind] = frozenset()
    for name in names:
        try:
            kinds |= GROUPS.get(name.lower()) or GROUPS.get(f"{name.lower()}s") or content_types.kinds([name])
        except content_types.UnknownKindError as error:
            raise typer.BadParameter(str(error)) from None
    kinds = kinds or EVERYTHING
    groups = {group: members for group, members in GROUPS.items() if members & kinds}
    with progress_bars(*groups) as on_progress:
        synced = run_command(settings, Sync(kinds=kinds, accept_removals=accept_removals), on_progress)
        for group, count in synced.fetched.items():
            if group in groups:
                on_progress(Progress(task=group, done=count, total=count))
    if as_json:
        print_json(synced.model_dump(mode="json"))
    else:
        _print_synced(synced, groups)
    return int(not synced.complete)


def _print_synced(synced: Synced, groups: Mapping[str, frozenset[Kind]]) -> None:
    table = Rows([Column("kinds"), Column("fetched now", is_number=True), Column("records stored", is_number=True)])
    for group, kinds in groups.items():
        table.add(group, str(synced.fetched[group]), str(sum(synced.records.get(kind, 0) for kind in kinds)))
    screen = console()
    screen.print(table.fit(screen.width))
    total = sum(synced.fetched.values())
    done = f"{total} records fetched in {synced.seconds:.0f} s." if total else "Everything is stored and up to date."
    sys.stdout.write(f"{done}\n" if synced.complete or total else "")
    for reason, lists in _by_reason(synced.unanswered).items():
        print_message(f"Not fetched: {', '.join(lists)}: {reason}.")
    if synced.without_embedding:
        sys.stderr.write(f"{synced.without_embedding} records are not embedded yet and match by keyword only.\n")


def print_import(reports: Sequence[FileReport], *, dry_run: bool, as_json: bool) -> None:
    """Print the table to stdout and the reasons for skipped items to stderr; with JSON everything to stdout."""
    if as_json:
        print_json({"dry_run": dry_run, "files": [dataclasses.asdict(report) for report in reports]})
        return
    rows = [row for report in reports for row in report.rows]
    if rows:
        screen = console()
        if dry_run:
            screen.print("This is what an import would do; nothing was written", style="italic", highlight=False)
        screen.print(_sections(rows).fit(screen.width))
    for report in reports:
        for sentence in _sentences(report):
            print_message(f"{report.file}: {sentence}")
    for name in dict.fromkeys(row.section for row in rows if not row.known and row.read > row.skipped):
        print_message(f'The section "{name}" is unknown; its items were imported as rules in a chapter of that name.')


def _sentences(report: FileReport) -> list[str]:
    """What a reader should know about an imported file."""
    invisible = [f"{report.invisible} invisible characters were removed."] if report.invisible else []
    return [
        *([report.fault] if report.fault else []),
        *(f"skipped {skip.path}: {skip.reason}." for skip in report.skips),
        *(f"{conflict.path} replaces the same item from {conflict.other}." for conflict in report.conflicts),
        *(f"removed {path}, which is no longer in the file." for path in report.removed),
        *(f"{path} contains text that looks like instructions to an AI; it is kept as plain text."
          for path in report.addressed),
        *invisible,
        *(f'the book "{book}" is no longer in the file and was kept; use remove to delete it.'
          for book in report.missing),
    ]  # fmt: skip


def _sections(rows: Sequence[SectionReport]) -> Rows:
    """The table of sections, without its empty columns: there may be six."""
    sums = {name: sum(getattr(row, name) for row in rows) for name in _COUNTS}
    counts = [name for name in _COUNTS if sums[name] or name in _ALWAYS]
    table = Rows([Column("book"), Column("section"), *(Column(name, is_number=True) for name in counts)])
    for row in rows:
        section = row.section if row.known else f"{row.section} (unknown)"
        table.add(row.book, section or "—", *(str(getattr(row, name)) for name in counts))
    if len(rows) > 1:
        table.total = ["all", "", *(str(sums[name]) for name in counts)]
    return table
