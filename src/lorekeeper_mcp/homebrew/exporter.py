"""An imported book as a file of a format that other programs read.

What the format cannot say is found by reading each written item again: fields that come back otherwise are losses to
other programs. They are listed, and kept in a field of our own, so that an import here takes them back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.models import Document, Kind, Record, Source
from lorekeeper_mcp.sources import fivetools, formats, orcbrew
from lorekeeper_mcp.sources.imported import NOT_KEPT, ImportedBook
from lorekeeper_mcp.store.cache import Cache

Write: TypeAlias = Callable[[Document, Sequence[Record], Mapping[str, Mapping[str, object]]], bytes]
FORMATS: Mapping[str, tuple[Write, str]] = {
    "orcbrew": (orcbrew.write, ".orcbrew"),
    "5etools": (fivetools.write, ".json"),
}


@dataclass(frozen=True)
class Loss:
    """A field of an item that the format cannot say, or not so that it is understood."""

    item: str
    field: str


@dataclass(frozen=True)
class Export:
    """A written book. ``losses`` are what other programs do not see of it."""

    data: bytes
    items: int
    losses: tuple[Loss, ...]


async def held_book(cache: Cache, book: str) -> tuple[Document, list[Record]]:
    """The document of an imported book, by its key, and its items in order of name. Raises KeyError."""
    entries = [one for one in cache.catalog if one.document_key == book and one.source is Source.ORCBREW]
    entries = [one for one in entries if one.kind is not Kind.FEATURE]  # derived from what has them
    records = (await cache.records(entries)).values()
    document = next((one for one in records if isinstance(one, Document)), None)
    if document is None:
        raise KeyError(book)
    return document, sorted((one for one in records if one is not document), key=lambda one: (one.kind, one.key))


def export(document: Document, records: Sequence[Record], form: str) -> Export:
    """Write a book in a format of ``FORMATS``. Blocks: every item is read again."""
    write, _ = FORMATS[form]
    kept = {record.id: lost for record in records if (lost := _lost(write, document, record))}
    named = {record.id: record.name for record in records}
    losses = [Loss(named[id_], field) for id_, fields in kept.items() for field in fields]
    return Export(write(document, records, kept), len(records), (*losses, *_lost_of_book(write, document, records)))


def _lost(write: Write, document: Document, record: Record) -> dict[str, object]:
    """The fields of a record that are not the same once it has been written and read, by name."""
    found = [one.record for one in _read(write, document, [record]).items if one.record is not None]
    if len(found) != 1 or found[0].kind is not record.kind:
        return _comparable(record)
    there, back = _comparable(record), _comparable(found[0])
    changed = {name: value for name, value in there.items() if _named(back.get(name)) != _named(value)}
    blank = {name: type(record).model_fields[name].get_default() for name in back.keys() - there.keys()}
    return changed | {name: value for name, value in blank.items() if name in type(record).model_fields}


def _read(write: Write, document: Document, records: Sequence[Record]) -> ImportedBook:
    (book,) = formats.read(write(document, records, {}), document.name).books
    return book


def _comparable(record: Record) -> dict[str, object]:
    """What a record says, without which book it is of."""
    told = record.model_dump(mode="json", exclude_defaults=True)
    return {name: value for name, value in told.items() if name not in NOT_KEPT}


def _named(value: object) -> object:
    """A value without the keys of what it refers to: a reader gives them those of its own book."""
    if isinstance(value, Mapping):
        return {name: _named(one) for name, one in value.items() if name != "key" or "name" not in value}
    return [_named(one) for one in value] if isinstance(value, list) else value


def _lost_of_book(write: Write, document: Document, records: Sequence[Record]) -> list[Loss]:
    """The fields of the document itself that do not come back."""
    if not records:
        return []
    back = _comparable(_read(write, document, records[:1]).document)
    return [Loss(document.name, name) for name, value in _comparable(document).items() if back.get(name) != value]
