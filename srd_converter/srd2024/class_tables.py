"""The level tables of the classes: the features of each level, and the columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.models import TableColumn
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.class_facts import SPELL_SLOTS, bonus_column, features_column, number_column
from srd_converter.sections import index_of

_PREPARED = ("Cantrips", "Prepared Spells")
# The column heads are broken over several lines in the text; these are their names.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "Barbarian": ("Rages", "Rage Damage", "Weapon Mastery"),
    "Bard": ("Bardic Die", *_PREPARED, *SPELL_SLOTS),
    "Cleric": ("Channel Divinity", *_PREPARED, *SPELL_SLOTS),
    "Druid": ("Wild Shape", *_PREPARED, *SPELL_SLOTS),
    "Fighter": ("Second Wind", "Weapon Mastery"),
    "Monk": ("Martial Arts", "Focus Points", "Unarmored Movement"),
    "Paladin": ("Channel Divinity", "Prepared Spells", *SPELL_SLOTS[:5]),
    "Ranger": ("Favored Enemy", "Prepared Spells", *SPELL_SLOTS[:5]),
    "Rogue": ("Sneak Attack",),
    "Sorcerer": ("Sorcery Points", *_PREPARED, *SPELL_SLOTS),
    "Warlock": ("Eldritch Invocations", *_PREPARED, "Spell Slots", "Slot Level"),
    "Wizard": (*_PREPARED, *SPELL_SLOTS),
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
    """Parse the table of a class, whose rows may span lines. Raises IndexError if a row cannot be read."""
    start = end = index_of(lines, f"{name} Features")
    columns = _COLUMNS[name]
    row_pattern = re.compile(r"(\d+) (\+\d) (.+?)" + _CELL * len(columns))
    rows: dict[int, re.Match[str]] = {}
    text = ""
    while _LAST_LEVEL not in rows:
        end += 1
        line = lines[end].text
        if text or re.match(rf"{len(rows) + 1} \+\d ", line):
            text = joined([text, line], book.words) if text else line
        if row := row_pattern.fullmatch(text):
            rows[int(row[1])] = row
            text = ""
    features = {
        level: tuple(feature.partition(" (")[0] for feature in row[3].split(", ")) for level, row in rows.items()
    }
    return LevelTable(range(start, end + 1), features, _columns(columns, rows))


def _columns(names: Sequence[str], rows: Mapping[int, re.Match[str]]) -> tuple[TableColumn, ...]:
    bonuses, features, *numbers = (
        {level: row[group] for level, row in rows.items() if row[group] != "—"} for group in range(2, 4 + len(names))
    )
    return (bonus_column(bonuses), features_column("Class Features", features), *map(number_column, names, numbers))
