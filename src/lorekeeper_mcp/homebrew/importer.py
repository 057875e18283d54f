"""Imports files into the library and the store, and reports on each item.

The files of one import are read together, since one may have the originals of another's copies: these are looked up in
the files, then in the library, then in the store.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lorekeeper_mcp.homebrew.file_reader import FileReader, read_checked
from lorekeeper_mcp.homebrew.import_paths import ImportFile, find, in_batches, load_files
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile, current_files, file_id
from lorekeeper_mcp.homebrew.reconciler import (
    BookDiff,
    Progress,
    diff_book,
    entries_by_book,
    merged,
    read_stored,
    reconcile,
)
from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedFile
from lorekeeper_mcp.sources.originals import Item, Lookup, Originals, is_called, record_among, srd_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold

log = logging.getLogger(__name__)
CHECK_SECONDS = 30.0  # between two looks at a watched folder
_SETTLED_SECONDS = 2.0  # a file in it that changed later may still be written
_MAX_ROUNDS = 20  # of reading files again, for originals that are copies themselves
_VERSION = re.compile(r"(?: v?\d{1,9})+$")  # at the end of a folded name: fens 1 2, fens 2
_UPDATED_SHARE = 0.5  # of an older file's records, beyond which a file is its update


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
        for lookup in _further_lookups(done, cache):
            for _ in range(_MAX_ROUNDS):
                before = len(incomplete)
                in_files = record_among(record for file in done for book in file.books for record in book.records())
                for index in sorted(incomplete):
                    done[index] = await read(index, in_files, lookup)
                if len(incomplete) in (0, before):
                    break
    homebrew = [file for file in done if not file.content.foreign or file.source.named]
    return homebrew, len(done) - len(homebrew)


def _further_lookups(files: Sequence[ReadFile], cache: Cache | None) -> list[Lookup]:
    """Where originals are looked up after the files themselves, one after the other."""
    own = {book.key for file in files for book in file.books}
    stored: list[Lookup] = [stored_originals(cache, without) for without in (own, ())] if cache else [srd_record]
    return stored if len(files) == 1 else [_srd_record_of_book, *stored]


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


@dataclass(frozen=True)
class SectionReport:
    """The outcome of a section. ``read`` is the sum of imported, updated, unchanged and skipped."""

    book: str
    section: str
    read: int = 0
    imported: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    removed: int = 0
    known: bool = True


@dataclass(frozen=True)
class Skip:
    """A skipped item: its position in the file, and the reason."""

    path: str
    reason: str


@dataclass(frozen=True)
class Conflict:
    """An item of which another file has a different version with the same key; the file imported last wins."""

    path: str
    other: str


@dataclass(frozen=True)
class FileReport:
    """The outcome of a file; ``fault`` is why it was not read, or with ``strict`` not imported.

    ``removed`` names the items deleted because the file no longer has them. ``missing`` are books that an older file
    from the same path had; they stay. ``addressed`` names items whose text addresses an assistant, and ``invisible``
    counts the invisible characters that were removed.
    """

    file: str
    rows: tuple[SectionReport, ...] = ()
    skips: tuple[Skip, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    removed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    addressed: tuple[str, ...] = ()
    invisible: int = 0
    fault: str = ""

    @property
    def complete(self) -> bool:
        """Whether everything was imported and nothing was deleted."""
        return not (self.fault or self.skips or self.conflicts or self.removed)


@dataclass
class _Plan:
    """What an import makes of the library: its cards, and the files and records of every book that it touches."""

    cards: dict[str, StoredFile]  # by id
    books: dict[str, list[StoredFile]]  # oldest first
    parts: dict[str, Mapping[str, Sequence[Record]]]  # of every file that was read, by its id
    by_path: Mapping[str, set[str]]  # the books that came from a path before
    conflicts: dict[str, list[Conflict]] = field(default_factory=dict)  # by the id of the imported file
    released: set[str] = field(default_factory=set)  # the files that lose a book to another

    def add(self, file: ReadFile, at: int) -> None:
        """Add a file: it replaces those from its path, and those that it updates, in its books."""
        keys = [book.key for book in file.books]
        card = StoredFile.of(file.source.data, file.source.name, keys, at, file.source.path)
        self.cards[card.id] = card = card.model_copy(update={"originals": file.originals})
        self.conflicts[card.id] = []
        for book in file.books:
            others = [other for other in self.books[book.key] if other.origin != card.origin and other.id != card.id]
            updated = [other for other in others if _is_update(self, card, other, book.key)]
            self.cards |= {other.id: self.cards[other.id].without(book.key) for other in updated}
            self.released |= {other.id for other in updated}
            others = [other for other in others if other not in updated]
            self.conflicts[card.id] += _conflicts(self, book, others)
            self.books[book.key] = [*others, card]


def _plan(library: HomebrewLibrary, files: Sequence[ReadFile]) -> _Plan:
    """Plan an import of files, in their order. Blocks: reads each other file of their books once."""
    stored = library.files()
    current = current_files(stored)
    by_path: dict[str, set[str]] = {}
    for key, path in ((key, other.path) for key, others in current.items() for other in others):
        by_path.setdefault(path, set()).add(key)
    plan = _Plan(
        {card.id: card for card in stored},
        {book.key: list(current.get(book.key, ())) for file in files for book in file.books},
        {file.id: {book.key: book.records() for book in file.books} for file in files},
        by_path,
    )
    with FileReader(library.every_file) as reader:
        for other in (other for others in plan.books.values() for other in others):
            if other.id not in plan.parts:
                plan.parts[other.id] = read_stored(library, other, reader)
    newest = max((card.at for card in stored), default=0)
    for at, file in enumerate(files, max(time.time_ns(), newest + 1)):
        plan.add(file, at)
    return plan


def _is_update(plan: _Plan, card: StoredFile, earlier: StoredFile, book: str) -> bool:
    """Whether a file is an update of one from another path: it has its name, and most of its records."""
    ids = {record.id for record in plan.parts[card.id][book]}
    records = plan.parts[earlier.id].get(book, ())
    earlier_ids = {record.id for record in records if record.kind is not Kind.DOCUMENT}
    names = {_VERSION.sub("", fold(file.name)) for file in (card, earlier)}
    return len(names) == 1 and len(earlier_ids & ids) > _UPDATED_SHARE * len(earlier_ids)


def _conflicts(plan: _Plan, book: ImportedBook, others: Sequence[StoredFile]) -> Iterator[Conflict]:
    """The items that differ from those of other files with the same keys, apart from what says where they are from."""
    items = {item.record.id: (item.path, item.record) for item in book.items if item.record is not None}
    for other in others:
        for record in plan.parts[other.id].get(book.key, ()):
            path, own = items.get(record.id, ("", record))
            if own.model_copy(update={"file": record.file, "publisher": record.publisher}) != record:
                yield Conflict(path, other.path or other.name or "standard input")


async def import_files(
    cache: Cache,
    library: HomebrewLibrary,
    files: Sequence[ReadFile],
    *,
    force: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> list[FileReport]:
    """Store files in the library, and their books in the cache, each once.

    With ``strict``, a file that would delete or replace items of earlier imports is refused. If a file cannot be
    stored, neither it nor those after it are imported; their reports say so.
    """
    faults = _faults(files)
    if strict:
        for number, report in enumerate(await preview(cache, library, files)):
            if report.removed or report.conflicts:
                counts = f"{len(report.removed)} imported items would be removed and {len(report.conflicts)} replaced"
                fault = f"Nothing was imported: {counts}, which --strict forbids."
                faults[number] = replace(report, rows=(), fault=fault)
    accepted = [(number, file) for number, file in enumerate(files) if number not in faults]
    plan = await asyncio.to_thread(_plan, library, [file for _, file in accepted])
    written, fault = await asyncio.to_thread(_store, library, plan, [file for _, file in accepted])
    faults |= {number: FileReport(file.source.shown, fault=fault) for number, file in accepted[written:]}
    diffs = await reconcile(cache, library, recheck=plan.books, force=force, parts=plan.parts, progress=progress)
    await asyncio.to_thread(library.prune)
    return await asyncio.to_thread(_reports, files, plan, diffs, faults)


def _store(library: HomebrewLibrary, plan: _Plan, files: Sequence[ReadFile]) -> tuple[int, str]:
    """Write the cards of a plan; return how many files are stored, and why the others are not. Blocks."""
    written = 0
    try:
        for file in files:
            library.write(plan.cards[file.id], file.source.data)
            written += 1
        for id_ in plan.released - {file.id for file in files}:
            library.write(plan.cards[id_])
    except OSError as error:
        return written, f"Nothing more was imported: {error.filename or 'the disk'}: {error.strerror or error}."
    return written, ""


async def preview(
    cache: Cache | None, library: HomebrewLibrary, files: Sequence[ReadFile], *, force: bool = False
) -> list[FileReport]:
    """Report what importing files would do, without writing. ``cache`` is None if there is none yet."""
    plan = await asyncio.to_thread(_plan, library, [file for file in files if not file.content.fault])
    entries = entries_by_book(cache) if cache else {}
    diffs = {}
    for key, of_book in plan.books.items():
        records, _ = merged(key, of_book, plan.parts)
        diffs[key] = (
            await diff_book(cache, key, records, entries.get(key, {}), force=force)
            if cache
            else BookDiff(key, tuple(records))
        )
    return await asyncio.to_thread(_reports, files, plan, diffs, _faults(files))


async def remove(cache: Cache, library: HomebrewLibrary, book: str) -> int:
    """Remove a book, by its key, from the library and the cache; return the number of its records. Raises OSError."""
    count = len(entries_by_book(cache).get(book, {}))
    await asyncio.to_thread(library.remove, book)
    await reconcile(cache, library)
    if rest := entries_by_book(cache).get(book, {}):  # from the library of another machine, or a lost one
        await cache.delete(rest.values())
    return count


def _faults(files: Sequence[ReadFile]) -> dict[int, FileReport]:
    """The outcome of the files that could not be read, by their position."""
    faults = {number: file.content.fault for number, file in enumerate(files) if file.content.fault}
    return {number: FileReport(files[number].source.shown, fault=fault) for number, fault in faults.items()}


def _reports(
    files: Sequence[ReadFile], plan: _Plan, diffs: Mapping[str, BookDiff], faults: Mapping[int, FileReport]
) -> list[FileReport]:
    """The outcome of each file. What a book has lost is reported with the last file that has the book."""
    last = {book.key: file.id for file in files for book in file.books}
    reports = []
    for number, file in enumerate(files):
        own = {book.key: diffs.get(book.key, BookDiff(book.key)) for book in file.books}
        own |= {key: replace(diff, gone=()) for key, diff in own.items() if last[key] != file.id}
        reports.append(faults[number] if number in faults else _report(file, plan, own))
    return reports


def _report(file: ReadFile, plan: _Plan, diffs: Mapping[str, BookDiff]) -> FileReport:
    titles = {book.key: book.document.name for book in file.books}
    gone = [(titles[key], entry) for key, diff in diffs.items() for entry in diff.gone]
    earlier = plan.by_path.get(file.source.path, set()) if file.source.path else set()
    return FileReport(
        file.source.shown,
        tuple(row for book in file.books for row in _rows(book, diffs[book.key])),
        tuple(Skip(item.path, item.reason) for book in file.books for item in book.items if not item.record),
        tuple(plan.conflicts[file.id]),
        tuple(f"{title} › {entry.name}" for title, entry in gone if entry.kind is not Kind.DOCUMENT),
        tuple(sorted(earlier - titles.keys())),
        file.content.addressed,
        file.content.invisible,
    )


def _rows(book: ImportedBook, diff: BookDiff) -> Iterator[SectionReport]:
    """The outcome of a book by sections."""
    outcomes = {record.id: "imported" for record in diff.new} | {record.id: "updated" for record in diff.changed}
    counts = {section: Counter[str]() for section in book.sections or ("",)}
    for item in book.items:
        outcome = outcomes.get(item.record.id, "unchanged") if item.record else "skipped"
        counts.setdefault(item.section, Counter()).update(["read", outcome])
    for parts in (entry.key.split("_") for entry in diff.gone):
        if len(parts) == 4:  # a document's key has no section
            counts.setdefault(parts[2], Counter())["removed"] += 1
    for section, of_section in counts.items():
        yield SectionReport(book.document.name, section, known=section not in book.unknown, **of_section)


class WatchedFolder:
    """The files of a folder as they were at the last check. A file that is deleted keeps its books."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[str, tuple[int, int]] = {}

    async def import_changes(self, cache: Cache, library: HomebrewLibrary) -> int:
        """Import the files that the library does not have; return how many. Raises OSError and StoreError."""
        stamps = await asyncio.to_thread(self._current_stamps)
        newest = max((changed for changed, _ in stamps.values()), default=0)
        if stamps == self._stamps or newest > time.time_ns() - _SETTLED_SECONDS * 1e9:
            return 0
        known = {stored.id for files in library.current().values() for stored in files}
        count = 0
        batches = in_batches(load_files([str(self._folder)]))
        while batch := await asyncio.to_thread(next, batches, None):
            new = [file for file in batch if file.fault or file_id(file.data, file.name) not in known]
            read, _ = await read_files(new, library, cache=cache)
            for report in await import_files(cache, library, read):
                skipped = f"{len(report.skips)} items were skipped" if report.skips else ""
                if problem := report.fault or skipped:
                    log.warning("%s in the homebrew folder: %s", report.file, problem)
            count += len(read)
        self._stamps = stamps
        return count

    def _current_stamps(self) -> dict[str, tuple[int, int]]:
        files = [path for path in map(Path, find([str(self._folder)])) if path.is_file()]
        return {str(path): (stat.st_mtime_ns, stat.st_size) for path in files for stat in [path.stat()]}
