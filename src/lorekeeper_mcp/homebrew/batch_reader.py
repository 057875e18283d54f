"""Reads the files of one import together, since a file may have the originals of another file's copies.

Originals are looked up in the files, then in the library, then in the store.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, file_id
from lorekeeper_mcp.homebrew.suspect_text import addresses_assistant
from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import ImportedBook
from lorekeeper_mcp.sources.originals import Lookup, Originals, is_called, record_among, srd_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

_MAX_ROUNDS = 20  # of reading files again, for originals that are copies themselves


@dataclass(frozen=True)
class PreparedFile:
    """A file that has been read and adapted but not stored."""

    source: ImportFile
    books: tuple[ImportedBook, ...] = ()
    fault: str = ""
    invisible: int = 0
    foreign: bool = False  # not homebrew
    originals: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)  # stored, see ``Originals``

    @cached_property
    def id(self) -> str:
        """The id of the file in the library."""
        return file_id(self.source.data, self.source.name)

    @cached_property
    def addressed(self) -> tuple[str, ...]:
        """The books and items whose text addresses an assistant."""
        records: list[tuple[str, Record]] = [(book.document.name, book.document) for book in self.books]
        records += [(item.path, item.record) for book in self.books for item in book.items if item.record is not None]
        return tuple(path for path, record in records if addresses_assistant(record))

    @property
    def size(self) -> int:
        """The number of its records."""
        return sum(len(book.records()) for book in self.books)


def prepare(source: ImportFile, originals: Originals | None = None, reader: FileReader | None = None) -> PreparedFile:
    """Read and adapt a file; ``originals`` finds originals of its copies in other files. Blocks; never raises.

    Without a reader the file is read in this process, without limits.
    """
    if source.fault:
        return PreparedFile(source, fault=source.fault)
    originals = originals or Originals()
    read = reader.read if reader else formats.read
    file = read(source.data, source.name, originals, source.folder)
    source = replace(source, name=file.name or source.name)
    return PreparedFile(source, file.books, file.fault, file.invisible, file.foreign, originals.used)


async def read_files(
    files: Sequence[ImportFile],
    library: HomebrewLibrary,
    on_read: Callable[[int], object] = lambda _: None,
    cache: Cache | None = None,
) -> tuple[list[PreparedFile], int]:
    """Return the adapted files, and the number of files in folders or archives that contain no homebrew.

    ``on_read`` is called with the number of files read so far. A file with copies is read again, as long as that finds
    more originals: in the files of the import, then in the store without their books, then in all of the store.
    """
    prepared: list[PreparedFile] = []
    with FileReader(lambda: itertools.chain((file.data for file in files), library.every_file())) as reader:

        async def read_file(file: ImportFile, lookup: Lookup) -> tuple[PreparedFile, int]:
            """Read a file; also return how many originals it lacks."""
            originals = Originals(record=lookup)
            return await asyncio.to_thread(prepare, file, originals, reader), len(originals.missing)

        incomplete: list[int] = []
        for index, file in enumerate(files):
            result, missing = await read_file(file, srd_record if len(files) == 1 else _srd_record_of_book)
            prepared.append(result)
            incomplete += [index] if missing else []
            on_read(index + 1)
        for lookup in _further_lookups(prepared, cache):
            for _ in range(_MAX_ROUNDS):
                before = len(incomplete)
                in_files = record_among(record for file in prepared for book in file.books for record in book.records())
                for index in incomplete.copy():
                    prepared[index], missing = await read_file(files[index], _try_in_order(in_files, lookup))
                    if not missing:
                        incomplete.remove(index)
                if len(incomplete) in (0, before):
                    break
    homebrew = [file for file in prepared if not file.foreign or file.source.named]
    return homebrew, len(prepared) - len(homebrew)


def _further_lookups(files: Sequence[PreparedFile], cache: Cache | None) -> list[Lookup]:
    """Where originals are looked up that are not in the files, one after the other."""
    keys = {book.key for file in files for book in file.books}
    lookups: list[Lookup] = [stored_originals(cache, without) for without in (keys, ())] if cache else [srd_record]
    return lookups if len(files) == 1 else [_srd_record_of_book, *lookups]


def _srd_record_of_book(kinds: Collection[Kind], name: str, source: str) -> Record | None:
    """Find an SRD record for a copy that names its book. Without a book, the original may be in another file."""
    return srd_record(kinds, name, source) if source else None


def _try_in_order(*lookups: Lookup) -> Lookup:
    """Return a lookup that tries several, one after the other."""

    def look_up(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        found = (lookup(kinds, name, source) for lookup in lookups)
        return next((record for record in found if record is not None), None)

    return look_up


def stored_originals(cache: Cache, without: Collection[str] = ()) -> Lookup:
    """Return a lookup of records in the embedded SRDs, then in a store, except documents with some keys.

    Call it on the event loop; the returned function waits for the loop and is called in another thread.
    """
    loop = asyncio.get_running_loop()
    titles = {entry.document_key: entry.name for entry in cache.catalog if entry.kind is Kind.DOCUMENT}
    entries_by_name: dict[str, list[Entry]] = {}

    def is_original(entry: Entry, kinds: Collection[Kind], source: str) -> bool:
        documents = [(key, titles.get(key, "")) for key in entry.documents]
        return entry.kind in kinds and entry.document_key not in without and is_called(source, documents)

    async def stored_record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if not entries_by_name:
            # Prefer a record that is not homebrew, and choose the same one each time.
            for entry in sorted(cache.catalog, key=lambda entry: (entry.source is Source.HOMEBREW, entry.id)):
                entries_by_name.setdefault(entry.folded, []).append(entry)
        originals = [entry for entry in entries_by_name.get(fold(name), ()) if is_original(entry, kinds, source)]
        return next(iter((await cache.records(originals[:1])).values()), None)

    def original(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if record := srd_record(kinds, name, source):
            return record
        return asyncio.run_coroutine_threadsafe(stored_record(kinds, name, source), loop).result()

    return original
