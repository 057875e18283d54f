"""Reads an OrcBrew file's bytes to the items of its books, in any of its shapes.

The application writes two shapes: "Export all" a map of book names to books, "Export" one bare book, which is called
as the ``:option-pack`` of its items or the file (https://github.com/Orcpub/orcpub, ``::e5/plugins``, ``::e5/plugin``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lorekeeper_mcp.sources.imported import MAX_FILE
from lorekeeper_mcp.sources.orcbrew.edn import EdnError, Keyword, Map, Plain, Value, local_name, parse, plain

SECTIONS = tuple(
    "spells monsters classes subclasses races subraces backgrounds feats languages invocations selections encounters"
    " boons items magic-items equipment weapons armor armors".split()
)
_UNNAMED = "Unnamed Content"  # the application's name for a book without one
_DISABLED = "disabled?"
_Pairs: TypeAlias = "list[tuple[Value, Value]]"


@dataclass(frozen=True)
class Item:
    """One entry of a section. ``value`` is a map of fields, or whatever is in its place."""

    book: str
    section: str
    key: str
    value: Plain
    disabled: bool = False


def decoded(data: bytes) -> str:
    """Return a file's text: UTF-8 with or without a byte order mark; UTF-16 if a mark says so. Raises EdnError."""
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
    """Yield the items of all books. ``name`` is the file's, used as the book if the file names none.

    Raises EdnError, whose message is one sentence, if the text is not EDN or contains no map.
    """
    forms = parse(text)
    if not any(isinstance(form, Map) for form in forms):
        raise EdnError("The file contains no OrcBrew data: at line 1, column 1 a map { … } is expected.")
    for number, form in enumerate(forms, 1):
        if not isinstance(form, Map):
            yield from [] if form is None else [Item(name or _UNNAMED, "", f"form {number}", plain(form))]
            continue
        sections = []
        for key, value in form.pairs:
            if _is_book(key, value):
                yield from _book_items(_name(key).strip() or _UNNAMED, value)
            else:
                sections.append((key, value))
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
    packs = (item.get("option-pack") for item in items if isinstance(item, dict))
    names = Counter(pack.strip() for pack in packs if isinstance(pack, str) and pack.strip())
    pack, count = names.most_common(1)[0] if names else ("", 0)
    return pack if pack and (2 * count >= len(items) or not name) else name or _UNNAMED


def _book_items(book: str, value: Value) -> Iterator[Item]:
    if isinstance(value, Map):
        yield from _section_items(book, value.pairs)
    elif value is not None and not isinstance(value, bool):
        yield Item(book, "", "", plain(value))


def _section_items(book: str, sections: _Pairs) -> Iterator[Item]:
    names = [_name(key) for key, _ in sections]
    is_disabled = any(name == _DISABLED and value is True for name, (_, value) in zip(names, sections, strict=True))
    for section, (_, value) in zip(names, sections, strict=True):
        if isinstance(value, Map):
            entries = [(_name(key), item) for key, item in value.pairs]
        else:  # some programs write a section as a list of items
            entries = [("", item) for item in (value if isinstance(value, list) else [value])]
        if section == _DISABLED or value is None or isinstance(value, bool):
            continue
        for key, item in entries:
            fields = plain(item)
            disabled = is_disabled or (isinstance(fields, dict) and fields.get(_DISABLED) is True)
            yield Item(book, section, key, fields, disabled)


def _name(key: Value) -> str:
    return local_name(key) if isinstance(key, Keyword) else "" if key is None else str(plain(key))
