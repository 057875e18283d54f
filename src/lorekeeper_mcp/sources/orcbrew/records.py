"""Adapts items to records. An item that yields no record is skipped with its path and the reason; nothing raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.imported import (
    MAX_ITEMS,
    TOO_MANY,
    ImportedBook,
    ImportedFile,
    ImportedItem,
    ItemError,
    adapted,
    book_key,
    common_fields,
    document,
    free_key,
    record_key,
    slug,
)
from lorekeeper_mcp.sources.orcbrew import options, things
from lorekeeper_mcp.sources.orcbrew.book_file import Book, BookFile, Item, read_book_file
from lorekeeper_mcp.sources.orcbrew.edn_values import Keys, shown
from lorekeeper_mcp.sources.reading import Fields, text, titled

_MAX_NAME = 300
Adapter: TypeAlias = Callable[[CommonFields, Fields, Keys], Record]
# Of several sections of a kind, an export writes the last.
SECTIONS: dict[str, tuple[Kind, Adapter]] = {
    "spells": (Kind.SPELL, things.spell),
    "monsters": (Kind.CREATURE, things.creature),
    "classes": (Kind.CLASS, options.character_class),
    "subclasses": (Kind.SUBCLASS, options.character_class),
    "races": (Kind.SPECIES, options.race),
    "subraces": (Kind.SPECIES, options.subrace),
    "backgrounds": (Kind.BACKGROUND, options.background),
    "feats": (Kind.FEAT, options.feat),
    "languages": (Kind.LANGUAGE, things.reference),
    "conditions": (Kind.CONDITION, things.reference),
    "invocations": (Kind.FEAT, options.feat_of("Eldritch Invocation")),
    "selections": (Kind.FEAT, options.selection),
    "encounters": (Kind.RULE, things.encounter),
    "boons": (Kind.FEAT, options.feat_of("Pact Boon")),
    "weapons": (Kind.WEAPON, things.equipment),
    "armors": (Kind.ARMOR, things.equipment),
    "armor": (Kind.ARMOR, things.equipment),
    "equipment": (Kind.ITEM, things.equipment),
    "items": (Kind.ITEM, things.equipment),
    "magic-items": (Kind.MAGIC_ITEM, things.equipment),
}


def read(data: bytes, name: str) -> ImportedFile:
    """Read a file. ``name`` is the file's name without its ending, used as the book if the file names none."""
    file = read_book_file(data, name)
    if sum(len(book.items) for book in file.books) > MAX_ITEMS:
        return ImportedFile(fault=TOO_MANY)
    return ImportedFile(tuple(adapt_all(file)), file.fault, file.invisible)


def _adapt(book: Book) -> ImportedBook:
    """A book with a record of each of its items, each with a unique key."""
    parents = {
        section: {slug(item.key): _key(item) for item in book.items if item.section == section}
        for section in ("classes", "races")
    }
    taken: set[str] = set()
    items = tuple(_adapt_item(item, parents, taken) for item in book.items)
    unknown = frozenset(filter(None, book.sections)) - SECTIONS.keys()
    return ImportedBook(document(book.name), items, tuple(book.sections), unknown)


def adapt_all(file: BookFile) -> list[ImportedBook]:
    """Adapt every book of a file. Names that differ only in case and punctuation are one book, under the first name."""
    books: dict[str, Book] = {}
    for book in file.books:
        merged = books.setdefault(book_key(book.name), Book(book.name))
        merged.sections += [section for section in book.sections if section not in merged.sections]
        merged.items += [replace(item, book=merged.name) for item in book.items]
    return [_adapt(book) for book in books.values()]


def _adapt_item(item: Item, parents: Mapping[str, Keys], taken: set[str]) -> ImportedItem:
    outcome = adapted(item.section, item.path, lambda: _record(item, parents, taken))
    if outcome.record is not None:
        taken.add(outcome.record.key)
    return outcome


def _record(item: Item, parents: Mapping[str, Keys], taken: set[str]) -> Record:
    """The record of an item. Raises ItemError, and ValidationError if a value is out of bounds."""
    if item.disabled:
        raise ItemError("it is disabled in the file")
    if not isinstance(item.value, dict):
        raise ItemError(f"it is {_type_name(item.value)} where a map of fields is expected")
    if not item.section:
        raise ItemError("it is outside any section")
    fields = Fields(item.value, shown)
    kind, adapter = SECTIONS.get(item.section, (Kind.RULE, things.rule_of(item.section)))
    key = free_key(_key(item), repr((item.key, item.value)), taken)
    return adapter(
        _common_fields(item, fields, kind, key), fields, parents["races" if item.section == "subraces" else "classes"]
    )


def _name(item: Item) -> str:
    """Return an item's name, or one derived from its key."""
    fields = item.value if isinstance(item.value, dict) else {}
    name = fields.get("name")
    if not isinstance(name, str) or not name.strip():
        name = titled(item.key or str(fields.get("key") or ""))
    return " ".join(name.split())


def _key(item: Item) -> str:
    """Return the key of an item's record."""
    return record_key(item.book, item.section, item.key or _name(item))


def _common_fields(item: Item, fields: Fields, kind: Kind, key: str) -> CommonFields:
    """Return the common fields of a record. The application uses the 2014 rules. Raises ItemError."""
    name = _name(item)
    if not name:
        raise ItemError("it has neither a key nor a name")
    fields.drop("disabled?", "edit-event")
    for field, known in (("name", name), ("option-pack", item.book), ("key", item.key)):
        if fields.peek(field) == known and len(known) <= _MAX_NAME:
            fields.drop(field)
    inner_key = fields.peek("key")
    if text(inner_key) and slug(str(inner_key)) == slug(name):
        fields.drop("key")
    return common_fields(item.book, kind, key, name, fields.text("description", "desc", "text", "help"))


def _type_name(value: object) -> str:
    names = {type(None): "nil", bool: "a flag", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "something else")
