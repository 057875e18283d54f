"""Facts that both books state about every class, and the columns of its level table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from lorekeeper_mcp.models import FEATURES_COLUMN, TableColumn

SPELL_SLOTS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
"""The columns of a level table that count the spell slots of a level."""
_CASTER_TYPES = {
    **dict.fromkeys(("Bard", "Cleric", "Druid", "Sorcerer", "Wizard"), "full"),
    **dict.fromkeys(("Paladin", "Ranger"), "half"),
    "Warlock": "pact",
}


class ClassFacts(TypedDict):
    """The fields of a class that follow from its name and its hit die."""

    name: str
    hit_dice: str
    hit_points_at_1st_level: str
    hit_points_at_higher_levels: str
    caster_type: str


def class_facts(name: str, die: int) -> ClassFacts:
    """The fields of a class with a hit die of so many sides."""
    return {
        "name": name,
        "hit_dice": f"d{die}",
        "hit_points_at_1st_level": f"{die} + your Constitution modifier",
        "hit_points_at_higher_levels": (
            f"1d{die} (or {die // 2 + 1}) + your Constitution modifier per {name.lower()} level after 1st"
        ),
        "caster_type": _CASTER_TYPES.get(name, "none"),
    }


def bonus_column(cells: Mapping[int, str]) -> TableColumn:
    """The column of proficiency bonuses by level."""
    return TableColumn(name="Proficiency Bonus", type="PROFICIENCY_BONUS", cells=dict(cells))


def features_column(name: str, cells: Mapping[int, str]) -> TableColumn:
    """The column of features by level."""
    return TableColumn(name=name, type=FEATURES_COLUMN, cells=dict(cells))


def number_column(name: str, cells: Mapping[int, str]) -> TableColumn:
    """A column of spell slots or other numbers by level."""
    type_ = "SPELL_SLOTS" if name in SPELL_SLOTS else "CLASS_TABLE_DATA"
    return TableColumn(name=name, type=type_, cells=dict(cells))
