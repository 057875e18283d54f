"""Tools, adventuring gear, ammunition and mounts: entries headed by name and price, and tables of weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from lorekeeper_mcp.models import Equipment, Kind
from srd_converter.book2024.pages import Book, Line
from srd_converter.srd2024.document import COMMON, key_of
from srd_converter.srd2024.weapons import gold, pounds

_PAGES, _TABLE_PAGE, _MOUNTS = (93, 100), 95, (100, 101)
_ENTRY = re.compile(r"^(?P<name>[A-Z][\w', -]+?) \((?P<cost>[\d,]+ [CSGP]P|Varies)\)$")
_OTHER_ENTRY = re.compile(r"^[A-Z][\w ]+ \([\w, ]+;$")  # of scrolls, which are magic items
_ROW = re.compile(r"^(?P<name>.+?) (?P<weight>—|Varies|[\d½/]+ lb\.(?: \(full\))?) (?P<cost>[\d,]+ [CSGP]P|Varies)$")
_AMMUNITION = re.compile(
    r"^(?P<name>[A-Z][\w, ]+?) (?P<count>\d+) (?P<in>\w+) (?P<weight>[\d½]+ lb\.) (?P<cost>\d+ [CSGP]P)$"
)
_MOUNT = re.compile(r"^(?P<name>[A-Z][\w, ]+?) (?P<pounds>[\d,]+ lb\.|—) (?P<cost>\d+ [CSG]P)$")
_SADDLES = ("Exotic", "Military", "Riding")
_VEHICLES = ("Carriage", "Cart", "Chariot", "Sled", "Wagon")
_TOOL_WEIGHT = re.compile(r"Weight: ([\d½/]+ lb\.)")
_TOOL_LABEL = re.compile(r"(?m)^(Ability|Weight|Utilize|Craft|Variants): ")
_HEADINGS = {"Artisan's Tools", "Other Tools", "Adventuring Gear", "Tools"}
_FOCUS = re.compile(r"\bas a Spellcasting Focus\b")
_PACK = re.compile(r" Pack$")


def gear(book: Book) -> list[Equipment]:
    """Every tool and piece of gear, then ammunition and mounts."""
    lines = book.between(*_PAGES)
    weights = {row["name"]: row["weight"] for line in lines if (row := _ROW.match(line.text))}
    own = [line for line in lines if line.page != _TABLE_PAGE]
    end = next(place for place, line in enumerate(own) if line.text == "Mounts and Vehicles")
    ammunition = [row for line in own[:end] if (row := _AMMUNITION.match(line.text))]
    return [
        *_entries(book, own[:end], weights),
        *(
            _item(f"{row['name']} ({row['count']})", "ammunition", row["cost"], row["weight"], f"Storage: {row['in']}")
            for row in ammunition
        ),
        *_mounts(book),
    ]


def _mounts(book: Book) -> Iterator[Equipment]:
    """Animals with their carrying capacity, then tack and vehicles with their weight."""
    animals = True
    for line in book.between(*_MOUNTS):
        if line.text == "Item Weight Cost":
            animals = False
        row = _MOUNT.match(line.text)
        if row and animals:
            yield _item(row["name"], "mount", row["cost"], "", f"Carrying capacity: {row['pounds']}")
        elif row:
            name = f"Saddle, {row['name']}" if row["name"] in _SADDLES else row["name"]
            category = "land-vehicle" if name in _VEHICLES else "adventuring-gear"
            category = "service" if row["pounds"] == "—" else category
            yield _item(name, category, row["cost"], row["pounds"].replace(",", ""), "")


def _entries(book: Book, lines: list[Line], weights: Mapping[str, str]) -> Iterator[Equipment]:
    """Entries with their texts. Part headings and the text under them are rules, read elsewhere."""
    heads = [
        place
        for place, line in enumerate(lines)
        if line.text in _HEADINGS or _ENTRY.match(line.text) or _OTHER_ENTRY.match(line.text)
    ]
    for place, stop in pairwise([*heads, len(lines)]):
        entry = _ENTRY.match(lines[place].text)
        if not entry:
            continue
        text = book.prose(line for line in lines[place + 1 : stop] if line.ends or not line.text.startswith("Type "))
        tool = _TOOL_WEIGHT.search(text)
        category = _category(entry["name"], entry["cost"], text)
        if category == "tools":
            text = _TOOL_LABEL.sub(r"**\1:** ", text.replace(" Weight: ", "\n\nWeight: "))
        weight = tool[1] if tool else weights.get(entry["name"], "")
        yield _item(entry["name"], category, entry["cost"], weight, text)


def _category(name: str, cost: str, text: str) -> str:
    if text.startswith("Ability:"):
        return "tools"
    if cost == "Varies" and _FOCUS.search(text):
        return "spellcasting-focus"
    return "equipment-pack" if _PACK.search(name) else "adventuring-gear"


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
