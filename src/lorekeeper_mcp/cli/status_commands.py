"""``status`` and ``doctor``: the contents and the health of the cache."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.text import Text

from lorekeeper_mcp.cli.lookup import print_json
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.terminal import Column, Rows, console, labeled
from lorekeeper_mcp.repository.status import Missing, Report
from lorekeeper_mcp.settings import Settings, config_file
from lorekeeper_mcp.sharing import store_commands

TESTED = {"fastmcp-slim": "4.1.", "milvus-lite": "3.2.", "pymilvus": "3.0."}  # as pyproject.toml pins
_EXAMPLES = 3  # names of unreadable records
_LOW_BYTES = 300_000_000  # all of Open5e takes about 50 MB, twice that during a refresh


@dataclass(frozen=True)
class Check:
    """One check: ``state`` is ok, warning or fault; ``advice`` says what to do."""

    what: str
    state: str
    found: str
    advice: str = ""


def status(settings: Settings) -> Report:
    """Collect the status of the cache."""
    report = run_command(settings, store_commands.Status())
    is_own = report.owner == f"process {os.getpid()}"
    return report.model_copy(update={"owner": "this command"}) if is_own else report


def run_status(settings: Settings, *, as_json: bool) -> None:
    """Print the status of the cache."""
    report = status(settings)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    facts = [
        ("cache", f"{report.location} ({report.bytes_on_disk / 1e6:.0f} MB), owned by {report.owner}"),
        ("contents", f"{report.records} records from {report.documents} documents"),
        ("embeddings", _embeddings(report)),
        ("Open5e", f"{report.upstream}: {report.upstream_fault or 'reachable'}"),
    ]
    if report.imported_books:
        facts.append(("imported", ", ".join(report.imported_books)))
    facts += [("damaged", f"{book}: {reason}") for book, reason in report.homebrew_faults.items()]
    facts += [("quarantined", path) for path in report.quarantined]
    if report.notice:
        facts.append(("notice", report.notice))
    table = Rows([Column("kind"), Column("count", is_number=True), Column("from"), Column("fetched (UTC)")])
    for kind in report.kinds:
        sources = ", ".join(f"{source} {count}" for source, count in kind.by_source.items())
        unknown = "" if kind.complete else "incomplete"
        when = f"{kind.fetched:%Y-%m-%d %H:%M}" if kind.fetched else unknown
        table.add(kind.kind, str(kind.records), sources, when)
    gaps = [("missing", f"{', '.join(lists)}: {why}") for why, lists in lists_by_reason(report.missing).items()]
    for unreadable in report.unreadable:
        examples = ", ".join(unreadable.examples[:_EXAMPLES])
        count = f"{unreadable.count} records of {unreadable.list}"
        gaps.append(("left out", f"{count} could not be read, such as {examples}"))
    screen = console()
    screen.print(labeled(facts), "", table.fit(screen.width), *(["", labeled(gaps)] if gaps else []), sep="\n")


def lists_by_reason(missing: Iterable[Missing]) -> dict[str, list[str]]:
    """Group lists that are missing by the reason."""
    lists: dict[str, list[str]] = {}
    for entry in missing:
        lists.setdefault(entry.why, []).append(entry.list)
    return lists


def _embeddings(report: Report) -> str:
    if report.model_fault:
        return f"{report.model}: {report.model_fault}"
    waiting = report.without_embedding
    return f"{report.model}, {f'{waiting} records not embedded yet' if waiting else 'all records embedded'}"


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
    free = shutil.disk_usage(folder).free
    if not os.access(folder, os.W_OK):
        advice = "Change its permissions, or choose another folder with --db-path."
        return Check("disk", "fault", f"{folder} is not writable", advice)
    low = free < _LOW_BYTES
    advice = f"Free some space: about {_LOW_BYTES // 1_000_000} MB are needed." if low else ""
    return Check("disk", "warning" if low else "ok", f"{free / 1e9:.1f} GB free", advice)


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
        names = ", ".join(missing.list for missing in report.missing[:4])
        more = f" and {len(report.missing) - 4} more" if len(report.missing) > 4 else ""
        return Check("records", "warning", f"parts of Open5e are missing: {names}{more}", fetching)
    if report.without_embedding:
        what = f"{report.without_embedding} records are not embedded yet"
        return Check("records", "warning", what, "lorekeeper-mcp sync")
    return Check("records", "ok", f"all of Open5e, {report.records} records")


def run_doctor(settings: Settings, *, as_json: bool) -> int:
    """Run and print all checks; return 1 if one fails."""
    checks = doctor(settings)
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        _show_checks(checks)
    return int(any(check.state == "fault" for check in checks))


def _show_checks(checks: list[Check]) -> None:
    colors = {"ok": "green", "warning": "yellow", "fault": "red"}
    screen = console()
    for check in checks:
        finding = Text.assemble((check.what, "bold"), f": {check.found}")
        lines = [(f"{check.state:>7}", finding), *([("", Text(check.advice))] if check.advice else [])]
        screen.print(labeled(lines, colors[check.state]))
    sys.stdout.flush()
