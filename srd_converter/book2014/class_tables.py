"""The level tables of the classes as the SRD 5.1 prints them: the features of each level, and the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from lorekeeper_mcp.models import TableColumn
from srd_converter.book2014.outline import CLASSES
from srd_converter.book2014.pages import Line, read
from srd_converter.class_facts import SPELL_SLOTS, bonus_column, features_column, number_column
from srd_converter.sections import index_of

_FEATURES = "Features"
# The column heads are broken over several lines in the text; these are their names.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "Barbarian": (_FEATURES, "Rages", "Rage Damage"),
    "Bard": (_FEATURES, "Cantrips Known", "Spells Known", *SPELL_SLOTS),
    "Cleric": (_FEATURES, "Cantrips Known", *SPELL_SLOTS),
    "Druid": (_FEATURES, "Cantrips Known", *SPELL_SLOTS),
    "Fighter": (_FEATURES,),
    "Monk": ("Martial Arts", "Ki Points", "Unarmored Movement", _FEATURES),
    "Paladin": (_FEATURES, *SPELL_SLOTS[:5]),
    "Ranger": (_FEATURES, "Spells Known", *SPELL_SLOTS[:5]),
    "Rogue": ("Sneak Attack", _FEATURES),
    "Sorcerer": ("Sorcery Points", _FEATURES, "Cantrips Known", "Spells Known", *SPELL_SLOTS),
    "Warlock": (_FEATURES, "Cantrips Known", "Spells Known", "Spell Slots", "Slot Level", "Invocations Known"),
    "Wizard": (_FEATURES, "Cantrips Known", *SPELL_SLOTS),
}
_LAST_LEVEL = 20
_CELL = r"(?:\d+d\d+|\+\d+(?: ft\.)?|\d(?:st|nd|rd|th)|\d+|—|Unlimited)"
# Numbers before the features, the features, numbers after them, and a word of the features on the line below.
_ROW = re.compile(rf"((?:{_CELL} ?)*)((?:[A-Z].*?)?)((?: ?{_CELL})*)((?: [A-Z]\w+)?)")
_GLUED = re.compile(r"(?<=[a-z.])(?=[A-Z])|(?<=[a-z]{2})(?=\d)")  # "+10 ft.Ki", "Stride5"


def level_table(name: str) -> tuple[TableColumn, ...]:
    """Return the columns of a class. Raises ValueError if a row cannot be read."""
    names = _COLUMNS[name]
    bonuses: dict[int, str] = {}
    cells: dict[str, dict[int, str]] = {column: {} for column in names}
    for level, bonus, text in _rows(name):
        bonuses[level] = bonus
        for column, cell in zip(names, _cells(text, names.index(_FEATURES), len(names)), strict=True):
            if cell not in ("", "—"):
                cells[column][level] = cell
    if list(bonuses) != list(range(1, _LAST_LEVEL + 1)):
        raise ValueError(f"The level table of the {name} in the SRD 5.1 has the levels {list(bonuses)}.")
    columns = (
        features_column(column, cells[column]) if column == _FEATURES else number_column(column, cells[column])
        for column in names
    )
    return (bonus_column(bonuses), *columns)


def without_level_table(lines: Sequence[Line], name: str) -> Sequence[Line]:
    """The lines up to the level table of a class."""
    return list(takewhile(lambda line: line.text != f"The {name}", lines))


def _rows(name: str) -> Iterator[tuple[int, str, str]]:
    """Yield level, proficiency bonus and the rest of each row. Rows span lines; a heading ends the table."""
    lines = [line for line in read() if line.page >= CLASSES[name]]
    lines = lines[index_of(lines, f"The {name}") + 1 :]
    text = " ".join(line.text for line in takewhile(lambda line: not line.is_heading, lines))
    parts = re.split(r"(?:^| )(\d+)(?:st|nd|rd|th) (\+\d)", text)
    for level, bonus, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        yield int(level), bonus, rest.strip()


def _cells(text: str, before: int, count: int) -> list[str]:
    """The cells of a row, ``before`` of them before the features; trailing empty cells are not printed."""
    printed = _ROW.fullmatch(_GLUED.sub(" ", text))
    if not printed:
        raise ValueError(f"The row {text!r} of a level table cannot be read.")
    left, right = re.findall(_CELL, printed[1]), re.findall(_CELL, printed[3])
    if not printed[2]:  # no feature at this level
        left, right = left[:before], left[before:]
    row = [*left, *[""] * (before - len(left)), f"{printed[2]}{printed[4]}", *right]
    return [*row, *[""] * (count - len(row))]
