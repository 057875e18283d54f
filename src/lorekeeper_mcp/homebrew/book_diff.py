"""The difference between a book and its stored records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lorekeeper_mcp.models import Record, Source
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.rows import RecordTooLargeError, encode_payload


@dataclass(frozen=True)
class BookDiff:
    """The changes that bring the store in line with a book, as ids of records."""

    book: str  # key of the document
    new: tuple[Record, ...] = ()
    changed: tuple[Record, ...] = ()
    unchanged: frozenset[str] = frozenset()
    gone: tuple[Entry, ...] = ()
    too_large: frozenset[str] = frozenset()

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.new or self.changed or self.gone)


def stored_entries(cache: Cache, book: str) -> dict[str, Entry]:
    """Return the stored entries of an imported book by id, including its document."""
    return {entry.id: entry for entry in cache.catalog if entry.document_key == book and entry.source is Source.ORCBREW}


async def diff_book(cache: Cache, book: str, records: Iterable[Record], *, force: bool = False) -> BookDiff:
    """Compare without writing anything. With ``force``, everything counts as changed."""
    wanted = {record.id: record for record in records}
    there = stored_entries(cache, book)
    known = await cache.records(there[id_] for id_ in wanted if id_ in there)
    unchanged = frozenset() if force else frozenset(id_ for id_, record in known.items() if wanted[id_] == record)
    open_ = {id_: record for id_, record in wanted.items() if id_ not in unchanged}
    too_large = frozenset(id_ for id_, record in open_.items() if not _fits(record))
    stored = [record for id_, record in open_.items() if id_ not in too_large]
    return BookDiff(
        book,
        tuple(record for record in stored if record.id not in known),
        tuple(record for record in stored if record.id in known),
        unchanged,
        tuple(entry for id_, entry in there.items() if id_ not in wanted or id_ in too_large),
        too_large,
    )


def _fits(record: Record) -> bool:
    """Whether the record fits in a row of the cache."""
    try:
        encode_payload(record)
    except RecordTooLargeError:
        return False
    return True
