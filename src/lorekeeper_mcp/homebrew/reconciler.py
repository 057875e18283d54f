"""Reconciles the store with the library. It may be killed at any point, and run again without loss or duplicates."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile, file_id
from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sources.originals import Originals
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.ledger import BookNote, decode, encode
from lorekeeper_mcp.store.rows import RecordTooLargeError, encode_payload

log = logging.getLogger(__name__)
_BATCH_SIZE = 500  # records per write
_MAX_TEXT = 1_000_000  # characters; the longest chapter of a known adventure has about 130,000
_MAX_NOTED = 200  # files of a book in its note
Progress: TypeAlias = Callable[[int], None]
Parts: TypeAlias = dict[str, dict[str, list[Record]]]
"""The records of stored files, by the file's id and the book's key; a book that cannot be read is absent."""


@dataclass(frozen=True)
class BookDiff:
    """The changes that bring the store in line with a book, as ids of records."""

    book: str  # key of the document
    new: tuple[Record, ...] = ()
    changed: tuple[Record, ...] = ()
    gone: tuple[Entry, ...] = ()
    too_large: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.new or self.changed or self.gone)


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
    recheck: Iterable[str] = (),
    force: Iterable[str] = (),
    parts: Parts | None = None,
    progress: Progress | None = None,
) -> list[BookDiff]:
    """Store every book as the library has it, and return the difference for each.

    Fast if the ledger shows no change. Books with keys in ``recheck`` are compared in any case, and those in ``force``
    are stored and embedded again. ``parts`` has the records of files that need not be read again. ``progress`` is
    called with the number of records of each write. Books of other libraries on the same Milvus server are left alone.
    """
    forced, compared = frozenset(force), frozenset((*recheck, *force))
    notes = decode(await cache.ledger(), BookNote)
    titles = [entry.name for entry in cache.catalog if entry.kind is Kind.DOCUMENT]
    parts = dict(parts or {})
    diffs: list[BookDiff] = []
    with FileReader(library.every_file) as reader:
        library_id = await asyncio.to_thread(_repair, library, notes, titles, reader)
        if not library_id:
            return []
        async with cache.reconciling:
            stale = await asyncio.to_thread(_stale_books, library, library_id, await cache.ledger(), compared)
            known_files = {stored.id for stored in await asyncio.to_thread(library.stored_files)}
            removed = await asyncio.to_thread(lambda: library.removed)
            entries = _entries_by_book(cache)
            unwritten: list[BookDiff] = []
            done: dict[str, BookNote] = {}
            for key, files in stale:
                for file in files:
                    if file.id not in parts:
                        parts[file.id] = await asyncio.to_thread(read_file, library, file, reader)
                records, uncertain = _merged(key, files, parts)
                diff = await diff_book(cache, key, records, force=key in forced, entries=entries.get(key, {}))
                is_lost = key not in compared | removed and not known_files.issuperset(notes.get(key, BookNote()).files)
                is_whole = all(key in parts[file.id] for file in files)
                if is_lost or not is_whole:  # what the store has of a file that was not removed stays
                    diff = replace(diff, gone=(), changed=tuple(r for r in diff.changed if r.id not in uncertain))
                if files or not is_lost:
                    diffs.append(diff)
                    unwritten.append(diff)
                    done |= {key: _note(files, library_id)} if is_whole else {}
                if sum(1 + len(diff.new) + len(diff.changed) for diff in unwritten) > _BATCH_SIZE:
                    await _write(cache, unwritten, library_id, done, progress)
                    unwritten, done = [], {}
            await _write(cache, unwritten, library_id, done, progress)
    return diffs


def _entries_by_book(cache: Cache) -> dict[str, dict[str, Entry]]:
    """The stored entries of every imported book, by the book's key and their ids."""
    entries: dict[str, dict[str, Entry]] = {}
    for entry in cache.catalog:
        if entry.source is Source.HOMEBREW:
            entries.setdefault(entry.document_key, {})[entry.id] = entry
    return entries


def _merged(key: str, files: Sequence[StoredFile], parts: Parts) -> tuple[list[Record], set[str]]:
    """The records of a book, and the ids of those of which an unreadable file may have a newer version."""
    records: list[Record] = []
    uncertain: set[str] = set()
    for file in files:
        part = parts[file.id].get(key)
        if part is None:
            uncertain.update(record.id for record in records)
        else:
            uncertain.difference_update(record.id for record in part)
            records = merge((records, part))
    return records, uncertain


def _stale_books(
    library: HomebrewLibrary, library_id: str, ledger: Mapping[str, Mapping[str, object]], compared: frozenset[str]
) -> list[tuple[str, tuple[StoredFile, ...]]]:
    """The books that differ from the ledger, with the files they are merged from; books of one file are adjacent."""
    current, notes = library.current(), decode(ledger, BookNote)
    stale = [key for key, files in current.items() if key in compared or notes.get(key) != _note(files, library_id)]
    gone = [key for key, note in notes.items() if note.library == library_id and key not in current]
    return [
        *((key, current[key]) for key in sorted(stale, key=lambda key: (current[key][-1].id, key))),
        *((key, ()) for key in sorted(gone)),
    ]


def _note(files: Sequence[StoredFile], library: str) -> BookNote:
    """The ledger note of a stored book; an empty one for a removed book."""
    if not files:
        return BookNote()
    from lorekeeper_mcp.sources import formats  # noqa: PLC0415 - without homebrew, opening a store needs no reader

    ids = " ".join(file.id for file in files)
    source = ids if len(files) == 1 else hashlib.sha256(ids.encode()).hexdigest()[:32]
    # A long list is not noted: the note has to fit into a row.
    return BookNote(
        source=f"{source} / {formats.VERSION}",
        library=library,
        files=tuple(file.id for file in files) if len(files) <= _MAX_NOTED else (),
    )


def _repair(library: HomebrewLibrary, notes: Mapping[str, BookNote], titles: Iterable[str], reader: FileReader) -> str:
    """Make lost cards and a lost identity again; return the library's identity, "" for an empty one. Blocks."""
    for id_ in library.orphans():
        try:
            data = library.read_orphan(id_)
            # The id depends on the name of the file, which is the name of its book if the file names none.
            name = next((title for title in titles if file_id(data, title) == id_), f"Recovered {id_[:8]}")
            file = reader.read(data, name, Originals())
            if file.fault:
                log.warning("The imported file %s has lost its card and cannot be read: %s", id_, file.fault)
                continue
            library.adopt(id_, data, name, [book.key for book in file.books])
            log.warning("The card of the imported file %s was lost and has been made again.", id_)
        except OSError as error:
            log.warning("The card of the imported file %s cannot be made again: %s", id_, error)
    if library.id:
        return library.id
    current = library.current()
    if current:
        library.restore_id(next((notes[key].library for key in current if key in notes), ""))
    return library.id


def merge(parts: Iterable[Iterable[Record]]) -> list[Record]:
    """Merge the records of a book's files, oldest first. If two records have one key, the newer file's record wins."""
    return list({record.id: record for part in parts for record in part}.values())


def read_file(library: HomebrewLibrary, stored: StoredFile, reader: FileReader) -> dict[str, list[Record]]:
    """Return the records of a stored file by book; nothing if it is unreadable. Blocks."""
    try:
        file = reader.read(library.read(stored), stored.card.name, Originals(kept=stored.card.originals))
        fault = file.fault
    except (OSError, ValueError) as error:
        fault = str(error)[:200]
    if fault:
        log.warning("The imported file %s cannot be read: %s", stored.card.name, fault)
        return {}
    return {key: [] for key in stored.card.books} | {book.key: book.records() for book in file.books}


async def _write(
    cache: Cache, diffs: Sequence[BookDiff], library_id: str, done: Mapping[str, BookNote], progress: Progress | None
) -> None:
    """Write differences. The ledger notes their books first, so that an interrupted write is finished later."""
    if begun := {diff.book: BookNote(library=library_id) for diff in diffs if not diff.is_empty}:
        await cache.note(encode(begun))
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


def stored_entries(cache: Cache, book: str) -> dict[str, Entry]:
    """Return the stored entries of an imported book by id, including its document."""
    return _entries_by_book(cache).get(book, {})


async def diff_book(
    cache: Cache,
    book: str,
    records: Iterable[Record],
    *,
    force: bool = False,
    entries: Mapping[str, Entry] | None = None,
) -> BookDiff:
    """Compare without writing anything. With ``force``, everything counts as changed.

    ``entries`` are the stored entries of the book, if they are known already.
    """
    records_by_id = {record.id: record for record in records}
    if entries is None:
        entries = stored_entries(cache, book)
    stored = await cache.records(entries[id_] for id_ in records_by_id if id_ in entries)
    changed = [record for id_, record in records_by_id.items() if force or stored.get(id_) != record]
    too_large = frozenset(record.id for record in changed if not _fits(record))
    storable = [record for record in changed if record.id not in too_large]
    return BookDiff(
        book,
        tuple(record for record in storable if record.id not in stored),
        tuple(record for record in storable if record.id in stored),
        tuple(entry for id_, entry in entries.items() if id_ not in records_by_id or id_ in too_large),
        too_large,
    )


def _fits(record: Record) -> bool:
    """Whether the record fits in a row of the cache; a text of one word a million times would, and in no memory."""
    if len(record.text) > _MAX_TEXT:
        return False
    try:
        encode_payload(record)
    except RecordTooLargeError:
        return False
    return True
