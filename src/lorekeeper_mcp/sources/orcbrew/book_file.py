"""An OrcBrew file's bytes to books, sections and items, whatever shape it has.

The application writes two shapes: "Export all" a map of book names to books, "Export" one bare book, whose name
is that of the file (https://github.com/Orcpub/orcpub, ``::e5/plugins`` and ``::e5/plugin``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from edn_format import EDNDecodeError, Keyword
from edn_format.edn_parse import parse_all

from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.orcbrew.edn_scanner import OrcbrewFileError, Scanned, scan
from lorekeeper_mcp.sources.orcbrew.edn_values import Plain, local_name, plain

LARGEST = 64 * 1024 * 1024  # bytes; the largest known library has about 4 MB
UNNAMED = "Unnamed Content"  # what the application calls a book without a name
SECTIONS = (
    "spells",
    "monsters",
    "classes",
    "subclasses",
    "races",
    "subraces",
    "backgrounds",
    "feats",
    "languages",
    "invocations",
    "selections",
    "encounters",
    "boons",
    "items",
    "magic-items",
    "equipment",
    "weapons",
    "armor",
    "armors",
)
_DISABLED = "disabled?"


@dataclass(frozen=True)
class Item:
    """One entry of a section. ``value`` is a map of fields, or whatever stood in the place of one."""

    book: str
    section: str
    key: str
    value: Plain
    disabled: bool = False

    @property
    def path(self) -> str:
        """Where it stands in the file."""
        return " › ".join(part for part in (self.book, self.section, self.key) if part)


@dataclass
class Book:
    """A book and its items in the order of the file; ``sections`` also names those that are empty."""

    name: str
    sections: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


@dataclass(frozen=True)
class BookFile:
    """What a file holds, or ``fault``: one sentence with line and column why it cannot be read.

    ``invisible`` counts characters that nobody sees and that were removed.
    """

    name: str
    books: tuple[Book, ...] = ()
    fault: str = ""
    invisible: int = 0


def read_book_file(data: bytes, name: str) -> BookFile:
    """Read a file. ``name`` is the file's name without its ending, the book of a file that names none.

    Never raises: what cannot be read at all is told in ``fault``.
    """
    try:
        reader = _Reader(scan(_decoded(data)), name)
        return BookFile(name, tuple(reader.books()), invisible=reader.invisible)
    except OrcbrewFileError as fault:
        return BookFile(name, fault=str(fault))


def _decoded(data: bytes) -> str:
    """UTF-8 with or without a byte order mark; UTF-16 where a mark says so."""
    if len(data) > LARGEST:
        raise OrcbrewFileError(f"The file is larger than {LARGEST // 1024 // 1024} MB.")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise OrcbrewFileError(
            f"The file is no text in {encoding[:6].upper()} (line {line}, column {column})."
        ) from None


class _Reader:
    """Collects the books of all forms of a file; forms of one book add to it."""

    def __init__(self, scanned: Scanned, name: str) -> None:
        self._scanned = scanned
        self._name = name
        self._books: dict[str, Book] = {}
        self.invisible = 0

    def books(self) -> list[Book]:
        """Every book, also those without items. Raises FileFault where the file holds no map at all."""
        forms = _parsed(self._scanned.text)
        if not any(isinstance(form, Mapping) for form in forms):
            raise OrcbrewFileError("The file holds no OrcBrew data: at line 1, column 1 a map { … } is expected.")
        for number, form in enumerate(forms, 1):
            if isinstance(form, Mapping):
                self._form(form)
            elif form is not None:
                self._add(self._name or UNNAMED, "", f"form {number}", form)
        return list(self._books.values())

    def _form(self, form: Mapping[object, object]) -> None:
        own: list[tuple[object, object]] = []
        for key, value in form.items():
            if self._is_book(key, value):
                self._book(self._plain(key), value)
            else:
                own.append((key, value))
        if any(self._local(key) != _DISABLED for key, _ in own):
            self._sections(self._single_source_name(own), own)

    def _is_book(self, key: object, value: object) -> bool:
        """A text is a book's name, and so is a bare keyword of a map of sections; ``:orcpub.dnd.e5/feats`` is none.

        An item may be called like a section (a feat ``:armor``), so only names with a namespace tell a section.
        """
        sections = [self._name_of(name) for name in value] if isinstance(value, Mapping) else []
        holds_sections = any("/" in name and local_name(name) in SECTIONS for name in sections)
        if isinstance(key, Keyword):
            name = self._name_of(key)
            return holds_sections and "/" not in name and name not in (*SECTIONS, _DISABLED)
        return holds_sections or (isinstance(key, str) and key not in SECTIONS)

    def _single_source_name(self, own: list[tuple[object, object]]) -> str:
        """The file's name; from standard input, which has none, the option pack that most items give."""
        if self._name:
            return self._name
        packs: dict[str, int] = {}
        for _, section in own:
            for item in section.values() if isinstance(section, Mapping) else ():
                fields = self._plain(item)
                pack = fields.get("option-pack") if isinstance(fields, dict) else None
                if isinstance(pack, str) and pack.strip():
                    packs[pack.strip()] = packs.get(pack.strip(), 0) + 1
        return max(packs, key=lambda pack: packs[pack], default=UNNAMED)

    def _book(self, name: Plain, value: object) -> None:
        title = str(name).strip() if name is not None else ""
        if isinstance(value, Mapping):
            self._sections(title or UNNAMED, list(value.items()))
        elif value is None or isinstance(value, bool):
            self._named(title or UNNAMED)
        else:
            self._add(title or UNNAMED, "", "", value)

    def _sections(self, name: str, pairs: list[tuple[object, object]]) -> None:
        disabled = any(self._local(key) == _DISABLED and value is True for key, value in pairs)
        self._named(name)
        for key, value in pairs:
            section = self._local(key)
            if section != _DISABLED and not self._stray(key, value):
                self._section(name, section, value, disabled=disabled)

    def _section(self, book: str, section: str, value: object, *, disabled: bool) -> None:
        sections = self._named(book).sections
        if section not in sections:
            sections.append(section)
        if isinstance(value, Mapping):
            for key, item in value.items():
                if not self._stray(key, item):
                    self._add(book, section, self._local(key), item, disabled=disabled)
        elif isinstance(value, str) or not hasattr(value, "__iter__"):
            if value is not None and not isinstance(value, bool):
                self._add(book, section, "", value)
        else:  # some programs write a section as a list of items
            for item in value:
                self._add(book, section, "", item, disabled=disabled)

    def _add(self, book: str, section: str, key: str, value: object, *, disabled: bool = False) -> None:
        made = self._plain(value)
        off = disabled or (isinstance(made, dict) and made.get(_DISABLED) is True)
        self._named(book).items.append(Item(book, section, key, made, off))

    def _named(self, name: str) -> Book:
        return self._books.setdefault(name, Book(name))

    def _stray(self, key: object, value: object) -> bool:
        """``nil nil``, which the application leaves in maps; a second one in a map stands as ``:nil nil`` here."""
        return value is None and (key is None or self._local(key) == "nil")

    def _name_of(self, key: object) -> str:
        return str(visible(self._scanned.name(str(key.name)))[0]) if isinstance(key, Keyword) else ""

    def _plain(self, value: object) -> Plain:
        """A parsed value made plain, without characters that nobody sees."""
        made, count = visible(plain(value, self._scanned))
        self.invisible += count
        return cast(Plain, made)

    def _local(self, key: object) -> str:
        if isinstance(key, Keyword):
            return local_name(self._name_of(key))
        return "" if key is None else str(self._plain(key))


def _parsed(text: str) -> list[object]:
    """Every form of clean EDN."""
    try:
        return list(parse_all(text, write_ply_tables=False))
    except (EDNDecodeError, ValueError, TypeError, ArithmeticError, NotImplementedError, RecursionError) as error:
        raise OrcbrewFileError(f"The file is no EDN: {' '.join(str(error).split())[:120]}.") from error
