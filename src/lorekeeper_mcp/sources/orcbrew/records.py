"""Adapts a file's items to records. An item that yields no record is skipped with its path and the reason."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import Fields, mapping, text, titled
from lorekeeper_mcp.sources.imported import (
    MAX_ITEMS,
    TOO_MANY,
    BookBuilder,
    ImportedFile,
    ItemError,
    book_key,
    common_fields,
    record_key,
    slug,
)
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.orcbrew.adapters import SECTIONS, Keys, rule_of, shown
from lorekeeper_mcp.sources.orcbrew.book_file import Item, decoded, items_of
from lorekeeper_mcp.sources.orcbrew.edn import EdnError

_MAX_NAME = 300


def read(data: bytes, name: str) -> ImportedFile:
    """Read a file. ``name`` is its name without the ending, used as the book if the file names none. Never raises."""
    try:
        content, invisible = visible(decoded(data))
        items = list(items_of(str(content), name))
    except EdnError as error:
        return ImportedFile(fault=str(error))
    if len(items) > MAX_ITEMS:
        return ImportedFile(fault=TOO_MANY)
    names: dict[str, str] = {}  # of several names with the same key, the first
    items = [replace(item, book=names.setdefault(book_key(item.book), item.book)) for item in items]
    parents: dict[tuple[str, str], dict[str, str]] = {}
    for item in items:
        parents.setdefault((item.book, item.section), {})[slug(item.key)] = _key(item)
    books = BookBuilder()
    for item in items:
        own = parents.get((item.book, "races" if item.section == "subraces" else "classes"), {})
        books.adapt(item.book, item.section, item.key, partial(_record, item, own))
    return ImportedFile(books.books(known={*SECTIONS, ""}), invisible=invisible + books.invisible)


def _record(item: Item, parents: Keys) -> Record:
    """The record of an item. Raises ItemError, and ValidationError if a value is out of bounds."""
    if item.disabled:
        raise ItemError("it is disabled in the file")
    if not isinstance(item.value, dict):
        raise ItemError(f"it is {_type_name(item.value)} where a map of fields is expected")
    if not item.section:
        raise ItemError("it is outside any section")
    fields = Fields(item.value, shown)
    kind, adapter = SECTIONS.get(item.section, (Kind.RULE, rule_of(item.section)))
    return adapter(_common_fields(item, fields, kind), fields, parents)


def _name(item: Item) -> str:
    """Return an item's name, or one derived from its key."""
    fields = mapping(item.value)
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip():
        name = titled(item.key or text(fields.get("key")))
    return " ".join(name.split())


def _key(item: Item) -> str:
    """Return the key of an item's record."""
    return record_key(item.book, item.section, item.key or _name(item))


def _common_fields(item: Item, fields: Fields, kind: Kind) -> CommonFields:
    """Return the common fields of a record. The application uses the 2014 rules. Raises ItemError."""
    name = _name(item)
    if not name:
        raise ItemError("it has neither a key nor a name")
    fields.drop("disabled?", "edit-event")
    for field, known in (("name", name), ("option-pack", item.book), ("key", item.key)):
        if fields.peek(field) == known and len(known) <= _MAX_NAME:
            fields.drop(field)
    if slug(text(fields.peek("key")) or "?") == slug(name):
        fields.drop("key")
    description = fields.text("description", "desc", "text", "help")
    return common_fields(item.book, kind, _key(item), name, description)


def _type_name(value: object) -> str:
    names = {type(None): "nil", bool: "a flag", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "something else")
