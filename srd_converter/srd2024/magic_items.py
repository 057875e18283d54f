"""Magic items: each begins with its name and a line of category, rarity and attunement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lorekeeper_mcp.models import Equipment, Kind
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.sections import split_at
from srd_converter.srd2024.document import COMMON, key_of
from srd_converter.srd2024.inline_stat_blocks import with_stat_block

_PAGES = (209, 253)
_RARITIES = "Common|Uncommon|Very Rare|Rare|Legendary|Artifact"
_CATEGORY = re.compile(r"^(Armor|Potion|Ring|Rod|Scroll|Staff|Wand|Weapon|Wondrous Item)(?: \(.*|, .*|,)$")
_TYPE = re.compile(
    rf"^(?P<category>[\w ]+?)(?: \((?P<of>.*?)\))?, (?P<rarity>(?:{_RARITIES}|Rarity Varies).*?)"
    r"(?: \(Requires Attunement(?P<by>[^)]*)\))?$"
)
_NOT_RARITIES = re.compile(rf"\b(?:{_RARITIES}|Rarity Varies)\b|\([^)]*\)|,|\bor\b")
_MAX_TYPE = 3  # lines


class _TypeLine(NamedTuple):
    """The line of category, rarity and attunement: its first index, its number of lines, and its parsed fields."""

    start: int
    length: int
    fields: re.Match[str]


def magic_items(book: Book) -> list[Equipment]:
    """Every magic item under its name in the book, including families such as Ammunition, +1, +2, or +3."""
    lines = book.between(*_PAGES)
    type_lines = [type_line for index in range(1, len(lines)) if (type_line := _type_line(book, lines, index))]
    starts = [_name_start(lines, type_line.start) for type_line in type_lines]
    items = zip(starts, split_at(lines, starts), type_lines, strict=True)
    return [_item(book, own, type_line.start - start, type_line) for start, own, type_line in items]


def _type_line(book: Book, lines: Sequence[Line], start: int) -> _TypeLine | None:
    """The longest type line that begins at an index; None if none begins there."""
    if not _CATEGORY.match(lines[start].text):
        return None
    for length in range(_MAX_TYPE, 0, -1):
        text = joined([line.text for line in lines[start : start + length]], book.words)
        fields = _TYPE.match(text)
        if fields and text.count("(") == text.count(")") and not _NOT_RARITIES.sub("", fields["rarity"]).strip():
            return _TypeLine(start, length, fields)
    return None


def _name_start(lines: Sequence[Line], type_start: int) -> int:
    """The index of the first line of the name above a type line."""
    start = type_start - 1
    while not lines[start - 1].ends and not lines[start - 1].text.endswith("."):
        start -= 1
    return start


def _item(book: Book, lines: Sequence[Line], name_length: int, type_line: _TypeLine) -> Equipment:
    fields = type_line.fields
    name = joined([line.text for line in lines[:name_length]], book.words)
    rarities = re.findall(_RARITIES, fields["rarity"])
    return Equipment(
        kind=Kind.MAGIC_ITEM,
        key=key_of(name),
        name=name,
        text=with_stat_block(book.prose(lines[name_length + type_line.length :])),
        category=fields["category"].lower().replace(" ", "-"),
        category_text=f"{fields['category']} ({fields['of']})" if fields["of"] else "",
        # The lowest rarity of a family is named first; a rarity that varies is none.
        rarity=rarities[0].lower().replace(" ", "-") if rarities else "",
        rarity_text=fields["rarity"] if len(rarities) != 1 else "",
        requires_attunement=fields["by"] is not None,
        attunement_text=f"Requires Attunement{fields['by']}" if fields["by"] else "",
        **COMMON,
    )
