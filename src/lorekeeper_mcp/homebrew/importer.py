"""Imports files into the library and the store, and reports on each item."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lorekeeper_mcp.homebrew.batch_reader import PreparedFile
from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile
from lorekeeper_mcp.homebrew.reconciler import BookDiff, Parts, Progress, diff_book, merge, read_file, reconcile
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.imported import ImportedBook
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.text import fold

_VERSION = re.compile(r"(?: v?\d{1,9})+$")  # at the end of a folded name: fens 1 2, fens 2
_UPDATED_SHARE = 0.5  # of an older file's records, beyond which a file is its update
_TOO_LARGE = "it is too large to be stored (over a million characters, or about 45 kB even compressed)"


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


@dataclass(frozen=True)
class _Part:
    """The records that a book has from one file, stored or about to be."""

    id: str  # of the file
    name: str
    path: str
    records: Sequence[Record]


@dataclass
class _Plan:
    """What an import makes of the library: every book that it touches, and what it replaces."""

    books: dict[str, list[_Part]] = field(default_factory=dict)  # oldest first
    conflicts: dict[str, list[Conflict]] = field(default_factory=dict)  # by the id of the imported file
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    replaced: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # files that lose a book to it, and which
    parts: Parts = field(default_factory=dict)  # of every file that was read, by its id


def _plan(library: HomebrewLibrary, files: Sequence[PreparedFile]) -> _Plan:
    """Plan an import of files, in their order. Blocks: reads each other file of their books once."""
    plan, current = _Plan(), library.current()
    _add_stored(plan, library, current, {book.key for file in files for book in file.books})
    for file in files:
        source, id_ = file.source, file.id
        plan.parts[id_] = {book.key: book.records() for book in file.books}
        plan.conflicts[id_], plan.replaced[id_] = [], []
        for book in file.books:
            own = _Part(id_, source.name, source.path, plan.parts[id_][book.key])
            others = [
                part
                for part in plan.books[book.key]
                if part.id != id_ and not (source.path and part.path == source.path)
            ]
            updated = {part.id for part in others if _is_update(own, part)}
            others = [part for part in others if part.id not in updated]
            plan.replaced[id_] += [(part, book.key) for part in updated]
            plan.conflicts[id_] += _conflicts(book, others)
            plan.books[book.key] = [*others, own]
        earlier = {key for key, files in current.items() if source.path in {file.card.path for file in files}}
        plan.missing[id_] = tuple(sorted(earlier - plan.parts[id_].keys())) if source.path else ()
    return plan


def _add_stored(
    plan: _Plan, library: HomebrewLibrary, current: Mapping[str, Sequence[StoredFile]], keys: Iterable[str]
) -> None:
    """Add the books to the plan as the library has them."""
    with FileReader(library.every_file) as reader:
        for key in keys:
            plan.books[key] = []
            for stored in current.get(key, ()):
                if stored.id not in plan.parts:
                    plan.parts[stored.id] = read_file(library, stored, reader)
                records = plan.parts[stored.id].get(key, [])
                plan.books[key].append(_Part(stored.id, stored.card.name, stored.card.path, records))


def _is_update(part: _Part, earlier: _Part) -> bool:
    """Whether a file is an update of one from another path: it has its name, and most of its records."""
    ids = {record.id for record in part.records}
    earlier_ids = {record.id for record in earlier.records if record.kind is not Kind.DOCUMENT}
    names = {_VERSION.sub("", fold(name)) for name in (part.name, earlier.name)}
    return len(names) == 1 and len(earlier_ids & ids) > _UPDATED_SHARE * len(earlier_ids)


def _conflicts(book: ImportedBook, others: Sequence[_Part]) -> list[Conflict]:
    items = {item.record.id: item for item in book.items if item.record is not None}
    return [
        Conflict(items[record.id].path, part.path or part.name or "standard input")
        for part in others
        for record in part.records
        if (item := items.get(record.id)) and item.record and _content(item.record) != _content(record)
    ]


def _content(record: Record) -> Record:
    """A record without what says where it is from."""
    return record.model_copy(update={"file": "", "publisher": ""})


async def import_files(
    cache: Cache,
    library: HomebrewLibrary,
    files: Sequence[PreparedFile],
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
    for at, (_, file) in enumerate(accepted):
        source, keys = file.source, [book.key for book in file.books]
        try:
            await asyncio.to_thread(library.add, source.data, source.name, keys, source.path, file.originals)
            for id_, key in plan.replaced[file.id]:
                await asyncio.to_thread(library.release, id_, key)
        except OSError as error:
            fault = f"Nothing more was imported: {error.filename or 'the disk'}: {error.strerror or error}."
            faults |= {number: FileReport(left.source.shown, fault=fault) for number, left in accepted[at:]}
            break
    forced = plan.books if force else ()
    diffs = await reconcile(cache, library, recheck=plan.books, force=forced, parts=plan.parts, progress=progress)
    await asyncio.to_thread(library.prune)
    return _reports(files, plan, {diff.book: diff for diff in diffs}, faults)


async def preview(
    cache: Cache | None, library: HomebrewLibrary, files: Sequence[PreparedFile], *, force: bool = False
) -> list[FileReport]:
    """Report what importing files would do, without writing. ``cache`` is None if there is none yet."""
    plan = await asyncio.to_thread(_plan, library, [file for file in files if not file.fault])
    diffs = {}
    for key, parts in plan.books.items():
        records = merge(part.records for part in parts)
        diffs[key] = await diff_book(cache, key, records, force=force) if cache else BookDiff(key, tuple(records))
    return _reports(files, plan, diffs, _faults(files))


async def remove(cache: Cache, library: HomebrewLibrary, book: str) -> int:
    """Remove a book, by its key, from the library and the cache; return the number of its records. Raises OSError."""
    await asyncio.to_thread(library.remove, book)
    diffs = await reconcile(cache, library)
    removed_count = sum(len(diff.gone) for diff in diffs if diff.book == book)
    rest = await diff_book(cache, book, ())  # from the library of another machine, or a lost one
    await cache.delete(rest.gone)
    return removed_count + len(rest.gone)


def _faults(files: Sequence[PreparedFile]) -> dict[int, FileReport]:
    """The outcome of the files that could not be read, by their position."""
    return {number: FileReport(file.source.shown, fault=file.fault) for number, file in enumerate(files) if file.fault}


def _reports(
    files: Sequence[PreparedFile], plan: _Plan, diffs: Mapping[str, BookDiff], faults: Mapping[int, FileReport]
) -> list[FileReport]:
    """The outcome of each file. What a book has lost is reported with the last file that has the book."""
    last = {book.key: file.id for file in files for book in file.books}
    reports = []
    for number, file in enumerate(files):
        if number in faults:
            reports.append(faults[number])
            continue
        rows: list[SectionReport] = []
        skips: list[Skip] = []
        removed: list[str] = []
        for book in file.books:
            diff = diffs.get(book.key, BookDiff(book.key))
            if last[book.key] != file.id:
                diff = replace(diff, gone=())
            rows += _rows(book, diff)
            skips += [Skip(item.path, item.reason) for item in book.items if item.record is None]
            skips += [
                Skip(item.path, _TOO_LARGE) for item in book.items if item.record and item.record.id in diff.too_large
            ]
            removed += [
                f"{book.document.name} › {entry.name}" for entry in diff.gone if entry.kind is not Kind.DOCUMENT
            ]
        reports.append(
            FileReport(
                file.source.shown,
                tuple(rows),
                tuple(skips),
                tuple(plan.conflicts[file.id]),
                tuple(removed),
                plan.missing[file.id],
                file.addressed,
                file.invisible,
            )
        )
    return reports


def _rows(book: ImportedBook, diff: BookDiff) -> list[SectionReport]:
    outcomes = {record.id: "imported" for record in diff.new} | {record.id: "updated" for record in diff.changed}
    outcomes |= dict.fromkeys(diff.too_large, "skipped")
    counts: dict[str, Counter[str]] = {section: Counter() for section in book.sections}
    for item in book.items:
        outcome = outcomes.get(item.record.id, "unchanged") if item.record else "skipped"
        counts.setdefault(item.section, Counter())[outcome] += 1
    for entry in diff.gone:
        parts = entry.key.split("_")
        if len(parts) == 4:  # a document's key has no section
            counts.setdefault(parts[2], Counter())["removed"] += 1
    rows = [
        SectionReport(
            book.document.name,
            section,
            read=outcome_counts.total() - outcome_counts["removed"],
            known=section not in book.unknown,
            **outcome_counts,
        )
        for section, outcome_counts in counts.items()
    ]
    return rows or [SectionReport(book.document.name, "")]
