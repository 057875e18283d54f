"""The level tables of the classes as the SRD 5.1 prints them: the features of each level, and the numbers."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence

from lorekeeper_mcp.models import TableColumn
from srd_converter.book2014.outline import CLASSES
from srd_converter.book2014.pages import Line, read
from srd_converter.class_facts import SPELL_SLOTS, bonus_column, features_column, number_column

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


@functools.cache
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
    return (
        bonus_column(bonuses),
        *((features_column if name == _FEATURES else number_column)(name, cells[name]) for name in names),
    )


def without_level_table(lines: Sequence[Line], name: str) -> Sequence[Line]:
    """The lines up to the level table of a class."""
    return lines[: next((n for n, line in enumerate(lines) if line.text == f"The {name}"), len(lines))]


def _rows(name: str) -> Iterator[tuple[int, str, str]]:
    """Yield level, proficiency bonus and the rest of each row. Rows span lines; a heading ends the table."""
    lines = read()
    first = next(n for n, line in enumerate(lines) if line.page >= CLASSES[name] and line.text == f"The {name}")
    stop = next(n for n in range(first + 1, len(lines)) if lines[n].is_heading and lines[n].text not in _COLUMNS[name])
    text = " ".join(line.text for line in lines[first:stop])
    parts = re.split(r"(?:^| )(\d+)(?:st|nd|rd|th) (\+\d)", text)
    for level, bonus, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        yield int(level), bonus, rest.strip()


def _cells(text: str, before: int, count: int) -> list[str]:
    """The cells of a row, ``before`` of them before the features; trailing empty cells are not printed."""
    found = _ROW.fullmatch(_GLUED.sub(" ", text))
    if not found:
        raise ValueError(f"The row {text!r} of a level table cannot be read.")
    ahead, behind = re.findall(_CELL, found[1]), re.findall(_CELL, found[3])
    if not found[2]:  # no feature at this level
        ahead, behind = ahead[:before], ahead[before:]
    row = [*ahead, *[""] * (before - len(ahead)), f"{found[2]}{found[4]}", *behind]
    return [*row, *[""] * (count - len(row))]
