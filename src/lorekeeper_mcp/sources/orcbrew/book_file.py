"""Reads an OrcBrew file's bytes to books, sections and items, in any of its shapes.

The application writes two shapes: "Export all" a map of book names to books, "Export" one bare book, which is called
as the ``:option-pack`` of its items or the file (https://github.com/Orcpub/orcpub, ``::e5/plugins``, ``::e5/plugin``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import cast

from lorekeeper_mcp.sources.imported import MAX_FILE, place
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.orcbrew.edn import EdnError, Keyword, Map, Plain, Value, local_name, parse, plain

UNNAMED = "Unnamed Content"  # the application's name for a book without one
SECTIONS = tuple(
    "spells monsters classes subclasses races subraces backgrounds feats languages invocations selections encounters"
    " boons items magic-items equipment weapons armor armors".split()
)
_DISABLED = "disabled?"


@dataclass(frozen=True)
class Item:
    """One entry of a section. ``value`` is a map of fields, or whatever is in its place."""

    book: str
    section: str
    key: str
    value: Plain
    disabled: bool = False

    @property
    def path(self) -> str:
        """The place in the file."""
        return place(self.book, self.section, self.key)


@dataclass
class Book:
    """A book and its items in the order of the file; ``sections`` also names those that are empty."""

    name: str
    sections: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


@dataclass(frozen=True)
class BookFile:
    """The content of a file, or ``fault``: one sentence with line and column on why it cannot be read.

    ``invisible`` counts the invisible characters that were removed.
    """

    books: tuple[Book, ...] = ()
    fault: str = ""
    invisible: int = 0


def read_book_file(data: bytes, name: str) -> BookFile:
    """Read a file. ``name`` is the file's name without its ending, used as the book if the file names none.

    Never raises: ``fault`` explains why a file cannot be read at all.
    """
    try:
        reader = _Reader(parse(_decoded(data)), name)
        return BookFile(tuple(reader.books()), invisible=reader.invisible)
    except EdnError as error:
        return BookFile(fault=str(error))


def _decoded(data: bytes) -> str:
    """The text: UTF-8 with or without a byte order mark; UTF-16 if a mark says so."""
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


class _Reader:
    """Collects the books of all forms of a file; forms of the same book are merged."""

    def __init__(self, forms: list[Value], name: str) -> None:
        self._forms = forms
        self._name = name
        self._books: dict[str, Book] = {}
        self.invisible = 0

    def books(self) -> list[Book]:
        """Return every book, including empty ones. Raises EdnError if the file contains no map."""
        if not any(isinstance(form, Map) for form in self._forms):
            raise EdnError("The file contains no OrcBrew data: at line 1, column 1 a map { … } is expected.")
        for number, form in enumerate(self._forms, 1):
            if isinstance(form, Map):
                self._read_form(form)
            elif form is not None:
                self._add(self._name or UNNAMED, "", f"form {number}", form)
        return list(self._books.values())

    def _read_form(self, form: Map) -> None:
        sections: list[tuple[Value, Value]] = []
        for key, value in form.pairs:
            if self._is_book(key, value):
                self._read_book(self._text(key), value)
            else:
                sections.append((key, value))
        if any(self._local_text(key) != _DISABLED for key, _ in sections):
            self._read_sections(self._single_book_name(sections), Map(sections))

    def _is_book(self, key: Value, value: Value) -> bool:
        """Whether a key names a book: a text, or a bare keyword with a map of sections; not ``:orcpub.dnd.e5/feats``.

        An item may have the name of a section (a feat ``:armor``), so only names with a namespace identify a section.
        """
        pairs = value.pairs if isinstance(value, Map) else []
        names = [self._text(name) for name, _ in pairs if isinstance(name, Keyword)]
        has_sections = any("/" in name and local_name(name) in SECTIONS for name in names)
        if isinstance(key, Keyword):
            name = self._text(key)
            return has_sections and "/" not in name and name not in (*SECTIONS, _DISABLED)
        return has_sections or (isinstance(key, str) and key not in SECTIONS)

    def _single_book_name(self, sections: list[tuple[Value, Value]]) -> str:
        """The option pack that most of its items name, which is the book's title; else the file's name."""
        items = [plain(item) for _, section in sections if isinstance(section, Map) for _, item in section.pairs]
        packs = (item.get("option-pack") for item in items if isinstance(item, dict))
        names = Counter(self._text(pack).strip() for pack in packs if isinstance(pack, str) and pack.strip())
        name, count = names.most_common(1)[0] if names else ("", 0)
        return name if name and (2 * count >= len(items) or not self._name) else self._name or UNNAMED

    def _read_book(self, name: str, value: Value) -> None:
        title = name.strip() or UNNAMED
        if isinstance(value, Map):
            self._read_sections(title, value)
        elif value is None or isinstance(value, bool):
            self._book(title)
        else:
            self._add(title, "", "", value)

    def _read_sections(self, name: str, fields: Map) -> None:
        disabled = any(self._local_text(key) == _DISABLED and value is True for key, value in fields.pairs)
        self._book(name)
        for key, value in fields.pairs:
            section = self._local_text(key)
            if section != _DISABLED:
                self._read_section(name, section, value, disabled=disabled)

    def _read_section(self, book: str, section: str, value: Value, *, disabled: bool) -> None:
        sections = self._book(book).sections
        if section not in sections:
            sections.append(section)
        if isinstance(value, Map):
            for key, item in value.pairs:
                self._add(book, section, self._local_text(key), item, disabled=disabled)
        elif isinstance(value, list):  # some programs write a section as a list of items
            for item in value:
                self._add(book, section, "", item, disabled=disabled)
        elif value is not None and not isinstance(value, bool):
            self._add(book, section, "", value)

    def _add(self, book: str, section: str, key: str, value: Value, *, disabled: bool = False) -> None:
        clean, count = visible(plain(value))
        self.invisible += count
        is_disabled = disabled or (isinstance(clean, dict) and clean.get(_DISABLED) is True)
        self._book(book).items.append(Item(book, section, key, cast(Plain, clean), is_disabled))

    def _book(self, name: str) -> Book:
        return self._books.setdefault(name, Book(name))

    def _text(self, value: Value) -> str:
        """A name without invisible characters; empty for nil."""
        text = str(plain(value)) if isinstance(value, list) else str(value)
        clean, count = visible("" if value is None else text)
        self.invisible += count
        return str(clean)

    def _local_text(self, key: Value) -> str:
        return local_name(self._text(key)) if isinstance(key, Keyword) else self._text(key)
