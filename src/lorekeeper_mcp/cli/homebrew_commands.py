"""The commands ``import``, ``export`` and ``remove``."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from lorekeeper_mcp.cli.lookup import print_json, print_message
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.cli.terminal import print_table
from lorekeeper_mcp.homebrew.import_paths import in_batches, load_files
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.book_commands import Import, Imported, Remove
from lorekeeper_mcp.sharing.store_commands import Embed
from lorekeeper_mcp.sources.imported import book_key

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
