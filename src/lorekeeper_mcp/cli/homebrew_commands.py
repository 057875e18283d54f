"""The commands ``import``, ``export`` and ``remove``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from lorekeeper_mcp.cli.reports import print_import
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.homebrew.import_paths import in_batches, load_files
from lorekeeper_mcp.homebrew.importer import FileReport
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.book_commands import Import, Imported, Remove
from lorekeeper_mcp.sharing.store_commands import Embed
from lorekeeper_mcp.sources.imported import book_key


def run_import(settings: Settings, named: Sequence[str], options: Import, *, as_json: bool, book: str = "") -> int:
    """Import files, print the report and return the exit code: 1 if a file failed, or an item in strict mode.

    ``book`` names the book of files that do not name their own. ``options`` is sent with some of the files at a time.
    The new items are then embedded if a person can watch and stop it; otherwise a server does that.
    """
    files = load_files(named)
    reports: list[FileReport] = []
    foreign, waiting = 0, 0
    try:
        for batch in in_batches(replace(file, name=book, folder=book) if book else file for file in files):
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


def run_export(settings: Settings, book: str, target: Path | None) -> int:
    """Copy the files that a book was imported from to a file, a folder or stdout; return 1 if that is not possible."""
    library = HomebrewLibrary.of(settings)
    current = library.current()
    key = book if book in current else book_key(book)
    files = current.get(key, ())
    is_folder = target is not None and target.is_dir()
    if not files:
        imported = ", ".join(sorted(current)) or "none"
        sys.stderr.write(f'No imported book has the key or name "{book[:80]}"; imported books: {imported}.\n')
        return 1
    if len(files) > 1 and not is_folder:
        sys.stderr.write(f"{key} was imported from {len(files)} files; name an existing folder for them.\n")
        return 1
    taken: set[str] = set()
    try:
        for stored in files:
            name = PurePath(stored.path or stored.name or "book").name
            name = f"{stored.id[:8]}-{name}" if name in taken else name
            taken.add(name)
            data = library.read(stored)
            if target is None:
                sys.stdout.buffer.write(data)
            else:
                (target / name if is_folder else target).write_bytes(data)
                sys.stderr.write(f"{len(taken)} of {len(files)}: {name}\n")
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
