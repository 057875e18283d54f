"""Magic items: each begins with its name and a line of category, rarity and attunement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lorekeeper_mcp.models import Equipment, Kind
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.srd2024.document import COMMON, key_of
from srd_converter.srd2024.inline_stat_blocks import with_stat_block

_PAGES = (209, 253)
_RARITIES = "Common|Uncommon|Very Rare|Rare|Legendary|Artifact"
_CATEGORY = re.compile(r"^(Armor|Potion|Ring|Rod|Scroll|Staff|Wand|Weapon|Wondrous Item)(?: \(.*|, .*|,)$")
_TYPE = re.compile(
    rf"^(?P<category>[\w ]+?)(?: \((?P<of>.*?)\))?, (?P<rarity>(?:{_RARITIES}|Rarity Varies).*?)"
    r"(?: \(Requires Attunement(?P<by>[^)]*)\))?$"
)
_TYPED_IN = 4  # lines


def magic_items(book: Book) -> list[Equipment]:
    """Every magic item under its name in the book, including families such as Ammunition, +1, +2, or +3."""
    lines = book.between(*_PAGES)
    starts = list(_starts(book, lines))
    return [
        _item(book, lines[first:at], found, lines[after:stop])
        for (first, at, after, found), stop in zip(
            starts, [*(first for first, *_ in starts[1:]), len(lines)], strict=True
        )
    ]


def _starts(book: Book, lines: Sequence[Line]) -> Iterator[tuple[int, int, int, re.Match[str]]]:
    """Yield the line indexes of name, type and text, and the parsed type line."""
    for at in range(1, len(lines)):
        found = _typed(book, lines, at)
        if found:
            first = at - 1
            while not lines[first - 1].ends and not lines[first - 1].text.endswith("."):
                first -= 1
            yield first, at, found[0], found[1]


def _typed(book: Book, lines: Sequence[Line], at: int) -> tuple[int, re.Match[str]] | None:
    """The end of the type line that begins at a line, and its parsed values; None if none begins there."""
    if not _CATEGORY.match(lines[at].text):
        return None
    best = None
    for after in range(at + 1, min(at + _TYPED_IN, len(lines))):
        text = joined([line.text for line in lines[at:after]], book.words)
        found = _TYPE.match(text)
        if found and text.count("(") == text.count(")") and _only_rarities(found["rarity"]):
            best = (after, found)
    return best


def _only_rarities(text: str) -> bool:
    rest = re.sub(rf"\b(?:{_RARITIES}|Rarity Varies)\b|\([^)]*\)|,|\bor\b", "", text)
    return not rest.strip()


def _item(book: Book, name: Sequence[Line], type_: re.Match[str], text: Sequence[Line]) -> Equipment:
    full = joined([line.text for line in name], book.words)
    rarities = re.findall(_RARITIES, type_["rarity"])
    by = (type_["by"] or "").strip()
    attuned = "Requires Attunement" in type_[0]
    return Equipment(
        kind=Kind.MAGIC_ITEM,
        key=key_of(full),
        name=full,
        text=with_stat_block(book.prose(text)),
        category=type_["category"].lower().replace(" ", "-"),
        category_text=f"{type_['category']} ({type_['of']})" if type_["of"] else "",
        rarity=_first_rarity(rarities),
        rarity_text=type_["rarity"] if len(rarities) != 1 else "",
        requires_attunement=attuned,
        attunement_text=f"Requires Attunement {by}" if by else "",
        **COMMON,
    )


def _first_rarity(rarities: list[str]) -> str:
    """The lowest rarity of a family, which is named first; "" if the rarity varies."""
    return rarities[0].lower().replace(" ", "-") if rarities else ""
