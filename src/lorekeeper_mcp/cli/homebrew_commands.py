"""The commands ``import``, ``export`` and ``remove``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lorekeeper_mcp.cli import import_paths
from lorekeeper_mcp.cli.import_report import show
from lorekeeper_mcp.cli.progress_bars import progress_bars
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.homebrew.exporter import Loss
from lorekeeper_mcp.homebrew.importer import FileReport, ImportFile
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.book_commands import Export, Import, Imported, Remove
from lorekeeper_mcp.sharing.store_commands import Embed

_BATCH_BYTES = 150_000_000  # that many, since files may refer to others of their batch


def run_import(settings: Settings, named: Sequence[str], options: Import, *, as_json: bool) -> int:
    """Import files, print the report and return the exit code: 1 if a file failed, or an item in strict mode.

    ``options`` is a command without files, which is sent with some of the files at a time.
    The import is done when everything is stored and the report is printed. In a terminal the new items are then
    embedded, which Ctrl-C may interrupt; otherwise a server does that.
    """
    paths = import_paths.find(named)
    batches = _batches(file for path in paths for file in _load(path, named=path in named))
    reports: list[FileReport] = []
    foreign, waiting, fault = 0, 0, ""
    try:
        for files in batches:
            imported = _import(settings, options.model_copy(update={"files": files}))
            reports += imported.reports
            foreign += imported.foreign
            waiting, fault = imported.waiting, imported.fault
            if fault:
                break
    finally:
        if foreign:
            sys.stderr.write(f"{foreign} files contain no homebrew and were skipped.\n")
        show(reports, dry_run=options.dry_run, as_json=as_json)
    if fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    if waiting and not options.dry_run:
        _embed(settings, waiting)
    return int(any(report.fault or (options.strict and not report.complete) for report in reports))


def _load(path: str, *, named: bool) -> list[ImportFile]:
    """Read a file, or the files of an archive. One that is unreadable has the reason."""
    try:
        return import_paths.load(path, named=named)
    except import_paths.ImportPathError as error:
        return [ImportFile(path, fault=str(error))]


def _batches(files: Iterable[ImportFile]) -> Iterator[tuple[ImportFile, ...]]:
    """Split the files into batches of limited size; one is in memory at a time."""
    batch: list[ImportFile] = []
    size = 0
    for file in files:
        if batch and size + len(file.data) > _BATCH_BYTES:
            yield tuple(batch)
            batch, size = [], 0
        batch.append(file)
        size += len(file.data)
    if batch:
        yield tuple(batch)


def _import(settings: Settings, command: Import) -> Imported:
    """Import a batch of files. Only one with something to store needs a cache."""
    is_new = not settings.milvus_uri and not settings.milvus_db_path.exists()
    with progress_bars(transient=True) as on_progress:
        if all(file.fault for file in command.files) or (command.dry_run and is_new):
            return asyncio.run(command.into(None, HomebrewLibrary.of(settings), on_progress))
        return run_command(settings, command, on_progress)


def _embed(settings: Settings, waiting: int) -> None:
    """Embed the new items now if a person can watch and stop it; otherwise leave it to a server."""
    if not sys.stderr.isatty():
        sys.stderr.write(
            f"{waiting} items can be found by name, keyword and filter now; "
            "search by meaning works once a server has embedded them.\n"
        )
        return
    with progress_bars(transient=True) as on_progress:
        run_command(settings, Embed(), on_progress)


def run_export(settings: Settings, book: str, form: str, output: Path | None) -> int:
    """Write a book to a file or stdout, and lost fields to stderr; return 1 if the book cannot be written."""
    exported = run_command(settings, Export(book=book, form=form))
    try:
        if output is None:
            sys.stdout.buffer.write(exported.data)
        else:
            output.write_bytes(exported.data)
    except OSError as error:
        sys.stderr.write(f"Nothing was exported: {error.filename or 'the disk'}: {error.strerror or error}.\n")
        return 1
    sys.stderr.write(f"{exported.items} {'item' if exported.items == 1 else 'items'} exported.\n")
    _print_losses(exported.losses, form)
    return 0


def _print_losses(losses: Iterable[Loss], form: str) -> None:
    """List what other programs will not get, item by item."""
    fields: dict[str, list[str]] = {}
    for loss in losses:
        fields.setdefault(loss.item, []).append(loss.field.replace("_", " "))
    if fields:
        sys.stderr.write(
            f"{form} cannot express these fields; LoreKeeper can import them again, other programs ignore them:\n"
        )
    sys.stderr.writelines(f"{item}: {', '.join(names)}\n" for item, names in fields.items())


def run_remove(settings: Settings, books: Sequence[str]) -> int:
    """Remove books by key or name; return 1 if one of them does not exist."""
    removed = run_command(settings, Remove(books=tuple(books)))
    sys.stdout.write("".join(f"{line}\n" for line in removed.done))
    sys.stderr.write("".join(f"{line}\n" for line in removed.missing))
    return int(bool(removed.missing))
