"""The commands ``import``, ``export`` and ``remove``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lorekeeper_mcp.cli import import_paths
from lorekeeper_mcp.cli.import_report import show
from lorekeeper_mcp.cli.runner import progress_bars, run_command
from lorekeeper_mcp.homebrew.batch_reader import read_files
from lorekeeper_mcp.homebrew.importer import ImportFile, preview
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.book_commands import (
    EXPORT,
    IMPORT,
    REMOVE,
    Exported,
    ExportRequest,
    Imported,
    ImportRequest,
    RemoveRequest,
)
from lorekeeper_mcp.sharing.command import Nothing
from lorekeeper_mcp.sharing.store_commands import EMBED

_AT_ONCE = 150_000_000  # bytes of files per request: files may refer to each other


def run_import(settings: Settings, named: Sequence[str], options: ImportRequest, *, as_json: bool) -> int:
    """Import files, print the report and return the exit code: 1 if a file failed, or an item in strict mode.

    ``options`` is a request without files, which every request for some of the files repeats.
    The import is done when everything is stored and the report is printed. In a terminal the new items are then
    embedded, which Ctrl-C may interrupt; otherwise a server does that.
    """
    paths = import_paths.find(named)
    files = (file for path in paths for file in _load(path, named=path in named))
    is_new = not settings.milvus_uri and not settings.milvus_db_path.exists()
    results: list[Imported] = []
    try:
        for request in _requests(files, options):
            with progress_bars(transient=True) as on_progress:
                if all(file.fault for file in request.files) or (options.dry_run and is_new):
                    results.append(asyncio.run(_preview(settings, request)))
                else:
                    results.append(run_command(settings, IMPORT, request, on_progress))
            if results[-1].fault:
                break
    finally:
        _print_reports(results, dry_run=options.dry_run, as_json=as_json)
    if any(result.fault for result in results):
        return 1
    if not options.dry_run:
        _embed(settings, results[-1].waiting)
    reports = [report for result in results for report in result.reports]
    return int(any(report.fault or (options.strict and not report.complete) for report in reports))


def _load(path: str, *, named: bool) -> list[ImportFile]:
    """Read a file, or the files of an archive. One that is unreadable has the reason."""
    try:
        return import_paths.load(path, named=named)
    except import_paths.ImportPathError as error:
        return [ImportFile(path, fault=str(error))]


def _requests(files: Iterable[ImportFile], options: ImportRequest) -> Iterator[ImportRequest]:
    """Split the files into requests of limited size; one is in memory at a time."""
    batch: list[ImportFile] = []
    size = 0
    for file in files:
        if batch and size + len(file.data) > _AT_ONCE:
            yield options.model_copy(update={"files": tuple(batch)})
            batch, size = [], 0
        batch.append(file)
        size += len(file.data)
    if batch:
        yield options.model_copy(update={"files": tuple(batch)})


async def _preview(settings: Settings, request: ImportRequest) -> Imported:
    """Return the result of a dry run for a cache that does not exist yet."""
    library = HomebrewLibrary.of(settings)
    prepared, foreign = await read_files(request.files, library)
    reports = [await preview(None, library, file, force=request.force) for file in prepared]
    return Imported(reports=tuple(reports), foreign=foreign)


def _print_reports(results: Sequence[Imported], *, dry_run: bool, as_json: bool) -> None:
    """Print the result of each file."""
    reports = [report for result in results for report in result.reports]
    if foreign := sum(result.foreign for result in results):
        sys.stderr.write(f"{foreign} files contain no homebrew and were skipped.\n")
    show(reports, dry_run=dry_run, as_json=as_json)
    for result in results:
        sys.stderr.write(f"{result.fault}\n" if result.fault else "")


def _embed(settings: Settings, waiting: int) -> None:
    """Embed the new items now if a person can watch and stop it; otherwise leave it to a server."""
    if not waiting:
        return
    if not sys.stderr.isatty():
        sys.stderr.write(
            f"{waiting} items can be found by name, keyword and filter now; "
            "search by meaning works once a server has embedded them.\n"
        )
        return
    with progress_bars(transient=True) as on_progress:
        run_command(settings, EMBED, Nothing(), on_progress)


def run_export(settings: Settings, book: str, form: str, output: Path | None) -> int:
    """Write a book to a file or stdout, and lost fields to stderr; return 1 if the book cannot be written."""
    exported = run_command(settings, EXPORT, ExportRequest(book=book, form=form))
    try:
        if output is None:
            sys.stdout.buffer.write(exported.data)
        else:
            output.write_bytes(exported.data)
    except OSError as error:
        sys.stderr.write(f"Nothing was exported: {error.filename or 'the disk'}: {error.strerror or error}.\n")
        return 1
    _print_losses(exported, form)
    return 0


def _print_losses(exported: Exported, form: str) -> None:
    """List what other programs will not get, item by item."""
    fields: dict[str, list[str]] = {}
    for loss in exported.losses:
        fields.setdefault(loss.item, []).append(loss.field.replace("_", " "))
    sys.stderr.write(f"{exported.items} {'item' if exported.items == 1 else 'items'} exported.\n")
    if fields:
        sys.stderr.write(
            f"{form} cannot express these fields; LoreKeeper can import them again, other programs ignore them:\n"
        )
    sys.stderr.writelines(f"{item}: {', '.join(names)}\n" for item, names in fields.items())


def run_remove(settings: Settings, books: Sequence[str]) -> int:
    """Remove books by key or name; return 1 if one of them does not exist."""
    removed = run_command(settings, REMOVE, RemoveRequest(books=tuple(books)))
    sys.stdout.write("".join(f"{line}\n" for line in removed.done))
    sys.stderr.write("".join(f"{line}\n" for line in removed.missing))
    return int(bool(removed.missing))
