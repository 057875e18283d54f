"""Exports an imported book in a format that other programs read.

Each written item is read again to find what the format cannot express: fields that differ are losses for other
programs. They are listed, and also stored in a field of our own, from which an import here restores them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.models import Document, Kind, Record, Source
from lorekeeper_mcp.sources import fivetools, formats, orcbrew
from lorekeeper_mcp.sources.imported import NOT_PRESERVED, ImportedBook
from lorekeeper_mcp.store.cache import Cache

Write: TypeAlias = Callable[[Document, Sequence[Record], Mapping[str, Mapping[str, object]]], bytes]
FORMATS: Mapping[str, tuple[Write, str]] = {
    "orcbrew": (orcbrew.write, ".orcbrew"),
    "5etools": (fivetools.write, ".json"),
}


@dataclass(frozen=True)
class Loss:
    """A field of an item that the format cannot express, or not so that it is understood."""

    item: str
    field: str


@dataclass(frozen=True)
class Export:
    """A written book. ``losses`` are what other programs do not get."""

    data: bytes
    items: int
    losses: tuple[Loss, ...]


async def load_book(cache: Cache, book: str) -> tuple[Document, list[Record]]:
    """Return the document of an imported book, by its key, and its items sorted by name. Raises KeyError."""
    entries = [one for one in cache.catalog if one.document_key == book and one.source is Source.ORCBREW]
    entries = [one for one in entries if one.kind is not Kind.FEATURE]  # derived from the records they belong to
    records = (await cache.records(entries)).values()
    document = next((one for one in records if isinstance(one, Document)), None)
    if document is None:
        raise KeyError(book)
    return document, sorted((one for one in records if one is not document), key=lambda one: (one.kind, one.key))


def export(document: Document, records: Sequence[Record], form: str) -> Export:
    """Write a book in a format of ``FORMATS``. Blocks: every item is read again."""
    write, _ = FORMATS[form]
    # No import sets this field, so it shows which record an item comes back as, whatever its key has become.
    marks = {record.id: {"url": record.id} for record in records}
    book = _read(write(document, records, marks), document)
    back = {item.record.url: item.record for item in book.items if item.record is not None}
    preserved = {record.id: lost for record in records if (lost := _lost(record, back.get(record.id)))}
    losses = [Loss(record.name, field) for record in records for field in preserved.get(record.id, ())]
    of_book = _comparable(book.document)
    losses += [Loss(document.name, name) for name, value in _comparable(document).items() if of_book.get(name) != value]
    return Export(write(document, records, preserved), len(records), tuple(losses))


def _read(data: bytes, document: Document) -> ImportedBook:
    """Read the book that was written; an empty one if it has no items."""
    return next(iter(formats.read(data, document.name).books), ImportedBook(document, ()))


def _lost(record: Record, back: Record | None) -> dict[str, object]:
    """The fields of a record that differ after it has been written and read, by name."""
    there = _comparable(record)
    if back is None or back.kind is not record.kind:
        return there
    found = _comparable(back.model_copy(update={"url": ""}))
    changed = {name: value for name, value in there.items() if _named(found.get(name)) != _named(value)}
    fields = type(record).model_fields
    return changed | {name: fields[name].get_default() for name in found if name not in there}


def _comparable(record: Record) -> dict[str, object]:
    """The fields of a record without those that name its book."""
    dumped = record.model_dump(mode="json", exclude_defaults=True)
    return {name: value for name, value in dumped.items() if name not in NOT_PRESERVED}


def _named(value: object) -> object:
    """A value without the keys of references: a reader assigns those of its own book."""
    if isinstance(value, Mapping):
        return {name: _named(one) for name, one in value.items() if name != "key" or "name" not in value}
    return [_named(one) for one in value] if isinstance(value, list) else value
