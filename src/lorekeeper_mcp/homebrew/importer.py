"""One file into the shelf and the cache, with a report of what became of each of its items."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lorekeeper_mcp.homebrew.book_diff import BookDiff, diff_book
from lorekeeper_mcp.homebrew.library import HomebrewLibrary
from lorekeeper_mcp.homebrew.reconciler import Progress, reconcile
from lorekeeper_mcp.sources import orcbrew
from lorekeeper_mcp.sources.orcbrew import Adapted, BookRecords
from lorekeeper_mcp.store.cache import Cache


@dataclass(frozen=True)
class ImportFile:
    """A file to be imported. ``name`` is its name without the ending, ``path`` tells it from others of that name."""

    shown: str
    name: str
    path: str
    data: bytes


@dataclass(frozen=True)
class SectionReport:
    """What became of a section. ``read`` is the sum of imported, updated, unchanged and skipped."""

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
    """An item that was left out: where it stands, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class FileReport:
    """What became of a file; ``fault`` is why it could not be read at all."""

    file: str
    rows: tuple[SectionReport, ...] = ()
    skips: tuple[Skip, ...] = ()
    fault: str = ""

    @property
    def complete(self) -> bool:
        """Whether everything came in."""
        return not self.fault and not self.skips


@dataclass(frozen=True)
class Prepared:
    """A file that has been read and adapted, not yet stored."""

    source: ImportFile
    books: tuple[BookRecords, ...] = ()
    fault: str = ""

    @property
    def size(self) -> int:
        """How many records it has."""
        return sum(len(book.records()) for book in self.books)


def prepare(source: ImportFile) -> Prepared:
    """Read and adapt a file. Blocks; never raises."""
    reading = orcbrew.read_book_file(source.data, source.name)
    return Prepared(source, tuple(orcbrew.adapt_all(reading)), reading.fault)


async def import_file(
    cache: Cache, shelf: HomebrewLibrary, prepared: Prepared, *, force: bool = False, progress: Progress | None = None
) -> FileReport:
    """Keep the file and bring the cache in line with it. Raises OSError where it cannot be kept: nothing is changed."""
    source, keys = prepared.source, [book.key for book in prepared.books]
    if prepared.fault:
        return FileReport(source.shown, fault=prepared.fault)
    kept = await asyncio.to_thread(shelf.keep, source.data, source.name, keys, source.path)
    adapted = {kept.id: prepared.books}
    done = await reconcile(cache, shelf, anew=keys if force else (), adapted=adapted, progress=progress)
    changes = {found.book: found for found in done}
    own = [changes.get(book.key) or await diff_book(cache, book.key, book.records()) for book in prepared.books]
    return _report(prepared, own, [found for found in done if found.book not in keys and found.gone])


async def preview(cache: Cache | None, prepared: Prepared, *, force: bool = False) -> FileReport:
    """What importing a file would do. Nothing is written; None stands for a cache that is not there yet."""
    if prepared.fault:
        return FileReport(prepared.source.shown, fault=prepared.fault)
    found = []
    for book in prepared.books:
        new = BookDiff(book.key, tuple(book.records()))
        found.append(await diff_book(cache, book.key, book.records(), anew=force) if cache else new)
    return _report(prepared, found, [])


async def remove(cache: Cache, shelf: HomebrewLibrary, book: str) -> int:
    """Take a book, by its key, off the shelf and out of the cache; how many records went. Raises OSError."""
    await asyncio.to_thread(shelf.remove, book)
    done = await reconcile(cache, shelf)
    count = sum(len(found.gone) for found in done if found.book == book)
    left = await diff_book(cache, book, ())  # from the shelf of another machine, or from one that is lost
    await cache.delete(left.gone)
    return count + len(left.gone)


def _report(prepared: Prepared, found: Iterable[BookDiff], others: Iterable[BookDiff]) -> FileReport:
    rows: list[SectionReport] = []
    skips: list[Skip] = []
    for book, change in zip(prepared.books, found, strict=True):
        items = [_judged(one, change) for one in book.items]
        rows += _rows(book, items, change)
        skips += [Skip(one.item.path, one.reason) for one in items if one.record is None]
    for change in others:
        rows += [SectionReport(change.book, section, removed=count) for section, count in _gone(change).items()]
    return FileReport(prepared.source.shown, tuple(rows), tuple(skips))


def _judged(one: Adapted, change: BookDiff) -> Adapted:
    """An item with the reason why the cache cannot take it, where there is one."""
    if one.record is not None and one.record.id in change.too_large:
        return replace(one, record=None, reason="it is too large to be stored (over about 45 kB even compressed)")
    return one


def _rows(book: BookRecords, items: Iterable[Adapted], change: BookDiff) -> list[SectionReport]:
    new, changed = ({record.id for record in records} for records in (change.new, change.changed))
    counts: Counter[tuple[str, str]] = Counter()
    for one in items:
        id_ = one.record.id if one.record else ""
        fate = "imported" if id_ in new else "updated" if id_ in changed else "unchanged" if id_ else "skipped"
        counts[one.item.section, fate] += 1
    gone = _gone(change)
    sections = dict.fromkeys([*book.sections, *(section for section, _ in counts), *gone])
    return [_row(book.name, section, counts, gone[section]) for section in sections] or [SectionReport(book.name, "")]


def _row(book: str, section: str, counts: Counter[tuple[str, str]], removed: int) -> SectionReport:
    imported, updated, unchanged, skipped = (
        counts[section, fate] for fate in ("imported", "updated", "unchanged", "skipped")
    )
    return SectionReport(
        book,
        section,
        imported + updated + unchanged + skipped,
        imported,
        updated,
        unchanged,
        skipped,
        removed,
        not section or orcbrew.known(section),
    )


def _gone(change: BookDiff) -> Counter[str]:
    """How many records go, by the section that their keys name; documents have none."""
    parts = (entry.key.split("_") for entry in change.gone)
    return Counter(part[2] for part in parts if len(part) == 4)
