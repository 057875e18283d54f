"""The commands for imported books: the library stores the files, and the owner reconciles the store with it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import BaseModel

from lorekeeper_mcp.homebrew.batch_reader import read_files
from lorekeeper_mcp.homebrew.exporter import Loss, export, load_book
from lorekeeper_mcp.homebrew.importer import FileReport, ImportFile, import_file, preview, remove
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.repository.document_names import resolve_documents
from lorekeeper_mcp.sharing.command import Command, OnProgress, Progress
from lorekeeper_mcp.sharing.command_client import CommandError
from lorekeeper_mcp.store.cache import Cache

if TYPE_CHECKING:  # only needed to open a store, not to ask the owner
    from lorekeeper_mcp.repository.repository import Repository


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
    cache, library = _lasting_cache(repository), HomebrewLibrary.of(repository.settings)

    def on_read(count: int) -> None:
        on_progress(Progress(task="Reading", done=count, total=len(request.files)))

    prepared, foreign = await read_files(request.files, library, on_read, cache)
    total, stored = sum(file.size for file in prepared), 0
    reports: list[FileReport] = []
    fault = ""

    def advance(count: int) -> None:
        nonlocal stored
        stored += count
        on_progress(Progress(task="Storing", done=stored, total=total))

    try:
        for file in prepared:
            if request.dry_run:
                report = await preview(cache, library, file, force=request.force)
            else:
                report = await import_file(
                    cache, library, file, force=request.force, strict=request.strict, progress=advance
                )
            reports.append(report)
    except OSError as error:
        fault = f"Nothing more was imported: {error.filename or 'the disk'}: {error.strerror or error}."
    return Imported(reports=tuple(reports), foreign=foreign, waiting=cache.without_vector(), fault=fault)


class RemoveRequest(BaseModel, frozen=True):
    """Keys or names of imported books to remove."""

    books: tuple[str, ...]


class Removed(BaseModel, frozen=True):
    """Sentences about removed books, and the names that were not found."""

    done: tuple[str, ...]
    missing: tuple[str, ...]


async def _remove(repository: Repository, request: RemoveRequest, _: OnProgress) -> Removed:
    cache = _lasting_cache(repository)
    library = HomebrewLibrary.of(repository.settings)
    done, missing = [], []
    for book in request.books:
        names = await _book_names(cache, library)
        keys = resolve_documents([book], names.items()).keys
        for key in keys:
            count = await remove(cache, library, key)
            done.append(f"Removed {names[key]} ({key}): {count} records.")
        if not keys:
            missing.append(_no_book(book, names))
    return Removed(done=tuple(done), missing=tuple(missing))


def _no_book(book: str, names: Mapping[str, str]) -> str:
    imported = ", ".join(sorted(names.values())) or "none"
    return f'No imported book is called "{book[:80]}"; imported books: {imported}.'


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
    names = await _book_names(cache, HomebrewLibrary.of(repository.settings))
    keys = sorted(resolve_documents([request.book], names.items()).keys)
    if not keys:
        raise CommandError(_no_book(request.book, names))
    document, records = await load_book(cache, keys[0])
    exported = await asyncio.to_thread(export, document, records, request.form)
    return Exported(data=exported.data, items=exported.items, losses=exported.losses)


async def _book_names(cache: Cache, library: HomebrewLibrary) -> Mapping[str, str]:
    """Return the names of the imported books by key, from the cache and the library."""
    current = await asyncio.to_thread(library.current)
    entries = [entry for entry in cache.catalog if entry.source is Source.HOMEBREW]
    names = {entry.document_key: entry.document_key for entry in entries}
    titles = {entry.key: entry.name for entry in entries if entry.kind is Kind.DOCUMENT}
    return {key: key for key in current} | names | titles


def _lasting_cache(repository: Repository) -> Cache:
    """Return the cache unless it is only a temporary one. Raises CommandError."""
    if repository.cache.temporary:
        path = repository.settings.milvus_db_path
        raise CommandError(f"The cache in {path} cannot be opened; nothing was changed.")
    return repository.cache


IMPORT = Command("import", ImportRequest, Imported, _import, finishes=True)
EXPORT = Command("export", ExportRequest, Exported, _export)
REMOVE = Command("remove", RemoveRequest, Removed, _remove, finishes=True)
COMMANDS = (IMPORT, EXPORT, REMOVE)
