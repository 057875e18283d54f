"""The level tables of the classes: the features of each level, and the columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.models import FEATURES_COLUMN, TableColumn
from srd_converter.book2024.pages import Book, Line, joined

_SLOTS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
_PREPARED = ("Cantrips", "Prepared Spells")
# The column heads are broken over several lines in the text; these are their names.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "Barbarian": ("Rages", "Rage Damage", "Weapon Mastery"),
    "Bard": ("Bardic Die", *_PREPARED, *_SLOTS),
    "Cleric": ("Channel Divinity", *_PREPARED, *_SLOTS),
    "Druid": ("Wild Shape", *_PREPARED, *_SLOTS),
    "Fighter": ("Second Wind", "Weapon Mastery"),
    "Monk": ("Martial Arts", "Focus Points", "Unarmored Movement"),
    "Paladin": ("Channel Divinity", "Prepared Spells", *_SLOTS[:5]),
    "Ranger": ("Favored Enemy", "Prepared Spells", *_SLOTS[:5]),
    "Rogue": ("Sneak Attack",),
    "Sorcerer": ("Sorcery Points", *_PREPARED, *_SLOTS),
    "Warlock": ("Eldritch Invocations", *_PREPARED, "Spell Slots", "Slot Level"),
    "Wizard": (*_PREPARED, *_SLOTS),
}
_CELL = r" (—|\+\d+ ft\.|\+?\d+|[Dd]\d+|\d+d\d+)"
_LAST_LEVEL = 20


@dataclass(frozen=True)
class LevelTable:
    """The position of a table among the lines of its class, the features by level, and its columns."""

    lines: range
    features: Mapping[int, tuple[str, ...]]
    columns: tuple[TableColumn, ...]


def level_table(book: Book, name: str, lines: Sequence[Line]) -> LevelTable:
    """Parse the table of a class. Raises ValueError if a row cannot be read."""
    begin = next(place for place, line in enumerate(lines) if line.text == f"{name} Features")
    names = _COLUMNS[name]
    row_pattern = re.compile(r"^(\d+) (\+\d) (.+?)" + _CELL * len(names) + "$")
    rows: dict[int, re.Match[str]] = {}
    row, place = "", begin
    while _LAST_LEVEL not in rows:
        place += 1
        text = lines[place].text
        if row or re.match(rf"{len(rows) + 1} \+\d ", text):
            row = joined([row, text], book.words) if row else text
        if found := row_pattern.match(row):
            rows[int(found[1])] = found
            row = ""
    gained = {level: found[3] for level, found in rows.items()}
    features = {level: tuple(one.partition(" (")[0] for one in text.split(", ")) for level, text in gained.items()}
    return LevelTable(range(begin, place + 1), features, _columns(names, rows))


def _columns(names: Sequence[str], rows: Mapping[int, re.Match[str]]) -> tuple[TableColumn, ...]:
    bonus = TableColumn(
        name="Proficiency Bonus", type="PROFICIENCY_BONUS", cells={level: found[2] for level, found in rows.items()}
    )
    others = (
        TableColumn(
            name=name,
            type="SPELL_SLOTS" if name in _SLOTS else "CLASS_TABLE_DATA",
            cells={level: found[place] for level, found in rows.items() if found[place] != "—"},
        )
        for place, name in enumerate(names, start=4)
    )
    gained = {level: found[3] for level, found in rows.items() if found[3] != "—"}
    return (bonus, TableColumn(name="Class Features", type=FEATURES_COLUMN, cells=gained), *others)
