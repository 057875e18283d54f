"""Exports an imported book in a format that other programs read.

Each written item is read again to find out what the format cannot express. Fields that differ are lost for other
programs. They are listed, and also stored in a field of our own, from which an import restores them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from pydantic_core import to_jsonable_python

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
    """A field of an item that the format cannot express, or only in a way that other programs do not understand."""

    item: str
    field: str


@dataclass(frozen=True)
class Export:
    """A written book. ``losses`` lists what other programs do not get."""

    data: bytes
    items: int
    losses: tuple[Loss, ...]


async def load_book(cache: Cache, book: str) -> tuple[Document, list[Record]]:
    """Return the document of an imported book, by its key, and its items sorted by name. Raises KeyError."""
    entries = [
        entry
        for entry in cache.catalog
        # Features are derived from the records they belong to.
        if entry.document_key == book and entry.source is Source.HOMEBREW and entry.kind is not Kind.FEATURE
    ]
    records = (await cache.records(entries)).values()
    document = next((record for record in records if isinstance(record, Document)), None)
    if document is None:
        raise KeyError(book)
    items = (record for record in records if record is not document)
    return document, sorted(items, key=lambda record: (record.kind, record.key))


def export(document: Document, records: Sequence[Record], form: str) -> Export:
    """Write a book in a format of ``FORMATS``. Blocks: every item is read again."""
    write, _ = FORMATS[form]
    # No import sets this field, so it identifies the record that an item is read back as, even if its key has changed.
    marks = {record.id: {"url": record.id} for record in records}
    books = formats.read(write(document, records, marks), document.name).books
    book = books[0] if books else ImportedBook(document, ())
    read_back = {item.record.url: item.record for item in book.items if item.record is not None}
    preserved = {record.id: _lost_fields(record, read_back.get(record.id)) for record in records}
    losses = [Loss(record.name, field) for record in records for field in preserved[record.id]]
    document_fields = _comparable(book.document)
    losses += [
        Loss(document.name, field)
        for field, value in _comparable(document).items()
        if document_fields.get(field) != value
    ]
    preserved = {id_: fields for id_, fields in preserved.items() if fields}
    return Export(write(document, records, preserved), len(records), tuple(losses))


def _lost_fields(record: Record, read_back: Record | None) -> dict[str, object]:
    """The fields of a record that differ after it has been written and read, by name."""
    fields = _comparable(record)
    if read_back is None or read_back.kind is not record.kind:
        return fields
    fields_back = _comparable(read_back.model_copy(update={"url": ""}))
    changed = {
        name: value for name, value in fields.items() if _without_keys(fields_back.get(name)) != _without_keys(value)
    }
    model_fields = type(record).model_fields
    defaults = {name: model_fields[name].get_default() for name in fields_back if name not in fields}
    return changed | cast("dict[str, object]", to_jsonable_python(defaults))


def _comparable(record: Record) -> dict[str, object]:
    """The fields of a record without those that name its book."""
    fields = record.model_dump(mode="json", exclude_defaults=True)
    return {name: value for name, value in fields.items() if name not in NOT_PRESERVED}


def _without_keys(value: object) -> object:
    """A value without the keys of references: a reader assigns those of its own book."""
    if isinstance(value, Mapping):
        return {name: _without_keys(inner) for name, inner in value.items() if name != "key" or "name" not in value}
    return [_without_keys(inner) for inner in value] if isinstance(value, list) else value
