"""Imports a file into the library and the store, and reports on each item."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lorekeeper_mcp.homebrew.library import HomebrewLibrary, file_id
from lorekeeper_mcp.homebrew.reconciler import (
    BookDiff,
    Progress,
    diff_book,
    file_contents,
    merged,
    read_file,
    reconcile,
)
from lorekeeper_mcp.homebrew.suspect_text import addresses_assistant
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedItem
from lorekeeper_mcp.sources.originals import Originals
from lorekeeper_mcp.store.cache import Cache


@dataclass(frozen=True)
class ImportFile:
    """A file to import. ``name`` is its name without the extension, ``path`` distinguishes files of that name.

    ``named`` is False if it was found in a folder or an archive, and may not be homebrew at all. ``fault`` says why it
    is unreadable.
    """

    shown: str
    name: str = ""
    path: str = ""
    data: bytes = b""
    named: bool = True
    fault: str = ""


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
    """An item that another file has with the same key and other content; the file imported last wins."""

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
class Prepared:
    """A file that has been read and adapted but not stored."""

    source: ImportFile
    books: tuple[ImportedBook, ...] = ()
    fault: str = ""
    invisible: int = 0
    foreign: bool = False  # not homebrew
    originals: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)  # stored, see ``Originals``

    @cached_property
    def addressed(self) -> tuple[str, ...]:
        """The books and items whose text speaks to an assistant."""
        records: list[tuple[str, Record]] = [(book.document.name, book.document) for book in self.books]
        records += [(one.path, one.record) for book in self.books for one in book.items if one.record is not None]
        return tuple(path for path, record in records if addresses_assistant(record))

    @property
    def size(self) -> int:
        """The number of its records."""
        return sum(len(book.records()) for book in self.books)


def prepare(source: ImportFile, originals: Originals | None = None) -> Prepared:
    """Read and adapt a file; ``originals`` has those of its copies that are outside of it. Blocks; never raises."""
    if source.fault:
        return Prepared(source, fault=source.fault)
    outside = originals or Originals()
    reading = formats.read(source.data, source.name, outside)
    return Prepared(source, reading.books, reading.fault, reading.invisible, reading.foreign, outside.used)


@dataclass(frozen=True)
class _Plan:
    """A book after the import: merged from its other files and the imported one."""

    records: tuple[Record, ...]
    conflicts: tuple[Conflict, ...]


async def import_file(
    cache: Cache,
    library: HomebrewLibrary,
    prepared: Prepared,
    *,
    force: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> FileReport:
    """Store the file in the library and update the cache. Raises OSError if it cannot be stored; nothing changes then.

    With ``strict``, nothing changes either if items of earlier imports would be deleted or replaced.
    """
    source, keys = prepared.source, [book.key for book in prepared.books]
    if strict and not prepared.fault:
        found = await preview(cache, library, prepared)
        if found.removed or found.conflicts:
            counts = f"{len(found.removed)} imported items would be removed and {len(found.conflicts)} replaced"
            return replace(found, rows=(), fault=f"Nothing was imported: {counts}, which --strict forbids.")
    if prepared.fault:
        return FileReport(source.shown, fault=prepared.fault)
    plans, missing = await asyncio.to_thread(_plans, library, prepared)
    stored = await asyncio.to_thread(library.add, source.data, source.name, keys, source.path, prepared.originals)
    adapted = {stored.id: prepared.books}
    done = await reconcile(cache, library, again=keys, force=keys if force else (), adapted=adapted, progress=progress)
    changes = {found.book: found for found in done}
    own = [changes.get(key) or await diff_book(cache, key, plan.records) for key, plan in plans.items()]
    return _report(prepared, own, plans, missing)


async def preview(
    cache: Cache | None, library: HomebrewLibrary, prepared: Prepared, *, force: bool = False
) -> FileReport:
    """Report what importing a file would do, without writing. ``cache`` is None if there is none yet."""
    if prepared.fault:
        return FileReport(prepared.source.shown, fault=prepared.fault)
    plans, missing = await asyncio.to_thread(_plans, library, prepared)
    found = [
        await diff_book(cache, key, plan.records, force=force) if cache else BookDiff(key, plan.records)
        for key, plan in plans.items()
    ]
    return _report(prepared, found, plans, missing)


def _plans(library: HomebrewLibrary, prepared: Prepared) -> tuple[dict[str, _Plan], tuple[str, ...]]:
    """Merge each book of the file with its parts in other files. Blocks: it reads them.

    Also return the books that earlier came from the file's path and that it no longer has.
    """
    current, source, contents = library.current(), prepared.source, file_contents(library)
    id_ = file_id(source.data, source.name)
    plans = {}
    for book in prepared.books:
        others = (file for file in current.get(book.key, ()) if file.id != id_)
        others = (file for file in others if not source.path or file.card.path != source.path)
        parts = [(file, read_file(library, file, contents).get(book.key, [])) for file in others]
        own = book.records()
        paths = {one.record.id: one.path for one in book.items if one.record is not None}
        new = {record.id: record for record in own}
        conflicts = [
            Conflict(paths[record.id], file.card.path or file.card.name or "standard input")
            for file, part in parts
            for record in part
            if record.id in paths and new[record.id] != record
        ]
        plans[book.key] = _Plan(tuple(merged([*(part for _, part in parts), own])), tuple(conflicts))
    earlier = {key for key, files in current.items() if source.path in {file.card.path for file in files}}
    return plans, tuple(sorted(earlier - plans.keys())) if source.path else ()


async def remove(cache: Cache, library: HomebrewLibrary, book: str) -> int:
    """Remove a book, by its key, from the library and the cache; return the number of its records. Raises OSError."""
    await asyncio.to_thread(library.remove, book)
    done = await reconcile(cache, library)
    count = sum(len(found.gone) for found in done if found.book == book)
    left = await diff_book(cache, book, ())  # from the library of another machine, or a lost one
    await cache.delete(left.gone)
    return count + len(left.gone)


def _report(
    prepared: Prepared, found: Iterable[BookDiff], plans: Mapping[str, _Plan], missing: tuple[str, ...]
) -> FileReport:
    rows: list[SectionReport] = []
    skips: list[Skip] = []
    removed: list[str] = []
    for book, change in zip(prepared.books, found, strict=True):
        items = [_judged(one, change) for one in book.items]
        rows += _rows(book, items, change)
        skips += [Skip(one.path, one.reason) for one in items if one.record is None]
        removed += [f"{book.document.name} › {entry.name}" for entry in change.gone if entry.kind is not Kind.DOCUMENT]
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


def _judged(one: ImportedItem, change: BookDiff) -> ImportedItem:
    """An item with the reason why the cache cannot store it, if there is one."""
    if one.record is not None and one.record.id in change.too_large:
        return replace(one, record=None, reason="it is too large to be stored (over about 45 kB even compressed)")
    return one


def _rows(book: ImportedBook, items: Iterable[ImportedItem], change: BookDiff) -> list[SectionReport]:
    new, changed = ({record.id for record in records} for records in (change.new, change.changed))
    counts: Counter[tuple[str, str]] = Counter()
    for one in items:
        id_ = one.record.id if one.record else ""
        fate = "imported" if id_ in new else "updated" if id_ in changed else "unchanged" if id_ else "skipped"
        counts[one.section, fate] += 1
    gone = _gone(change)
    sections = dict.fromkeys([*book.sections, *(section for section, _ in counts), *gone])
    rows = []
    for section in sections:
        fates = {fate: counts[section, fate] for fate in ("imported", "updated", "unchanged", "skipped")}
        known, read = section not in book.unknown, sum(fates.values())
        rows.append(SectionReport(book.document.name, section, read, **fates, removed=gone[section], known=known))
    return rows or [SectionReport(book.document.name, "")]


def _gone(change: BookDiff) -> Counter[str]:
    """How many records are deleted, by section, taken from their keys; documents have none."""
    parts = (entry.key.split("_") for entry in change.gone)
    return Counter(part[2] for part in parts if len(part) == 4)
