"""Reads the files of one import together, since a file may have the originals of another file's copies.

Originals are looked up in the files, then in the library, then in the store.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lorekeeper_mcp.homebrew.file_reader import FileReader, read_checked
from lorekeeper_mcp.homebrew.import_paths import ImportFile
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, file_id
from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedFile
from lorekeeper_mcp.sources.originals import Item, Lookup, Originals, is_called, record_among, srd_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

_MAX_ROUNDS = 20  # of reading files again, for originals that are copies themselves


@dataclass(frozen=True)
class ReadFile:
    """A file that has been read but not stored. ``originals`` are the stored records that its items copy."""

    source: ImportFile
    content: ImportedFile
    originals: Mapping[str, Sequence[Item]] = field(default_factory=dict)

    @functools.cached_property
    def id(self) -> str:
        """The id of the file in the library."""
        return file_id(self.source.data, self.source.name)

    @property
    def books(self) -> tuple[ImportedBook, ...]:
        """The books of the file."""
        return self.content.books


def read_file(source: ImportFile, originals: Originals | None = None, reader: FileReader | None = None) -> ReadFile:
    """Read a file; ``originals`` finds originals of its copies in other files. Blocks; never raises.

    Without a reader the file is read in this process, without limits.
    """
    if source.fault:
        return ReadFile(source, ImportedFile(fault=source.fault))
    originals = originals or Originals()
    content = (reader.read if reader else read_checked)(source.data, source.name, originals, source.folder)
    return ReadFile(replace(source, name=content.name or source.name), content, originals.used)


async def read_files(
    files: Sequence[ImportFile],
    library: HomebrewLibrary,
    on_read: Callable[[int], object] = lambda _: None,
    cache: Cache | None = None,
) -> tuple[list[ReadFile], int]:
    """Read files together; also return the number of those in folders or archives that contain no homebrew.

    ``on_read`` is called with the number of files read so far. A file with copies is read again, as long as that finds
    more originals: in the files of the import, then in the store without their books, then in all of the store.
    """
    done: list[ReadFile] = []
    incomplete: set[int] = set()
    with FileReader(lambda: itertools.chain((file.data for file in files), library.every_file())) as reader:

        async def read(index: int, *lookups: Lookup) -> ReadFile:
            """Read a file, and note whether it lacks originals."""
            originals = Originals(record=_in_order(lookups))
            file = await asyncio.to_thread(read_file, files[index], originals, reader)
            (incomplete.add if originals.missing else incomplete.discard)(index)
            return file

        # A copy that names no book may have its original in another file, which comes before the SRDs.
        first: Lookup = srd_record if len(files) == 1 else _srd_record_of_book
        for index in range(len(files)):
            done.append(await read(index, first))
            on_read(index + 1)
        own = {book.key for file in done for book in file.books}
        further = [first] * (len(files) > 1)
        further += [stored_originals(cache, without) for without in (own, ())] if cache else [srd_record]
        for lookup in further:
            for _ in range(_MAX_ROUNDS):
                before = len(incomplete)
                in_files = record_among(record for file in done for book in file.books for record in book.records())
                for index in sorted(incomplete):
                    done[index] = await read(index, in_files, lookup)
                if len(incomplete) in (0, before):
                    break
    homebrew = [file for file in done if not file.content.foreign or file.source.named]
    return homebrew, len(done) - len(homebrew)


def _srd_record_of_book(kinds: Collection[Kind], name: str, source: str) -> Record | None:
    return srd_record(kinds, name, source) if source else None


def _in_order(lookups: Sequence[Lookup]) -> Lookup:
    """Return a lookup that tries several, one after the other."""

    def look_up(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        return next(filter(None, (lookup(kinds, name, source) for lookup in lookups)), None)

    return look_up


def stored_originals(cache: Cache, without: Collection[str] = ()) -> Lookup:
    """Return a lookup of records in the embedded SRDs, then in a store, except documents with some keys.

    Call it on the event loop; the returned function waits for the loop and is called in another thread.
    """
    loop = asyncio.get_running_loop()
    titles = {entry.document_key: entry.name for entry in cache.catalog if entry.kind is Kind.DOCUMENT}

    @functools.cache
    def by_name() -> Mapping[str, Sequence[Entry]]:
        entries: dict[str, list[Entry]] = {}
        # Prefer a record that is not homebrew, and choose the same one each time.
        for entry in sorted(cache.catalog, key=lambda entry: (entry.source is Source.HOMEBREW, entry.id)):
            entries.setdefault(entry.folded, []).append(entry)
        return entries

    async def stored_record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        for entry in by_name().get(fold(name), ()):
            documents = [(key, titles.get(key, "")) for key in entry.documents]
            if entry.kind in kinds and entry.document_key not in without and is_called(source, documents):
                return next(iter((await cache.records([entry])).values()), None)
        return None

    def original(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if record := srd_record(kinds, name, source):
            return record
        return asyncio.run_coroutine_threadsafe(stored_record(kinds, name, source), loop).result()

    return original
