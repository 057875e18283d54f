"""The commands for imported books: the library stores the files, and the owner reconciles the store with it."""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from pydantic import BaseModel

from lorekeeper_mcp.homebrew.exporter import Loss, export, load_book
from lorekeeper_mcp.homebrew.importer import FileReport, ImportFile, Prepared, import_file, prepare, preview, remove
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, open_library
from lorekeeper_mcp.homebrew.stored_originals import stored_originals
from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.repository.document_names import resolve_documents
from lorekeeper_mcp.sharing.command import Command, OnProgress, Progress
from lorekeeper_mcp.sharing.command_client import CommandError
from lorekeeper_mcp.sources.formats import fivetools_files
from lorekeeper_mcp.sources.originals import Lookup, Originals, record_among, srd_record
from lorekeeper_mcp.store.cache import Cache

if TYPE_CHECKING:  # only needed to open a store, not to ask the owner
    from lorekeeper_mcp.repository.repository import Repository

_MOST_ROUNDS = 20  # in which files are read again, for originals that needed other files read first


class _WithContent(BaseModel, frozen=True, ser_json_bytes="base64", val_json_bytes="base64"):
    """A request or a result with the bytes of files."""


class ImportRequest(_WithContent, frozen=True):
    """Files to import, and the options."""

    files: tuple[ImportFile, ...] = ()
    dry_run: bool = False
    force: bool = False
    strict: bool = False


class Imported(BaseModel, frozen=True):
    """The outcome for each file, the numbers of other files and of items to embed, and an error that ended it."""

    reports: tuple[FileReport, ...]
    foreign: int = 0
    waiting: int = 0
    fault: str = ""


async def _import(repository: Repository, request: ImportRequest, on_progress: OnProgress) -> Imported:
    cache, library = _changeable(repository), HomebrewLibrary.of(repository.settings)
    prepared, foreign = await read_files(request, library, on_progress, cache)
    reports: list[FileReport] = []
    fault = ""
    try:
        if request.dry_run:
            reports += [await preview(cache, library, one, force=request.force) for one in prepared]
        else:
            await _store(repository, prepared, request, reports, on_progress)
    except OSError as error:
        fault = f"Nothing more was imported: {error.filename or 'the disk'}: {error.strerror or error}."
    return Imported(reports=tuple(reports), foreign=foreign, waiting=repository.cache.without_vector(), fault=fault)


async def read_files(
    request: ImportRequest, library: HomebrewLibrary, on_progress: OnProgress, cache: Cache | None = None
) -> tuple[list[Prepared], int]:
    """Read and adapt files. Non-homebrew files in a folder or an archive are counted and skipped.

    Originals of copies are searched for in the files, then in the library, then in the store.
    """
    every = itertools.chain((file.data for file in request.files), library.every_file())
    others = functools.cache(lambda: fivetools_files(every))
    found: list[Prepared] = []
    lacking: list[int] = []

    async def read_one(at: int, lookup: Lookup) -> bool:
        """Read a file; return whether it lacks an original."""
        originals = Originals(others, lookup)
        found[at] = await asyncio.to_thread(prepare, request.files[at], originals)
        return bool(originals.missing)

    for number, file in enumerate(request.files, 1):
        found.append(Prepared(file))
        if await read_one(number - 1, srd_record if len(request.files) == 1 else _srd_record_named):
            lacking.append(number - 1)
        on_progress(Progress(task="Reading", done=number, total=len(request.files)))
    books = {book.key for one in found for book in one.books}
    of_store = [stored_originals(cache, without) for without in (books, ())] if cache else [srd_record]
    for then in (_srd_record_named, *of_store) if len(request.files) > 1 else of_store:
        for _ in range(_MOST_ROUNDS if lacking else 0):
            of_files = record_among(record for one in found for book in one.books for record in book.records())
            left = [at for at in lacking if await read_one(at, _first(of_files, then))]
            lacking, before = left, len(lacking)
            if len(left) == before:
                break
    stored = [one for one in found if not one.foreign or one.source.named]
    return stored, len(found) - len(stored)


def _srd_record_named(kinds: Collection[Kind], name: str, source: str) -> Record | None:
    """Find an SRD record for a copy that names its book; without a name, another file may mean another record."""
    return srd_record(kinds, name, source) if source else None


def _first(*lookups: Lookup) -> Lookup:
    """Return a lookup that tries several, one after the other."""

    def found(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        answers = (lookup(kinds, name, source) for lookup in lookups)
        return next((one for one in answers if one is not None), None)

    return found


async def _store(
    repository: Repository,
    prepared: list[Prepared],
    request: ImportRequest,
    reports: list[FileReport],
    on_progress: OnProgress,
) -> None:
    cache = repository.cache
    library = await open_library(cache, repository.settings)
    total, stored = sum(one.size for one in prepared), 0

    def advance(count: int) -> None:
        nonlocal stored
        stored += count
        on_progress(Progress(task="Storing", done=stored, total=total))

    for one in prepared:
        reports.append(  # noqa: PERF401 - a fault leaves the reports before it
            await import_file(cache, library, one, force=request.force, strict=request.strict, progress=advance)
        )


class RemoveRequest(BaseModel, frozen=True):
    """Keys or names of imported books to remove."""

    books: tuple[str, ...]


class Removed(BaseModel, frozen=True):
    """Sentences about removed books, and the names that were not found."""

    done: tuple[str, ...]
    missing: tuple[str, ...]


async def _remove(repository: Repository, request: RemoveRequest, _: OnProgress) -> Removed:
    cache = _changeable(repository)
    library = await open_library(cache, repository.settings)
    done, missing = [], []
    for given in request.books:
        names = await _books(cache, library)
        keys = resolve_documents([given], names.items()).keys
        for key in keys:
            count = await remove(cache, library, key)
            done.append(f"Removed {names[key]} ({key}): {count} records.")
        if not keys:
            missing.append(_no_book(given, names))
    return Removed(done=tuple(done), missing=tuple(missing))


def _no_book(given: str, names: Mapping[str, str]) -> str:
    imported = ", ".join(sorted(names.values())) or "none"
    return f'No imported book is called "{given[:80]}"; imported books: {imported}.'


class ExportRequest(BaseModel, frozen=True):
    """An imported book by key or name, and the format to write it in."""

    book: str
    form: str


class Exported(_WithContent, frozen=True):
    """A written book, its number of items, and the fields that other programs do not get."""

    data: bytes
    items: int
    losses: tuple[Loss, ...]


async def _export(repository: Repository, request: ExportRequest, _: OnProgress) -> Exported:
    cache = repository.cache
    names = await _books(cache, await open_library(cache, repository.settings))
    keys = sorted(resolve_documents([request.book], names.items()).keys)
    if not keys:
        raise CommandError(_no_book(request.book, names))
    document, records = await load_book(cache, keys[0])
    made = await asyncio.to_thread(export, document, records, request.form)
    return Exported(data=made.data, items=made.items, losses=made.losses)


async def _books(cache: Cache, library: HomebrewLibrary) -> Mapping[str, str]:
    """Return the names of the imported books by key, from the cache and the library."""
    current = await asyncio.to_thread(library.current)
    entries = [entry for entry in cache.catalog if entry.source is Source.ORCBREW]
    names = {entry.document_key: entry.document_key for entry in entries}
    titles = {entry.key: entry.name for entry in entries if entry.kind is Kind.DOCUMENT}
    return {key: key for key in current} | names | titles


def _changeable(repository: Repository) -> Cache:
    """Return the cache unless it is only a temporary one. Raises CommandError."""
    if repository.cache.temporary:
        path = repository.settings.milvus_db_path
        raise CommandError(f"The cache in {path} cannot be opened; nothing was changed.")
    return repository.cache


IMPORT = Command("import", ImportRequest, Imported, _import, finishes=True)
EXPORT = Command("export", ExportRequest, Exported, _export)
REMOVE = Command("remove", RemoveRequest, Removed, _remove, finishes=True)
COMMANDS = (IMPORT, EXPORT, REMOVE)
