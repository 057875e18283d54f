"""Imports a file into the library and the store, and reports on each item."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from lorekeeper_mcp.homebrew.file_reader import FileReader
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, StoredFile, file_id
from lorekeeper_mcp.homebrew.reconciler import BookDiff, Progress, diff_book, merge, read_file, reconcile
from lorekeeper_mcp.homebrew.suspect_text import addresses_assistant
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedItem
from lorekeeper_mcp.sources.originals import Originals
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.text import fold

_VERSION = re.compile(r"(?: v?\d{1,9})+$")  # at the end of a folded name: fens 1 2, fens 2
_UPDATED_SHARE = 0.5  # of an older file's records, beyond which a file is its update


@dataclass(frozen=True)
class ImportFile:
    """A file to import. ``name`` is its name without the extension; ``path`` tells files of one name apart.

    ``named`` is False if it was found in a folder or an archive, so that it may not be homebrew at all. ``folder`` is
    the title of that, or of the module that the file belongs to: the book of a file in a format that names none.
    ``fault`` says why it is unreadable.
    """

    shown: str
    name: str = ""
    path: str = ""
    data: bytes = b""
    named: bool = True
    fault: str = ""
    folder: str = ""


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
class PreparedFile:
    """A file that has been read and adapted but not stored."""

    source: ImportFile
    books: tuple[ImportedBook, ...] = ()
    fault: str = ""
    invisible: int = 0
    foreign: bool = False  # not homebrew
    originals: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)  # stored, see ``Originals``

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


@dataclass(frozen=True)
class _Plan:
    """A book after the import: merged from its other files and the imported one."""

    records: tuple[Record, ...]
    conflicts: tuple[Conflict, ...]
    replaced: tuple[StoredFile, ...]  # older files of the book that the imported one is an update of


async def import_file(
    cache: Cache,
    library: HomebrewLibrary,
    prepared: PreparedFile,
    *,
    force: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> FileReport:
    """Store the file in the library and update the cache. Raises OSError if it cannot be stored; nothing changes then.

    With ``strict``, nothing changes either if items of earlier imports would be deleted or replaced.
    """
    source, keys = prepared.source, [book.key for book in prepared.books]
    if prepared.fault:
        return FileReport(source.shown, fault=prepared.fault)
    if strict:
        report = await preview(cache, library, prepared)
        if report.removed or report.conflicts:
            counts = f"{len(report.removed)} imported items would be removed and {len(report.conflicts)} replaced"
            return replace(report, rows=(), fault=f"Nothing was imported: {counts}, which --strict forbids.")
    plans, missing = await asyncio.to_thread(_plan_books, library, prepared)
    stored = await asyncio.to_thread(library.add, source.data, source.name, keys, source.path, prepared.originals)
    for key, plan in plans.items():
        for replaced in plan.replaced:
            await asyncio.to_thread(library.release, replaced, key)
    adapted = {stored.id: prepared.books}
    diffs = await reconcile(
        cache, library, recheck=keys, force=keys if force else (), adapted=adapted, progress=progress
    )
    await asyncio.to_thread(library.prune)
    diff_by_book = {diff.book: diff for diff in diffs}
    own_diffs = [diff_by_book.get(key) or await diff_book(cache, key, plan.records) for key, plan in plans.items()]
    return _report(prepared, own_diffs, plans, missing)


async def preview(
    cache: Cache | None, library: HomebrewLibrary, prepared: PreparedFile, *, force: bool = False
) -> FileReport:
    """Report what importing a file would do, without writing. ``cache`` is None if there is none yet."""
    if prepared.fault:
        return FileReport(prepared.source.shown, fault=prepared.fault)
    plans, missing = await asyncio.to_thread(_plan_books, library, prepared)
    diffs = [
        await diff_book(cache, key, plan.records, force=force) if cache else BookDiff(key, plan.records)
        for key, plan in plans.items()
    ]
    return _report(prepared, diffs, plans, missing)


def _plan_books(library: HomebrewLibrary, prepared: PreparedFile) -> tuple[dict[str, _Plan], tuple[str, ...]]:
    """Merge each book of the file with its parts in other files. Blocks, since it reads those.

    Also return the books that an earlier file from the same path had, and that this one no longer has.
    """
    current, source = library.current(), prepared.source
    id_ = file_id(source.data, source.name)
    plans = {}
    for book in prepared.books:
        others = [
            file
            for file in current.get(book.key, ())
            if file.id != id_ and not (source.path and file.card.path == source.path)
        ]
        with FileReader(library.every_file) as reader:
            parts = [(file, read_file(library, file, reader).get(book.key, [])) for file in others]
        records = book.records()
        ids = {record.id for record in records}
        replaced = {file.id for file, part in parts if _is_update(source.name, ids, file.card.name, part)}
        parts = [(file, part) for file, part in parts if file.id not in replaced]
        items = {item.record.id: item for item in book.items if item.record is not None}
        conflicts = [
            Conflict(items[record.id].path, file.card.path or file.card.name or "standard input")
            for file, part in parts
            for record in part
            if record.id in items and items[record.id].record != record
        ]
        merged = tuple(merge([*(part for _, part in parts), records]))
        plans[book.key] = _Plan(merged, tuple(conflicts), tuple(file for file in others if file.id in replaced))
    earlier = {key for key, files in current.items() if source.path in {file.card.path for file in files}}
    return plans, tuple(sorted(earlier - plans.keys())) if source.path else ()


def _is_update(name: str, ids: Set[str], earlier_name: str, earlier: Sequence[Record]) -> bool:
    """Whether a file is an update of one from another path: it has its name, and most of its records."""
    earlier_ids = {record.id for record in earlier if record.kind is not Kind.DOCUMENT}
    names = {_VERSION.sub("", fold(file)) for file in (name, earlier_name)}
    return len(names) == 1 and len(earlier_ids & ids) > _UPDATED_SHARE * len(earlier_ids)


async def remove(cache: Cache, library: HomebrewLibrary, book: str) -> int:
    """Remove a book, by its key, from the library and the cache; return the number of its records. Raises OSError."""
    await asyncio.to_thread(library.remove, book)
    diffs = await reconcile(cache, library)
    removed_count = sum(len(diff.gone) for diff in diffs if diff.book == book)
    rest = await diff_book(cache, book, ())  # from the library of another machine, or a lost one
    await cache.delete(rest.gone)
    return removed_count + len(rest.gone)


def _report(
    prepared: PreparedFile, diffs: Iterable[BookDiff], plans: Mapping[str, _Plan], missing: tuple[str, ...]
) -> FileReport:
    rows: list[SectionReport] = []
    skips: list[Skip] = []
    removed: list[str] = []
    for book, diff in zip(prepared.books, diffs, strict=True):
        items = [_with_storable_record(item, diff) for item in book.items]
        rows += _rows(book, items, diff)
        skips += [Skip(item.path, item.reason) for item in items if item.record is None]
        removed += [f"{book.document.name} › {entry.name}" for entry in diff.gone if entry.kind is not Kind.DOCUMENT]
    return FileReport(
        prepared.source.shown,
        tuple(rows),
        tuple(skips),
        tuple(conflict for plan in plans.values() for conflict in plan.conflicts),
        tuple(removed),
        missing,
        prepared.addressed,
        prepared.invisible,
    )


def _with_storable_record(item: ImportedItem, diff: BookDiff) -> ImportedItem:
    """The item; if the cache cannot store its record, with the reason instead."""
    if item.record is not None and item.record.id in diff.too_large:
        return replace(item, record=None, reason="it is too large to be stored (over about 45 kB even compressed)")
    return item


def _rows(book: ImportedBook, items: Iterable[ImportedItem], diff: BookDiff) -> list[SectionReport]:
    outcomes = {record.id: "imported" for record in diff.new} | {record.id: "updated" for record in diff.changed}
    counts: dict[str, Counter[str]] = {section: Counter() for section in book.sections}
    for item in items:
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
