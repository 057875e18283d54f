"""The commands for imported books: the library stores the files, and the owner reconciles the store with it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import BaseModel

from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.importer import FileReport, import_files, preview, read_files, remove
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.repository.document_list import resolve_documents
from lorekeeper_mcp.sharing.command import Command, CommandError, OnProgress, Progress
from lorekeeper_mcp.store.cache import Cache

if TYPE_CHECKING:  # only needed to open a store, not to ask the owner
    from lorekeeper_mcp.repository.repository import Repository


class Imported(BaseModel, frozen=True):
    """The outcome for each file, and the numbers of other files and of items to embed."""

    reports: tuple[FileReport, ...]
    foreign: int = 0
    waiting: int = 0


class Import(Command[Imported], frozen=True):
    """Import files."""

    finishes = True
    files: tuple[ImportFile, ...] = ()
    dry_run: bool = False
    force: bool = False
    strict: bool = False

    async def work(self, repository: Repository, on_progress: OnProgress) -> Imported:
        """Import one file after the other, or report what that would do."""
        return await self.into(_lasting_cache(repository), HomebrewLibrary.of(repository.settings), on_progress)

    async def into(self, cache: Cache | None, library: HomebrewLibrary, on_progress: OnProgress) -> Imported:
        """Do the same with the parts of a repository. Without a cache nothing is written."""

        def on_read(count: int) -> None:
            on_progress(Progress(task="Reading", done=count, total=len(self.files)))

        prepared, foreign = await read_files(self.files, library, on_read, cache)
        total = sum(len(book.records()) for file in prepared for book in file.books)
        stored = 0

        def advance(count: int) -> None:
            nonlocal stored
            stored += count
            on_progress(Progress(task="Storing", done=stored, total=total))

        if cache is None or self.dry_run:
            reports = await preview(cache, library, prepared, force=self.force)
        else:
            reports = await import_files(
                cache, library, prepared, force=self.force, strict=self.strict, progress=advance
            )
        waiting = cache.without_vector() if cache else 0
        return Imported(reports=tuple(reports), foreign=foreign, waiting=waiting)


class Removed(BaseModel, frozen=True):
    """Sentences about removed books, and about names that no book has."""

    done: tuple[str, ...]
    missing: tuple[str, ...]


class Remove(Command[Removed], frozen=True):
    """Remove imported books by key or name."""

    finishes = True
    books: tuple[str, ...]

    async def work(self, repository: Repository, on_progress: OnProgress) -> Removed:
        """Remove one book after the other."""
        cache, library = _lasting_cache(repository), HomebrewLibrary.of(repository.settings)
        done, missing = [], []
        for book in self.books:
            names = await _book_names(cache, library)
            keys = resolve_documents([book], names.items()).keys
            for key in keys:
                count = await remove(cache, library, key)
                done.append(f"Removed {names[key]} ({key}): {count} records.")
            if not keys:
                imported = ", ".join(sorted(names.values())) or "none"
                missing.append(f'No imported book is called "{book[:80]}"; imported books: {imported}.')
        return Removed(done=tuple(done), missing=tuple(missing))


async def _book_names(cache: Cache, library: HomebrewLibrary) -> Mapping[str, str]:
    """Return the names of the imported books by key, from the cache and the library."""
    current = await asyncio.to_thread(library.current)
    entries = [entry for entry in cache.catalog if entry.source is Source.HOMEBREW]
    titles = {entry.key: entry.name for entry in entries if entry.kind is Kind.DOCUMENT}
    return {key: key for key in (*current, *(entry.document_key for entry in entries))} | titles


def _lasting_cache(repository: Repository) -> Cache:
    """Return the cache unless it is only a temporary one. Raises CommandError."""
    if repository.cache.temporary:
        path = repository.settings.milvus_db_path
        raise CommandError(f"The cache in {path} cannot be opened; nothing was changed.")
    return repository.cache
