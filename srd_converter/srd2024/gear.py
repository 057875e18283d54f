"""Tools, adventuring gear, ammunition and mounts: entries headed by name and price, and tables of weights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lorekeeper_mcp.models import Equipment, Kind
from srd_converter.book2024.pages import Book, Line
from srd_converter.sections import index_of, split_at
from srd_converter.srd2024.document import COMMON, key_of
from srd_converter.srd2024.weapons import gold, pounds

_PAGES, _TABLE_PAGE, _MOUNTS = (93, 100), 95, (100, 101)
_ENTRY = re.compile(r"^(?P<name>[A-Z][\w', -]+?) \((?P<cost>[\d,]+ [CSGP]P|Varies)\)$")
_ANY_ENTRY = re.compile(rf"{_ENTRY.pattern}|^[A-Z][\w ]+ \([\w, ]+;$")  # the latter of scrolls, which are magic items
_ROW = re.compile(r"^(?P<name>.+?) (?P<weight>—|Varies|[\d½/]+ lb\.(?: \(full\))?) (?P<cost>[\d,]+ [CSGP]P|Varies)$")
_AMMUNITION = re.compile(
    r"^(?P<name>[A-Z][\w, ]+?) (?P<count>\d+) (?P<storage>\w+) (?P<weight>[\d½]+ lb\.) (?P<cost>\d+ [CSGP]P)$"
)
_MOUNT = re.compile(r"^(?P<name>[A-Z][\w, ]+?) (?P<pounds>[\d,]+ lb\.|—) (?P<cost>\d+ [CSG]P)$")
_SADDLES = ("Exotic", "Military", "Riding")
_VEHICLES = ("Carriage", "Cart", "Chariot", "Sled", "Wagon")
_TOOL_WEIGHT = re.compile(r"Weight: ([\d½/]+ lb\.)")
_TOOL_LABEL = re.compile(r"(?m)^(Ability|Weight|Utilize|Craft|Variants): ")
_HEADINGS = {"Artisan's Tools", "Other Tools", "Adventuring Gear", "Tools"}


def gear(book: Book) -> list[Equipment]:
    """Every tool and piece of gear, then ammunition and mounts."""
    lines = book.between(*_PAGES)
    lines = lines[: index_of(lines, "Mounts and Vehicles")]
    weights = {row["name"]: row["weight"] for line in lines if (row := _ROW.match(line.text))}
    prose = [line for line in lines if line.page != _TABLE_PAGE]
    return [*_entries(book, prose, weights), *_ammunition(prose), *_mounts(book)]


def _ammunition(lines: Iterable[Line]) -> Iterator[Equipment]:
    for line in lines:
        if row := _AMMUNITION.match(line.text):
            name = f"{row['name']} ({row['count']})"
            yield _item(name, "ammunition", row["cost"], row["weight"], f"Storage: {row['storage']}")


def _mounts(book: Book) -> Iterator[Equipment]:
    """Animals with their carrying capacity, then tack and vehicles with their weight."""
    is_animal = True
    for line in book.between(*_MOUNTS):
        if line.text == "Item Weight Cost":
            is_animal = False
        row = _MOUNT.match(line.text)
        if row and is_animal:
            yield _item(row["name"], "mount", row["cost"], "", f"Carrying capacity: {row['pounds']}")
        elif row:
            name = f"Saddle, {row['name']}" if row["name"] in _SADDLES else row["name"]
            category = "land-vehicle" if name in _VEHICLES else "adventuring-gear"
            category = "service" if row["pounds"] == "—" else category
            yield _item(name, category, row["cost"], row["pounds"], "")


def _entries(book: Book, lines: Sequence[Line], weights: Mapping[str, str]) -> Iterator[Equipment]:
    """Entries with their texts. Part headings and the text under them are rules, read elsewhere."""
    heads = [index for index, line in enumerate(lines) if line.text in _HEADINGS or _ANY_ENTRY.match(line.text)]
    for head, *below in split_at(lines, heads):
        entry = _ENTRY.match(head.text)
        if not entry:
            continue
        text = book.prose(line for line in below if not line.text.startswith("Type "))
        category = _category(entry["name"], entry["cost"], text)
        tool_weight = _TOOL_WEIGHT.search(text)
        weight = tool_weight[1] if tool_weight else weights.get(entry["name"], "")
        if category == "tools":
            text = _TOOL_LABEL.sub(r"**\1:** ", text.replace(" Weight: ", "\n\nWeight: "))
        yield _item(entry["name"], category, entry["cost"], weight, text)


def _category(name: str, cost: str, text: str) -> str:
    if text.startswith("Ability:"):
        return "tools"
    if cost == "Varies" and "as a Spellcasting Focus" in text:
        return "spellcasting-focus"
    return "equipment-pack" if name.endswith(" Pack") else "adventuring-gear"


def _item(name: str, category: str, cost: str, weight: str, text: str) -> Equipment:
    return Equipment(
        kind=Kind.SERVICE if category == "service" else Kind.ITEM,
        key=key_of(name),
        name=name,
        text=text,
        category=category,
        cost=gold(cost),
        weight=pounds(weight),
        **COMMON,
    )
