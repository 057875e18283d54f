"""Weapons, armor and the properties of weapons: the tables of the official text, row by row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Reference, WeaponProperty, WeaponStats
from lorekeeper_mcp.text import fold, slugify
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.srd2024.document import COMMON, KEY, key_of

_PAGES = (89, 92)
_WEAPON_TITLE = re.compile(r"^(Simple|Martial) (Melee|Ranged) Weapons$")
_MASTERIES = ("Cleave", "Graze", "Nick", "Push", "Sap", "Slow", "Topple", "Vex")
_PROPERTIES = (
    "Ammunition", "Finesse", "Heavy", "Light", "Loading", "Range", "Reach", "Thrown", "Two-Handed", "Versatile",
)  # fmt: skip
_SIDEBAR = "Improvised Weapons"
_WEAPON = re.compile(
    r"^(?P<name>.+?) (?P<dice>\d+(?:d\d+)?) (?P<type>\w+) (?P<properties>.+) "
    rf"(?P<mastery>{'|'.join(_MASTERIES)}) (?P<weight>—|[\d/½]+ lb\.) (?P<cost>[\d,]+ [CSGP]P)$"
)
_PROPERTY = re.compile(r"([A-Z][\w-]+)(?: \(([^)]*)\))?")
_RANGE = re.compile(r"Range (\d+)/(\d+)")
_ARMOR_TITLE = re.compile(r"^(Light|Medium|Heavy) Armor \(|^(Shield) \(")
_ARMOR = re.compile(
    r"^(?P<name>.+?) (?P<ac>\+?\d+(?: \+ Dex modifier)?(?: \(max \d+\))?) (?P<strength>—|Str \d+) "
    r"(?P<stealth>—|Disadvantage) (?P<weight>[\d/½]+ lb\.) (?P<cost>[\d,]+ [CSGP]P)$"
)
_COINS = {"CP": 0.01, "SP": 0.1, "GP": 1.0, "PP": 10.0}


def gold(text: str) -> float | None:
    """Gold pieces of ``1,500 GP`` or ``5 CP``; None without a price."""
    found = re.match(r"^([\d,]+) ([CSGP]P)$", text)
    return round(int(found[1].replace(",", "")) * _COINS[found[2]], 2) if found else None


def pounds(text: str) -> float | None:
    """Pounds of ``2 lb.``, ``1/4 lb.`` or ``58½ lb.``; None without a weight."""
    found = re.match(r"^(\d+)?(½)?(?:/(\d+))? lb\.", text)
    if not found:
        return None
    return int(found[1] or 0) / int(found[3] or 1) + (0.5 if found[2] else 0)


def weapons(book: Book) -> list[Equipment]:
    """Every weapon with its properties and its mastery."""
    rules = {rule.name: rule.text for rule in properties(book)}
    found: list[Equipment] = []
    title: re.Match[str] | None = None
    row = ""
    for line in _table(book, "Weapons"):
        if head := _WEAPON_TITLE.match(line.text):
            title, row = head, ""
            continue
        row = joined([row, line.text], book.words) if row else line.text
        if title and (weapon := _WEAPON.match(row)):
            found.append(_weapon(weapon, title, rules))
            row = ""
    return found


def _table(book: Book, title: str) -> Sequence[Line]:
    """The lines under the caption of a table: the second occurrence of its title, or the first on its page."""
    lines = book.between(91, 92)
    head = {"Weapons": "Name Damage Properties", "Armor": "Armor Armor Class (AC)"}[title]
    begin = next(place for place, line in enumerate(lines) if line.text.startswith(head)) + 1
    page = lines[begin].page
    return [line for line in lines[begin:] if line.page == page]


def _weapon(row: re.Match[str], title: re.Match[str], rules: Mapping[str, str]) -> Equipment:
    given = "" if row["properties"] == "—" else row["properties"]
    named = [
        WeaponProperty(name=name, detail=detail, text=rules.get(name, "")) for name, detail in _PROPERTY.findall(given)
    ]
    mastery = WeaponProperty(name=row["mastery"], text=rules[row["mastery"]], type="Mastery")
    distance = _RANGE.search(given)
    versatile = next((one.detail for one in named if one.name == "Versatile"), "")
    key = key_of(row["name"])
    return Equipment(
        kind=Kind.WEAPON,
        key=key,
        name=row["name"],
        category="weapon",
        cost=gold(row["cost"]),
        weight=pounds(row["weight"]),
        weapon=WeaponStats(
            name=row["name"],
            key=key,
            damage_dice=row["dice"],
            damage_type=row["type"].lower(),
            two_handed_damage=versatile,
            range=float(distance[1]) if distance else None,
            long_range=float(distance[2]) if distance else None,
            properties=(*named, mastery),
            is_simple=title[1] == "Simple",
            is_ranged=title[2] == "Ranged",
            is_improvised=False,
        ),
        **COMMON,
    )


def armor(book: Book) -> list[Equipment]:
    """Every armor and the shield."""
    found: list[Equipment] = []
    category = ""
    for line in _table(book, "Armor"):
        if title := _ARMOR_TITLE.match(line.text):
            category = (title[1] or title[2]).lower()
        elif row := _ARMOR.match(line.text):
            found.append(_armor(row, category))
    return found


def _armor(row: re.Match[str], category: str) -> Equipment:
    key, formula = key_of(row["name"]), row["ac"]
    cap = re.search(r"max (\d+)", formula)
    base = re.search(r"\d+", formula)
    return Equipment(
        kind=Kind.ARMOR,
        key=key,
        name=row["name"],
        category="shield" if category == "shield" else "armor",
        cost=gold(row["cost"]),
        weight=pounds(row["weight"]),
        armor=ArmorStats(
            name=row["name"],
            key=key,
            category=category,
            ac_text=formula,
            ac_base=int(base[0]) if base else None,
            adds_dexterity="Dex modifier" in formula,
            dexterity_cap=int(cap[1]) if cap else None,
            strength_required=int(row["strength"].removeprefix("Str ")) if row["strength"] != "—" else None,
            stealth_disadvantage=row["stealth"] == "Disadvantage",
        ),
        **COMMON,
    )


def properties(book: Book) -> list[Reference]:
    """The properties of weapons and the masteries with their rules."""
    lines = [line for line in book.between(*_PAGES) if line.page < 92]
    end = next(place for place, line in enumerate(lines) if line.text.startswith("Name Damage"))
    heads = [(place, line.text) for place, line in enumerate(lines[:end]) if _is_head(lines, place)]
    found: dict[str, Reference] = {}
    for (place, name), (stop, _) in pairwise([*heads, (end - 1, "")]):
        mastery = name in _MASTERIES
        if name in _PROPERTIES or mastery:
            found.setdefault(
                name,
                Reference(
                    kind=Kind.WEAPON_PROPERTY,
                    key=f"{KEY}_{slugify(name)}-{'mastery' if mastery else 'wp'}",
                    name=name,
                    text=book.prose(lines[place + 1 : stop]),
                    type="Mastery" if mastery else "",
                    **COMMON,
                ),
            )
    return list(found.values())


def _is_head(lines: Sequence[Line], place: int) -> bool:
    """Whether a line is a heading; those of sidebars are in small capitals, which were read as mixed case."""
    text = lines[place].text
    known = {*_PROPERTIES, *_MASTERIES, "Mastery Properties", "Properties"}
    return lines[place].ends and (text in known or fold(text) == fold(_SIDEBAR))
