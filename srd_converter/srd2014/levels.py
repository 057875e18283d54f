"""Class tables: what a class has at each level besides its features."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lorekeeper_mcp.models import TableColumn
from srd_converter.srd2014.entries import Entry

_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
_UNLIMITED = 9999  # the package's count of a 20th-level barbarian's rages
_RATING = re.compile(r"\bCr\b")
_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def columns(levels: Sequence[Entry]) -> tuple[TableColumn, ...]:
    """The columns of a table; a cell is missing where the class has nothing of it."""
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for entry in levels:
        level = entry.integer("level") or 0
        for column, cell in _cells(entry).items():
            cells.setdefault(column, {})[level] = cell
    return tuple(TableColumn(name=name, type=type_, cells=column) for (name, type_), column in cells.items())


def _cells(entry: Entry) -> dict[tuple[str, str], str]:
    bonus = entry.integer("prof_bonus")
    cells = {("Proficiency Bonus", "PROFICIENCY_BONUS"): f"+{bonus}"} if bonus else {}
    for part in ("class_specific", "subclass_specific", "spellcasting"):
        own = entry.entry(part)
        for key in own.fields:
            if cell := _cell(own, key):
                cells[_title(key)] = cell
    return cells


def _title(key: str) -> tuple[str, str]:
    """Name and Open5e's type of a column: ``spell_slots_level_1`` is ``1st``."""
    slot = key.removeprefix("spell_slots_level_")
    if slot != key:
        return _ORDINALS[int(slot) - 1], "SPELL_SLOTS"
    return _RATING.sub("CR", key.replace("_", " ").title()), "CLASS_TABLE_DATA"


def _cell(entry: Entry, key: str) -> str:
    """A cell, empty for nothing: 0 slots, no flying."""
    dice = entry.entry(key)
    if dice.has("dice_value"):
        return f"{dice.text('dice_count')}d{dice.text('dice_value')}"
    if costs := entry.entries(key):
        return ", ".join(
            f"{_ORDINALS[(one.integer('spell_slot_level') or 1) - 1]} {one.text('sorcery_point_cost')}" for one in costs
        )
    number = entry.number(key)
    if entry.fields.get(key) is True:
        return "Yes"
    if not number:
        return ""
    return "Unlimited" if number == _UNLIMITED else _FRACTIONS.get(number, f"{number:g}")
