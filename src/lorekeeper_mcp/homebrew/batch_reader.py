"""Reads the files of one import together, since a file may have the originals of another file's copies.

Originals are looked up in the files, then in the library, then in the store.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection, Sequence

from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.homebrew.importer import ImportFile, PreparedFile, prepare
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.stored_originals import stored_originals
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.originals import Lookup, Originals, record_among, srd_record
from lorekeeper_mcp.store.cache import Cache

_MAX_ROUNDS = 20  # of reading files again, for originals that are copies themselves


async def read_files(
    files: Sequence[ImportFile],
    library: HomebrewLibrary,
    on_read: Callable[[int], object] = lambda _: None,
    cache: Cache | None = None,
) -> tuple[list[PreparedFile], int]:
    """Return the adapted files, and the number of files in folders or archives that contain no homebrew.

    ``on_read`` is called with the number of files read so far.
    """
    is_single = len(files) == 1
    prepared: list[PreparedFile] = []
    incomplete: list[int] = []

    async def read_file(index: int, lookup: Lookup) -> bool:
        """Read a file, and return whether it lacks an original."""
        originals = Originals(record=lookup)
        prepared[index] = await asyncio.to_thread(prepare, files[index], originals, reader)
        return bool(originals.missing)

    with FileReader(lambda: itertools.chain((file.data for file in files), library.every_file())) as reader:
        for index, file in enumerate(files):
            prepared.append(PreparedFile(file))
            if await read_file(index, srd_record if is_single else _srd_record_of_book):
                incomplete.append(index)
            on_read(index + 1)
        keys = {book.key for file in prepared for book in file.books}
        lookups = [stored_originals(cache, without) for without in (keys, ())] if cache else [srd_record]
        for lookup in lookups if is_single else (_srd_record_of_book, *lookups):
            for _ in range(_MAX_ROUNDS):
                if not incomplete:
                    break
                in_files = record_among(record for file in prepared for book in file.books for record in book.records())
                remaining = [index for index in incomplete if await read_file(index, _try_in_order(in_files, lookup))]
                is_stuck = len(remaining) == len(incomplete)
                incomplete = remaining
                if is_stuck:
                    break
    homebrew = [file for file in prepared if not file.foreign or file.source.named]
    return homebrew, len(prepared) - len(homebrew)


def _srd_record_of_book(kinds: Collection[Kind], name: str, source: str) -> Record | None:
    """Find an SRD record for a copy that names its book. Without a book, the original may be in another file."""
    return srd_record(kinds, name, source) if source else None


def _try_in_order(*lookups: Lookup) -> Lookup:
    """Return a lookup that tries several, one after the other."""

    def look_up(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        for lookup in lookups:
            if (record := lookup(kinds, name, source)) is not None:
                return record
        return None

    return look_up
