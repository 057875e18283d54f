"""Reads an OrcBrew file, in any of its shapes, to books of records.

The application writes two shapes: "Export all" a map of book names to books, "Export" one bare book, which is called
as the ``:option-pack`` of its items or the file (https://github.com/Orcpub/orcpub, ``::e5/plugins``, ``::e5/plugin``).
An item that yields no record is skipped with its path and the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.field_reader import Fields, mapping, text, titled
from lorekeeper_mcp.sources.imported import (
    MAX_FILE,
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
from lorekeeper_mcp.sources.orcbrew.adapters import SECTIONS, Keys, rule, shown
from lorekeeper_mcp.sources.orcbrew.edn import EdnError, Keyword, Map, Plain, Value, local_name, parse, plain

_UNNAMED = "Unnamed Content"  # the application's name for a book without one
_DISABLED = "disabled?"
_MAX_NAME = 300
_TYPE_NAMES = {"NoneType": "nil", "bool": "a flag", "int": "a number", "float": "a number", "list": "a list"}
_Pairs: TypeAlias = "list[tuple[Value, Value]]"


@dataclass(frozen=True)
class Item:
    """One entry of a section. ``value`` is a map of fields, or whatever is in its place."""

    book: str
    section: str
    key: str
    value: Plain
    disabled: bool = False

    @property
    def name(self) -> str:
        """The item's name, or one derived from its key."""
        fields = mapping(self.value)
        name = fields.get("name")
        if not isinstance(name, str) or not name.strip():
            name = titled(self.key or text(fields.get("key")))
        return " ".join(name.split())

    @property
    def record_key(self) -> str:
        """The key of the item's record."""
        return record_key(self.book, self.section, self.key or self.name)


def read(data: bytes, name: str) -> ImportedFile:
    """Read a file. ``name`` is its name without the ending, used as the book if the file names none. Never raises."""
    try:
        content, invisible = visible(_decoded(data))
        items = list(items_of(str(content), name))
    except EdnError as error:
        return ImportedFile(fault=str(error))
    if len(items) > MAX_ITEMS:
        return ImportedFile(fault=TOO_MANY)
    names: dict[str, str] = {}  # of several names with the same key, the first
    items = [replace(item, book=names.setdefault(book_key(item.book), item.book)) for item in items]
    parents: dict[tuple[str, str], dict[str, str]] = {}
    for item in items:
        parents.setdefault((item.book, item.section), {})[slug(item.key)] = item.record_key
    books = BookBuilder()
    for item in items:
        own = parents.get((item.book, "races" if item.section == "subraces" else "classes"), {})
        books.adapt(item.book, item.section, item.key, partial(_record, item, own))
    return ImportedFile(books.books(known={*SECTIONS, ""}), invisible=invisible + books.invisible)


def _record(item: Item, parents: Keys) -> Record:
    """The record of an item. The application uses the 2014 rules. Raises ItemError and ValidationError."""
    if item.disabled:
        raise ItemError("it is disabled in the file")
    if not isinstance(item.value, dict):
        kind = _TYPE_NAMES.get(type(item.value).__name__, "a text")
        raise ItemError(f"it is {kind} where a map of fields is expected")
    if not item.section:
        raise ItemError("it is outside any section")
    if not item.name:
        raise ItemError("it has neither a key nor a name")
    fields = Fields(item.value, shown)
    fields.drop(_DISABLED, "edit-event")
    for field, known in (("name", item.name), ("option-pack", item.book), ("key", item.key)):
        if fields.peek(field) == known and len(known) <= _MAX_NAME:
            fields.drop(field)
    if slug(text(fields.peek("key")) or "?") == slug(item.name):
        fields.drop("key")
    record_kind, adapter = SECTIONS.get(item.section, (Kind.RULE, partial(rule, item.section)))
    description = fields.text("description", "desc", "text", "help")
    return adapter(common_fields(item.book, record_kind, item.record_key, item.name, description), fields, parents)


def _decoded(data: bytes) -> str:
    """A file's text: UTF-8 with or without a byte order mark; UTF-16 if a mark says so. Raises EdnError."""
    if len(data) > MAX_FILE:
        raise EdnError(f"The file is larger than {MAX_FILE // 1024 // 1024} MB.")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        name = encoding.removesuffix("-sig").upper()
        raise EdnError(f"The file is not valid {name} text (line {line}, column {column}).") from None


def items_of(text: str, name: str) -> Iterator[Item]:
    """Yield the items of all books. Raises EdnError if the text is not EDN or contains no map."""
    forms = parse(text)
    if not any(isinstance(form, Map) for form in forms):
        raise EdnError("The file contains no OrcBrew data: at line 1, column 1 a map { … } is expected.")
    for number, form in enumerate(forms, 1):
        if not isinstance(form, Map):
            yield from [] if form is None else [Item(name or _UNNAMED, "", f"form {number}", plain(form))]
            continue
        sections = []
        for key, value in form.pairs:
            book = _name(key).strip() or _UNNAMED
            if not _is_book(key, value):
                sections.append((key, value))
            elif isinstance(value, Map):
                yield from _section_items(book, value.pairs)
            elif value is not None and not isinstance(value, bool):
                yield Item(book, "", "", plain(value))
        yield from _section_items(_single_book_name(sections, name), sections)


def _is_book(key: Value, value: Value) -> bool:
    """Whether a key names a book: a text, or a bare keyword with a map of sections; not ``:orcpub.dnd.e5/feats``.

    An item may have the name of a section (a feat ``:armor``), so only names with a namespace identify a section.
    """
    pairs = value.pairs if isinstance(value, Map) else []
    has_sections = any("/" in name and local_name(name) in SECTIONS for name, _ in pairs if isinstance(name, Keyword))
    if isinstance(key, Keyword):
        return has_sections and "/" not in key and key not in (*SECTIONS, _DISABLED)
    return has_sections or (isinstance(key, str) and key not in SECTIONS)


def _single_book_name(sections: _Pairs, name: str) -> str:
    """The option pack that most of its items name, which is the book's title; else the file's name."""
    items = [plain(item) for _, section in sections if isinstance(section, Map) for _, item in section.pairs]
    packs = Counter(text(mapping(item).get("option-pack")) for item in items)
    del packs[""]
    pack, count = packs.most_common(1)[0] if packs else ("", 0)
    return pack if pack and (2 * count >= len(items) or not name) else name or _UNNAMED


def _section_items(book: str, sections: _Pairs) -> Iterator[Item]:
    named = [(_name(key), value) for key, value in sections]
    is_disabled = any(name == _DISABLED and value is True for name, value in named)
    for section, value in named:
        if section == _DISABLED or value is None or isinstance(value, bool):
            continue
        # Some programs write a section as a list of items.
        entries = value.pairs if isinstance(value, Map) else [(None, item) for item in _listed(value)]
        for key, item in entries:
            fields = plain(item)
            yield Item(book, section, _name(key), fields, is_disabled or mapping(fields).get(_DISABLED) is True)


def _listed(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _name(key: Value) -> str:
    return local_name(key) if isinstance(key, Keyword) else "" if key is None else str(plain(key))
