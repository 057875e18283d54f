"""The commands ``import`` and ``remove``."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from lorekeeper_mcp.cli import import_paths
from lorekeeper_mcp.cli.import_report import show
from lorekeeper_mcp.embedding.embedder import EmbeddingUnavailableError
from lorekeeper_mcp.homebrew.importer import FileReport, ImportFile, Prepared, import_file, prepare, preview, remove
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.startup import open_library
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.models import Source as Origin
from lorekeeper_mcp.repository.documents import resolve
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sources.formats import fivetools_files
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError


class CommandError(RuntimeError):
    """The command cannot run; the message is a sentence."""


@dataclass(frozen=True)
class Options:
    """How to import."""

    dry_run: bool = False
    force: bool = False
    strict: bool = False
    as_json: bool = False


async def run_import(settings: Settings, named: Sequence[str], options: Options) -> int:
    """Import files, print the report and return the exit code: 1 if a file failed, or an item in strict mode.

    The import is done when everything is stored and the report is printed. In a terminal the new items are then
    embedded, which Ctrl-C may interrupt; otherwise the next server does that.
    """
    reports: list[FileReport] = []
    try:
        prepared = await _prepare(settings, named)
        new = not settings.milvus_uri and not settings.milvus_db_path.exists()
        if all(one.fault for one in prepared) or (options.dry_run and new):
            library = HomebrewLibrary.of(settings)
            reports += [await preview(None, library, one, force=options.force) for one in prepared]
            _show(reports, options)
        else:
            async with open_cache(settings) as cache:
                await _ingest(cache, settings, prepared, options, reports)
                _show(reports, options)
                if not options.dry_run:
                    await _embed(cache)
    except (CommandError, StoreError, OSError) as fault:
        _show(reports, options)
        sys.stderr.write(f"{_sentence(fault)}\n")
        return 1
    return int(any(report.fault or (options.strict and not report.complete) for report in reports))


def _show(reports: list[FileReport], options: Options) -> None:
    """Print the reports."""
    show(reports, dry_run=options.dry_run, as_json=options.as_json)


def _sentence(fault: Exception) -> str:
    """Return an error as a sentence; for disk errors it names the file."""
    if isinstance(fault, OSError):
        return f"Nothing more was imported: {fault.filename or 'the disk'}: {fault.strerror or fault}."
    return str(fault)


async def _prepare(settings: Settings, named: Sequence[str]) -> list[Prepared]:
    """Read and adapt what was named; what a folder or an archive has beside homebrew is counted on stderr."""
    files = import_paths.find(named)
    library = HomebrewLibrary.of(settings)
    others = functools.cache(lambda: fivetools_files(itertools.chain(_every_file(files), library.every_file())))
    found: list[Prepared] = []
    with _progress() as progress:
        reading = progress.add_task("Reading", total=len(files))
        for file in files:
            found += await asyncio.to_thread(_prepared, file, others, named=file in named)
            progress.advance(reading)
    foreign = [one for one in found if one.foreign and not one.source.named]
    if foreign:
        sys.stderr.write(f"{len(foreign)} files hold no homebrew and were passed over.\n")
    return [one for one in found if one not in foreign]


def _prepared(file: str, others: Callable[[], Iterable[object]], *, named: bool) -> list[Prepared]:
    """A file read and adapted; one that cannot be opened is at fault like one that cannot be read."""
    try:
        return [prepare(one, others) for one in import_paths.load(file, named=named)]
    except import_paths.ImportPathError as fault:
        return [Prepared(ImportFile(file, "", "", b""), fault=str(fault))]


def _every_file(files: Iterable[str]) -> Iterator[bytes]:
    """The bytes of all files that can be read twice: not of standard input."""
    for file in files:
        if file == import_paths.STDIN:
            continue
        with contextlib.suppress(import_paths.ImportPathError):
            yield from (one.data for one in import_paths.load(file))


async def _ingest(
    cache: Cache, settings: Settings, prepared: Sequence[Prepared], options: Options, reports: list[FileReport]
) -> None:
    """Import the files, or report what that would do."""
    if options.dry_run:
        library = HomebrewLibrary.of(settings)
        reports += [await preview(cache, library, one, force=options.force) for one in prepared]
        return
    library = await open_library(cache, settings)
    with _progress() as progress:
        storing = progress.add_task("Storing", total=sum(one.size for one in prepared))
        for one in prepared:
            reports.append(
                await import_file(
                    cache,
                    library,
                    one,
                    force=options.force,
                    strict=options.strict,
                    progress=lambda n: progress.advance(storing, n),
                )
            )
        progress.update(storing, completed=progress.tasks[storing].total)


async def _embed(cache: Cache) -> None:
    """Embed the new items now if a person can watch and stop it; otherwise a server does it later."""
    waiting = {family: cache.pending(family, frozenset(Kind)) for family in Family}
    total = sum(waiting.values())
    if not total:
        return
    if not sys.stderr.isatty():
        sys.stderr.write(f"{total} items can be found by name, words and filters; by meaning after a server has run.\n")
        return
    with _progress() as progress:
        embedding = progress.add_task("Embedding (Ctrl-C: leave it to the server)", total=total)
        try:
            for family, count in waiting.items():
                while count and (done := await cache.embed_pending(family)):
                    progress.advance(embedding, done)
        except (EmbeddingUnavailableError, StoreError) as error:
            progress.console.print(Text(f"Not embedded yet: {error}"))


async def run_remove(settings: Settings, books: Sequence[str]) -> int:
    """Remove books by key or name; return 1 if one of them does not exist."""
    missing = False
    try:
        async with open_cache(settings) as cache:
            shelf = await open_library(cache, settings)
            for given in books:
                names = await imported_books(cache, shelf)
                resolved = resolve([given], names.items())
                for key in resolved.keys:
                    count = await remove(cache, shelf, key)
                    sys.stdout.write(f"Removed {names[key]} ({key}): {count} records.\n")
                if not resolved.keys:
                    held = ", ".join(sorted(names.values())) or "none"
                    sys.stderr.write(f'No imported book is called "{given[:80]}"; imported books: {held}.\n')
                    missing = True
    except (CommandError, StoreError, OSError) as fault:
        sys.stderr.write(f"{_sentence(fault)}\n")
        return 1
    return int(missing)


async def imported_books(cache: Cache, shelf: HomebrewLibrary) -> dict[str, str]:
    """Return the names of the imported books by key, from the cache and the library."""
    current = await asyncio.to_thread(shelf.current)
    entries = [entry for entry in cache.catalog if entry.source is Origin.ORCBREW]
    names = {entry.document_key: entry.document_key for entry in entries}
    return (
        {key: key for key in current}
        | names
        | {entry.key: entry.name for entry in entries if entry.kind is Kind.DOCUMENT}
    )


@contextlib.asynccontextmanager
async def open_cache(settings: Settings) -> AsyncIterator[Cache]:
    """Open the cache as a server does. Raises CommandError if only a temporary one is possible."""
    cache = await Cache.open(settings)
    try:
        if cache.temporary:
            raise CommandError(f"The cache in {settings.milvus_db_path} cannot be opened; nothing was changed.")
        yield cache
    finally:
        await cache.aclose()


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    """Show a progress bar on stderr in a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        yield bar
