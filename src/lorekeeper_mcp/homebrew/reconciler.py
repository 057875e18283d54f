"""Reconciles the store with the library. It may be killed at any point, and run again without loss or duplicates."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile, current_files, file_id
from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sources.originals import Originals
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.ledger import BookNote, decode, encode

log = logging.getLogger(__name__)
_BATCH_SIZE = 500  # records per write
_MAX_NOTED = 200  # files of a book in its note, which has to fit into a row
Progress: TypeAlias = Callable[[int], None]
Parts: TypeAlias = Mapping[str, Mapping[str, Sequence[Record]]]
"""The records of stored files, by the file's id and the book's key; a book that cannot be read is absent."""


@dataclass(frozen=True)
class BookDiff:
    """The changes that bring the store in line with a book."""

    book: str  # key of the document
    new: tuple[Record, ...] = ()
    changed: tuple[Record, ...] = ()
    gone: tuple[Entry, ...] = ()


async def reconcile_on_open(cache: Cache, settings: Settings) -> None:
    """Finish interrupted imports, and import homebrew into a rebuilt cache.

    An unreadable library is logged; it never blocks startup.
    """
    try:
        await reconcile(cache, HomebrewLibrary.of(settings))
    except (OSError, StoreError) as error:
        log.warning("The imported homebrew could not be loaded: %s", error)


async def reconcile(
    cache: Cache,
    library: HomebrewLibrary,
    *,
    recheck: Collection[str] = (),
    force: bool = False,
    parts: Parts = MappingProxyType({}),
    progress: Progress | None = None,
) -> dict[str, BookDiff]:
    """Store every book as the library has it, and return the differences by the books' keys.

    Fast if the ledger shows no change. Books with keys in ``recheck`` are compared in any case, and with ``force``
    stored and embedded again. ``parts`` has the records of files that need not be read again. ``progress`` is called
    with the number of records of each write. Books of other libraries on the same Milvus server are left alone.
    """
    diffs: dict[str, BookDiff] = {}
    async with cache.reconciling:
        with FileReader(library.every_file) as reader:
            titles = [entry.name for entry in cache.catalog if entry.kind is Kind.DOCUMENT]
            files = await asyncio.to_thread(_repaired_files, library, titles, reader)
            current, known, removed = current_files(files), {stored.id for stored in files}, library.removed
            notes, entries = decode(await cache.ledger(), BookNote), entries_by_book(cache)
            stale = _stale_books(current, notes, library.id, recheck)
            read: dict[str, Mapping[str, Sequence[Record]]] = {}  # of the files of one book
            unwritten: list[BookDiff] = []
            done: dict[str, BookNote] = {}
            for key, note in stale.items():
                of_book = current.get(key, ())
                read = await asyncio.to_thread(_parts_of, of_book, {**read, **parts}, library, reader)
                records, certain = merged(key, of_book, read)
                diff = await diff_book(cache, key, records, entries.get(key, {}), force=force and key in recheck)
                is_lost = key not in removed and not known.issuperset(notes.get(key, BookNote()).files)
                is_whole = all(key in part for part in read.values())
                if is_lost or not is_whole:  # what the store has of a file that was not removed stays
                    diff = replace(diff, gone=(), changed=_among(diff.changed, certain))
                if of_book or not is_lost:
                    diffs[key] = diff
                    unwritten.append(diff)
                    done |= {key: note} if is_whole else {}
                if sum(1 + len(diff.new) + len(diff.changed) for diff in unwritten) > _BATCH_SIZE:
                    await _write(cache, unwritten, done, progress)
                    unwritten, done = [], {}
            await _write(cache, unwritten, done, progress)
    return diffs


def _among(records: Iterable[Record], ids: Collection[str]) -> tuple[Record, ...]:
    return tuple(record for record in records if record.id in ids)


def _stale_books(
    current: Mapping[str, Sequence[StoredFile]],
    notes: Mapping[str, BookNote],
    library_id: str,
    recheck: Collection[str],
) -> dict[str, BookNote]:
    """The books that differ from the ledger, with the notes that they get: empty ones if the library has none."""
    keys = sorted(current, key=lambda key: (current[key][-1].id, key))  # books of one file are adjacent
    gone = [key for key, note in notes.items() if note.library == library_id and key not in current]
    expected = {key: _note(current[key], library_id) for key in keys} | {key: BookNote() for key in sorted(gone)}
    return {key: note for key, note in expected.items() if key in recheck or notes.get(key) != note}


def _parts_of(
    files: Iterable[StoredFile], have: Parts, library: HomebrewLibrary, reader: FileReader
) -> dict[str, Mapping[str, Sequence[Record]]]:
    """The records of stored files, read if they are not there. Blocks."""
    return {file.id: have[file.id] if file.id in have else read_stored(library, file, reader) for file in files}


def _repaired_files(library: HomebrewLibrary, titles: Iterable[str], reader: FileReader) -> list[StoredFile]:
    """The stored files, after lost cards and a lost identity have been made again. Blocks."""
    for orphan in library.orphans():
        try:
            data, at = orphan.read_bytes(), orphan.stat().st_mtime_ns
            # The id depends on the name of the file, which is the name of its book if the file names none.
            names = (title for title in titles if file_id(data, title) == orphan.stem)
            name = next(names, f"Recovered {orphan.stem[:8]}")
            file = reader.read(data, name, Originals())
            if file.fault:
                log.warning("The imported file %s has lost its card and cannot be read: %s", orphan, file.fault)
                continue
            card = StoredFile.of(data, name, (book.key for book in file.books), at)
            library.write(card.model_copy(update={"id": orphan.stem}))
            log.warning("The card of the imported file %s was lost and has been made again.", orphan)
        except OSError as error:
            log.warning("The card of the imported file %s cannot be made again: %s", orphan, error)
    files = library.files()
    if files and not library.id:
        library.write(files[0])
    return files


def _note(files: Sequence[StoredFile], library: str) -> BookNote:
    """The ledger note of a stored book."""
    from lorekeeper_mcp.sources import formats  # noqa: PLC0415 - without homebrew, opening a store needs no reader

    ids = tuple(file.id for file in files)
    digest = hashlib.sha256(" ".join(ids).encode()).hexdigest()[:32]
    source = f"{digest if len(ids) > 1 else ids[0]} / {formats.VERSION}"
    return BookNote(source=source, library=library, files=ids if len(ids) <= _MAX_NOTED else ())


def read_stored(library: HomebrewLibrary, stored: StoredFile, reader: FileReader) -> Mapping[str, Sequence[Record]]:
    """Return the records of a stored file by book; nothing if it is unreadable. Blocks."""
    try:
        file = reader.read(library.read(stored), stored.name, Originals(kept=stored.originals))
        fault = file.fault
    except (OSError, ValueError) as error:
        fault = str(error)[:200]
    if fault:
        log.warning("The imported file %s cannot be read: %s", stored.name, fault)
        return {}
    return {key: [] for key in stored.books} | {book.key: book.records() for book in file.books}


def merged(key: str, files: Iterable[StoredFile], parts: Parts) -> tuple[list[Record], set[str]]:
    """Merge the records of a book's files, oldest first; the newest of those with one key wins.

    Also return the ids of those of which no unreadable file may have a newer version.
    """
    records: dict[str, Record] = {}
    certain: set[str] = set()
    for file in files:
        part = parts[file.id].get(key)
        ids = {record.id: record for record in part or ()}
        records |= ids
        certain = set() if part is None else certain | ids.keys()
    return list(records.values()), certain


async def _write(
    cache: Cache, diffs: Sequence[BookDiff], done: Mapping[str, BookNote], progress: Progress | None
) -> None:
    """Write differences, and note last which books are stored, so that an interrupted write is finished later."""
    records = [record for diff in diffs for record in (*diff.new, *diff.changed)]
    for start in range(0, len(records), _BATCH_SIZE):
        batch = records[start : start + _BATCH_SIZE]
        await cache.put(batch)
        if progress is not None:
            progress(len(batch))
    if gone := [entry for diff in diffs for entry in diff.gone]:
        await cache.delete(gone)
    if done:
        await cache.note(encode(done))


def entries_by_book(cache: Cache) -> dict[str, dict[str, Entry]]:
    """Return the stored entries of every imported book, by the book's key and their ids."""
    entries: dict[str, dict[str, Entry]] = {}
    for entry in cache.catalog:
        if entry.source is Source.HOMEBREW:
            entries.setdefault(entry.document_key, {})[entry.id] = entry
    return entries


async def diff_book(
    cache: Cache, book: str, records: Iterable[Record], entries: Mapping[str, Entry], *, force: bool = False
) -> BookDiff:
    """Compare a book with its stored entries, writing nothing. With ``force``, everything counts as changed."""
    records_by_id = {record.id: record for record in records}
    stored = await cache.records(entries[id_] for id_ in records_by_id if id_ in entries)

    def difference() -> BookDiff:
        changed = [record for id_, record in records_by_id.items() if force or stored.get(id_) != record]
        return BookDiff(
            book,
            tuple(record for record in changed if record.id not in stored),
            tuple(record for record in changed if record.id in stored),
            tuple(entry for id_, entry in entries.items() if id_ not in records_by_id),
        )

    return await asyncio.to_thread(difference)
