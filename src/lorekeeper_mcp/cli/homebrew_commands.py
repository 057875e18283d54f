"""The commands ``import`` and ``remove``."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from lorekeeper_mcp.cli import import_paths
from lorekeeper_mcp.cli.import_report import show
from lorekeeper_mcp.cli.runner import run_command
from lorekeeper_mcp.homebrew.importer import FileReport, ImportFile, preview
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.book_commands import (
    IMPORT,
    REMOVE,
    Imported,
    ImportRequest,
    RemoveRequest,
    SentFile,
    read_files,
)
from lorekeeper_mcp.sharing.command import EmptyRequest, OnProgress
from lorekeeper_mcp.sharing.command import Progress as Step
from lorekeeper_mcp.sharing.store_commands import EMBED

_AT_ONCE = 200_000_000  # characters of files per request: files may refer to each other


@dataclass(frozen=True)
class Options:
    """How to import."""

    dry_run: bool = False
    force: bool = False
    strict: bool = False
    as_json: bool = False


def run_import(settings: Settings, named: Sequence[str], options: Options) -> int:
    """Import files, print the report and return the exit code: 1 if a file failed, or an item in strict mode.

    The import is done when everything is stored and the report is printed. In a terminal the new items are then
    embedded, which Ctrl-C may interrupt; otherwise a server does that.
    """
    files = import_paths.find(named)
    sent = (one for file in files for one in _files_to_send(file, named=file in named))
    new = not settings.milvus_uri and not settings.milvus_db_path.exists()
    done: list[Imported] = []
    try:
        for request in _requests(sent, options):
            with _progress() as on_progress:
                if all(one.fault for one in request.files) or (options.dry_run and new):
                    done.append(asyncio.run(_preview(settings, request)))
                else:
                    done.append(run_command(settings, IMPORT, request, on_progress))
            if done[-1].fault:
                break
    finally:
        _print_reports(done, options)
    if not options.dry_run and not any(one.fault for one in done):
        _embed(settings, done[-1].waiting)
    reports = [report for one in done for report in one.reports]
    failed = any(report.fault or (options.strict and not report.complete) for report in reports)
    return int(failed or any(one.fault for one in done))


def _files_to_send(file: str, *, named: bool) -> list[SentFile]:
    """Encode a file, or the files of an archive, for the owner, or the reason why the file is unreadable."""
    try:
        return [
            SentFile.of(one) if isinstance(one, ImportFile) else SentFile(shown=one.shown, fault=one.fault)
            for one in import_paths.load(file, named=named)
        ]
    except import_paths.ImportPathError as fault:
        return [SentFile(shown=file, fault=str(fault))]


def _requests(files: Iterable[SentFile], options: Options) -> Iterator[ImportRequest]:
    """Split the files into requests of limited size; one is in memory at a time."""
    batch: list[SentFile] = []
    for file in itertools.chain(files, [None]):
        if batch and (file is None or sum(len(one.data) for one in batch) + len(file.data) > _AT_ONCE):
            yield ImportRequest(files=tuple(batch), dry_run=options.dry_run, force=options.force, strict=options.strict)
            batch = []
        if file is not None:
            batch.append(file)


async def _preview(settings: Settings, request: ImportRequest) -> Imported:
    """Return the result of a dry run for a cache that does not exist yet."""
    library = HomebrewLibrary.of(settings)
    prepared, foreign = await read_files(request, library, lambda _: None)
    reports = [await preview(None, library, one, force=request.force) for one in prepared]
    return Imported(reports=tuple(reports), foreign=foreign)


def _print_reports(done: Sequence[Imported], options: Options) -> None:
    """Print the result of each file."""
    reports: list[FileReport] = [report for one in done for report in one.reports]
    if foreign := sum(one.foreign for one in done):
        sys.stderr.write(f"{foreign} files contain no homebrew and were skipped.\n")
    show(reports, dry_run=options.dry_run, as_json=options.as_json)
    for one in done:
        sys.stderr.write(f"{one.fault}\n" if one.fault else "")


def _embed(settings: Settings, waiting: int) -> None:
    """Embed the new items now if a person can watch and stop it; otherwise leave it to a server."""
    if not waiting:
        return
    if not sys.stderr.isatty():
        sys.stderr.write(
            f"{waiting} items can be found by name, keyword and filter now, and by meaning after a server has run.\n"
        )
        return
    with _progress() as on_progress:
        run_command(settings, EMBED, EmptyRequest(), on_progress)


def run_remove(settings: Settings, books: Sequence[str]) -> int:
    """Remove books by key or name; return 1 if one of them does not exist."""
    removed = run_command(settings, REMOVE, RemoveRequest(books=tuple(books)))
    sys.stdout.write("".join(f"{line}\n" for line in removed.done))
    sys.stderr.write("".join(f"{line}\n" for line in removed.missing))
    return int(bool(removed.missing))


@contextlib.contextmanager
def _progress() -> Iterator[OnProgress]:
    """Show a progress bar for each task on stderr in a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        tasks = {task: bars.add_task(task, total=None, visible=False) for task in ("Reading", "Storing", "meaning")}

        def on_progress(step: Step) -> None:
            bars.update(tasks[step.task], completed=step.done, total=step.total, visible=True)

        yield on_progress
