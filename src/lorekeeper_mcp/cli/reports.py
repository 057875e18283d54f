"""The commands about the store: ``status``, ``doctor``, ``sync``, ``import``, ``export`` and ``remove``."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import typer
from rich.text import Text

from lorekeeper_mcp.cli.lookup import print_json, print_message
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.terminal import console, labeled, print_table
from lorekeeper_mcp.homebrew.import_paths import in_batches, load_files
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.background import EVERYTHING
from lorekeeper_mcp.repository.status import Missing, Report
from lorekeeper_mcp.settings import Settings, config_file
from lorekeeper_mcp.sharing.book_commands import Import, Imported, Remove
from lorekeeper_mcp.sharing.store_commands import GROUPS, Embed, Status, Sync
from lorekeeper_mcp.sources.imported import book_key
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


_COUNTS = ("read", "imported", "updated", "unchanged", "skipped", "removed")  # of an import
_ALWAYS = ("read", "imported")


def run_import(settings: Settings, named: Sequence[str], options: Import, *, as_json: bool, book: str = "") -> int:
    """Import files, print the report and return the exit code: 1 if a file failed, or an item in strict mode.

    ``book`` names the book of files that do not name their own. ``options`` is sent with some of the files at a time.
    The new items are then embedded if a person can watch and stop it; otherwise a server does that.
    """
    files = load_files(named)
    reports: list[FileReport] = []
    foreign, waiting = 0, 0
    try:
        for batch in in_batches(dataclasses.replace(file, name=book, folder=book) if book else file for file in files):
            imported = _import(settings, options.model_copy(update={"files": batch}))
            reports += imported.reports
            foreign += imported.foreign
            waiting = imported.waiting
    finally:
        if foreign:
            sys.stderr.write(f"{foreign} files contain no homebrew and were skipped.\n")
        print_import(reports, dry_run=options.dry_run, as_json=as_json)
    if waiting and not options.dry_run and sys.stderr.isatty():
        run_command(settings, Embed())
    elif waiting and not options.dry_run:
        sys.stderr.write(
            f"{waiting} items can be found by name, keyword and filter now; "
            "search by meaning works once a server has embedded them.\n"
        )
    return int(any(report.fault or (options.strict and not report.complete) for report in reports))


def _import(settings: Settings, command: Import) -> Imported:
    """Import a batch of files. Only one with something to store needs a cache."""
    is_new = not settings.milvus_uri and not settings.milvus_db_path.exists()
    if all(file.fault for file in command.files) or (command.dry_run and is_new):
        return asyncio.run(command.into(None, HomebrewLibrary.of(settings), lambda _: None))
    return run_command(settings, command)


def print_import(reports: Sequence[FileReport], *, dry_run: bool, as_json: bool) -> None:
    """Print the table to stdout and the reasons for skipped items to stderr; with JSON everything to stdout."""
    if as_json:
        print_json({"dry_run": dry_run, "files": [dataclasses.asdict(report) for report in reports]})
        return
    rows = [row for report in reports for row in report.rows]
    if rows:
        if dry_run:
            sys.stdout.write("This is what an import would do; nothing was written\n")
        _print_sections(rows)
    for report in reports:
        for sentence in _sentences(report):
            print_message(f"{report.file}: {sentence}")
    for name in dict.fromkeys(row.section for row in rows if not row.known and row.read > row.skipped):
        print_message(f'The section "{name}" is unknown; its items were imported as rules in a chapter of that name.')


def _print_sections(rows: Sequence[SectionReport]) -> None:
    """Print the table of sections, without its empty columns."""
    sums = {name: sum(getattr(row, name) for row in rows) for name in _COUNTS}
    counts = [name for name in _COUNTS if sums[name] or name in _ALWAYS]
    cells = [
        [
            row.book,
            (row.section or "—") if row.known else f"{row.section} (unknown)",
            *(str(getattr(row, name)) for name in counts),
        ]
        for row in rows
    ]
    total = ["all", "", *(str(sums[name]) for name in counts)] if len(rows) > 1 else []
    print_table(("book", "section", *counts), cells, total)


def _sentences(report: FileReport) -> Iterator[str]:
    """What a reader should know about an imported file."""
    if report.fault:
        yield report.fault
    yield from (f"skipped {skip.path}: {skip.reason}." for skip in report.skips)
    yield from (f"{conflict.path} replaces the same item from {conflict.other}." for conflict in report.conflicts)
    yield from (f"removed {path}, which is no longer in the file." for path in report.removed)
    for path in report.addressed:
        yield f"{path} contains text that looks like instructions to an AI; it is kept as plain text."
    if report.invisible:
        yield f"{report.invisible} invisible characters were removed."
    for book in report.missing:
        yield f'the book "{book}" is no longer in the file and was kept; use remove to delete it.'


def run_export(settings: Settings, book: str, target: Path | None) -> int:
    """Copy the files that a book was imported from to a file, a folder or stdout; return 1 if that is not possible."""
    library = HomebrewLibrary.of(settings)
    current = library.current()
    files = current.get(book) or current.get(book_key(book), ())
    names = [PurePath(stored.path or stored.name or "book").name for stored in files]
    is_folder = target is not None and target.is_dir()
    if not files or (len(files) > 1 and not is_folder):
        refusal = f"{book} was imported from {len(files)} files; name an existing folder for them"
        if not files:
            imported = ", ".join(sorted(current)) or "none"
            refusal = f'No imported book has the key or name "{book[:80]}"; imported books: {imported}'
        sys.stderr.write(f"{refusal}.\n")
        return 1
    try:
        for stored, name in zip(files, names, strict=True):
            data, own = library.read(stored), name if names.count(name) == 1 else f"{stored.id[:8]}-{name}"
            if target is None:
                sys.stdout.buffer.write(data)
            else:
                (target / own if is_folder else target).write_bytes(data)
                sys.stderr.write(f"{own}\n")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"Nothing more was exported: {error}.\n")
        return 1
    return 0


def run_remove(settings: Settings, books: Sequence[str]) -> int:
    """Remove books by key or name; return 1 if one of them does not exist."""
    removed = run_command(settings, Remove(books=tuple(books)))
    sys.stdout.write("".join(f"{line}\n" for line in removed.done))
    sys.stderr.write("".join(f"{line}\n" for line in removed.missing))
    return int(bool(removed.missing))
