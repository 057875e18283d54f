"""Weapons, armor and the properties of weapons: the tables of the official text, row by row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lorekeeper_mcp.models import ArmorStats, Equipment, Kind, Reference, WeaponProperty, WeaponStats
from lorekeeper_mcp.models.vocabulary import GOLD
from lorekeeper_mcp.text import fold, slugify
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.sections import split_at
from srd_converter.srd2024.document import COMMON, KEY, key_of

_RULE_PAGES, _TABLE_PAGES = (89, 91), (91, 92)
_WEAPON_TITLE = re.compile(r"(Simple|Martial) (Melee|Ranged) Weapons")
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
_ARMOR_TITLE = re.compile(r"^(Light|Medium|Heavy|Shield)(?: Armor)? \(")
_ARMOR = re.compile(
    r"^(?P<name>.+?) (?P<ac>\+?\d+(?: \+ Dex modifier)?(?: \(max \d+\))?) (?P<strength>—|Str \d+) "
    r"(?P<stealth>—|Disadvantage) (?P<weight>[\d/½]+ lb\.) (?P<cost>[\d,]+ [CSGP]P)$"
)


def gold(text: str) -> float | None:
    """Gold pieces of ``1,500 GP`` or ``5 CP``; None without a price."""
    price = re.fullmatch(r"([\d,]+) ([CSG]P)", text)
    return round(int(price[1].replace(",", "")) * GOLD[price[2].lower()], 2) if price else None


def pounds(text: str) -> float | None:
    """Pounds of ``2 lb.``, ``1/4 lb.`` or ``58½ lb.``; None without a weight."""
    weight = re.match(r"(\d+)(?:/(\d+))?(½?) lb\.", text)
    return int(weight[1]) / int(weight[2] or 1) + (0.5 if weight[3] else 0) if weight else None


def weapons(book: Book) -> list[Equipment]:
    """Every weapon with its properties and its mastery."""
    rules = {rule.name: rule.text for rule in properties(book)}
    records: list[Equipment] = []
    skill = range_ = text = ""
    for line in _table(book, "Name Damage Properties"):
        if title := _WEAPON_TITLE.fullmatch(line.text):
            skill, range_ = title.groups()
            text = ""
            continue
        text = joined([text, line.text], book.words) if text else line.text
        if row := _WEAPON.match(text):
            records.append(_weapon(row, skill, range_, rules))
            text = ""
    return records


def _table(book: Book, head: str) -> Sequence[Line]:
    """The lines of a page below the head of a table."""
    lines = book.between(*_TABLE_PAGES)
    begin = next(index for index, line in enumerate(lines) if line.text.startswith(head)) + 1
    return [line for line in lines[begin:] if line.page == lines[begin].page]


def _weapon(row: re.Match[str], skill: str, range_: str, rules: Mapping[str, str]) -> Equipment:
    details = dict(_PROPERTY.findall(row["properties"]))
    named = [WeaponProperty(name=name, detail=detail, text=rules[name]) for name, detail in details.items()]
    mastery = WeaponProperty(name=row["mastery"], text=rules[row["mastery"]], type="Mastery")
    distance = _RANGE.search(row["properties"])
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
            two_handed_damage=details.get("Versatile", ""),
            range=float(distance[1]) if distance else None,
            long_range=float(distance[2]) if distance else None,
            properties=(*named, mastery),
            is_simple=skill == "Simple",
            is_ranged=range_ == "Ranged",
            is_improvised=False,
        ),
        **COMMON,
    )


def armor(book: Book) -> list[Equipment]:
    """Every armor and the shield."""
    records: list[Equipment] = []
    category = ""
    for line in _table(book, "Armor Armor Class (AC)"):
        if title := _ARMOR_TITLE.match(line.text):
            category = title[1].lower()
        elif row := _ARMOR.match(line.text):
            records.append(_armor(row, category))
    return records


def _armor(row: re.Match[str], category: str) -> Equipment:
    key, formula = key_of(row["name"]), row["ac"]
    base, *cap = map(int, re.findall(r"\d+", formula))
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
            ac_base=base,
            adds_dexterity="Dex modifier" in formula,
            dexterity_cap=cap[0] if cap else None,
            strength_required=int(row["strength"].removeprefix("Str ")) if row["strength"] != "—" else None,
            stealth_disadvantage=row["stealth"] == "Disadvantage",
        ),
        **COMMON,
    )


def properties(book: Book) -> list[Reference]:
    """The properties of weapons and the masteries with their rules."""
    lines = book.between(*_RULE_PAGES)
    end = next(index for index, line in enumerate(lines) if line.text.startswith("Name Damage"))
    lines = lines[: end - 1]
    heads = [index for index, line in enumerate(lines) if _is_head(line)]
    texts: dict[str, str] = {}
    for head, *below in split_at(lines, heads):
        if head.text in (*_PROPERTIES, *_MASTERIES):
            texts.setdefault(head.text, book.prose(below))
    return [
        Reference(
            kind=Kind.WEAPON_PROPERTY,
            key=f"{KEY}_{slugify(name)}-{'mastery' if name in _MASTERIES else 'wp'}",
            name=name,
            text=text,
            type="Mastery" if name in _MASTERIES else "",
            **COMMON,
        )
        for name, text in texts.items()
    ]


def _is_head(line: Line) -> bool:
    """Whether a line is a heading; those of sidebars are in small capitals, which were read as mixed case."""
    headings = {*_PROPERTIES, *_MASTERIES, "Mastery Properties", "Properties"}
    return line.ends and (line.text in headings or fold(line.text) == fold(_SIDEBAR))
