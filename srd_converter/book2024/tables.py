"""Tables of the SRD 5.2.1 by their captions, whose columns the text of the pages has lost: what a row looks like.

Heads are the names of the columns; a pattern has a group for each. Only shapes of cells, no text of the book.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from srd_converter.prose import table

_ABILITY = r"(Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma|Varies)"
_RANGE = r"(\d+(?: ?–\s?\d+)?)"
_NUMBER = r"(—|[\d,]+)"
_LINE = r"([^\n]+)"
_NAME = r"([A-Z][^\n]*?)"
_COST = r"((?:[\d,]+ [CSGP]P|Varies|Free)(?: per \w+)?)"
_WEIGHT = r"(—|Varies|[\d,½/]+ lb\.(?: \(full\))?)"
_CLASS = r"(Barbarian|Bard|Cleric|Druid|Fighter|Monk|Paladin|Ranger|Rogue|Sorcerer|Warlock|Wizard)"
_HIT_POINTS = (r"([A-Z][\w, \n]+?)", r"(\d+ \+ Con\. modifier)")
_SCHOOL = r"(Abjuration|Conjuration|Divination|Enchantment|Evocation|Illusion|Necromancy|Transmutation)"
_RARITY = r"(Common|Uncommon|Rare|Very Rare|Legendary|Artifact)"
_SIZE = r"(Tiny|Small|Medium|Large|Huge|Gargantuan)"
_SPLIT_NUMBER = re.compile(r"\b(\d{1,3}),\s?(\d)\s?(\d)\s?(\d)\b")
_LINES_BETWEEN = 2  # rows
_FURTHEST_ROW = 160  # characters of a head before its first row


@dataclass(frozen=True)
class _Shape:
    """The names of the columns and the pattern of a row."""

    head: tuple[str, ...]
    row: re.Pattern[str]


def _shape(head: str, *cells: str) -> _Shape:
    return _Shape(tuple(head.split(" | ")), re.compile(r"\s+".join(cells) + r"(?=\s|$)"))


_TABLES: Mapping[str, _Shape] = {
    "Ability Descriptions": _shape("Ability | Score Measures", _ABILITY, _LINE),
    "Ability Scores": _shape("Score | Meaning", _RANGE, r"(This [^\n]+)"),
    "Ability Modifiers": _shape("Score | Modifier", _RANGE, r"([−+]\d+)"),
    "Ability Scores and Modifiers": _shape("Score | Modifier", _RANGE, r"([−+]\d+)"),
    "Ability Check Examples": _shape("Ability | Make a Check To", _ABILITY, _LINE),
    "Typical Difficulty Classes": _shape("Task Difficulty | DC", r"([A-Z][a-z ]+?)", r"(\d+)"),
    "Saving Throw Examples": _shape("Ability | Make a Save To", _ABILITY, _LINE),
    "Attack Roll Abilities": _shape("Ability | Attack Type", _ABILITY, _LINE),
    "Proficiency Bonus": _shape("Level or CR | Bonus", r"(Up to 4|\d+–\d+)", r"(\+\d)"),
    "Skills": _shape("Skill | Ability | Example Uses", r"([A-Z][A-Za-z ]+?)", _ABILITY, _LINE),
    "Travel Pace": _shape("Pace | Minute | Hour | Day", r"(Fast|Normal|Slow)", r"(\d+ feet)", *[r"(\d+ miles?)"] * 2),
    "Creature Size and Space": _shape(
        "Size | Space (Feet) | Space (Squares)", _SIZE, r"([\d½]+ by [\d½]+ feet)", _LINE
    ),
    "Cover": _shape(
        "Degree | Benefit to Target | Offered By",
        r"(Half|Three-Quarters|Total)",
        r"(\+\d bonus to AC and Dexterity\s+saving throws|Can't be targeted\s+directly)",
        r"((?:Another|An) (?:.|\s)+?target)",
    ),
    "Class Overview": _shape(
        "Class | Likes | Primary Ability | Complexity",
        _CLASS,
        r"([A-Z][a-z]+(?: [a-z]+)?)",
        r"([A-Z]\w+(?: (?:and|or) [A-Z]\w+)?)",
        r"(Low|Average|High)",
    ),
    "Ability Scores and Backgrounds": _shape("Ability | Background", _ABILITY, r"([A-Z]\w+(?:, \w+)*)"),
    "Standard Languages": _shape("1d12 | Language", r"(—|\d+(?: ?–\d+)?)", _LINE),
    "Ability Score Point Costs": _shape("Score | Cost", r"(\d+)", r"(\d+)"),
    "Standard Array by Class": _shape("Class | Str. | Dex. | Con. | Int. | Wis. | Cha.", _CLASS, *[r"(\d+)"] * 6),
    "Level 1 Hit Points by Class": _shape(
        "Class | Hit Point Maximum", r"([A-Z][\w, \n]+?)", r"(\d+ \+ Con\. modifier)"
    ),
    "Fixed Hit Points by Class": _shape(
        "Class | Hit Points per Level", r"([A-Z][\w, \n]+?)", r"(\d+ \+ Con\. modifier)"
    ),
    "Character Advancement": _shape("Level | Experience Points | Proficiency Bonus", r"(\d+)", _NUMBER, r"(\+\d)"),
    "Starting Equipment at Higher Levels": _shape(
        "Starting Level | Equipment and Money | Magic Items",
        r"(\d+–\d+)",
        r"((?:Normal|[\d,]+ (?:GP|gp) plus (?:.|\s)+? normal)\s+starting\s+equipment)",
        r"(\d [A-Z][^\n]+)",
    ),
    "Materials": _shape("Material | Duration", _NAME, r"(\d+ (?:hours?|minutes?))"),
    "Multiclass Spellcaster: Spell Slots per Spell Level": _shape(
        "Level | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9", r"(\d+)", *[r"(—|\d)"] * 9
    ),
    "Coin Values": _shape("Coin | Value in GP", r"(\w+ Piece \([A-Z]P\))", r"([\d/]+)"),
    "Weapons": _shape(
        "Name | Damage | Properties | Mastery | Weight | Cost",
        r"([A-Z][\w ,]+?)",
        r"((?:\d+d\d+|1) (?:Bludgeoning|Piercing|Slashing))",
        r"(—|[A-Z](?:.|\s)+?)",
        r"(Cleave|Graze|Nick|Push|Sap|Slow|Topple|Vex)",
        _WEIGHT,
        _COST,
    ),
    "Ammunition": _shape("Type | Amount | Storage | Weight | Cost", _NAME, r"(\d+)", r"([A-Z]\w+)", _WEIGHT, _COST),
    "Tack, Harness, and Drawn Vehicles": _shape("Item | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Airborne and Waterborne Vehicles": _shape(
        "Ship | Speed | Crew | Passengers | Cargo (Tons) | AC | HP | Damage Threshold | Cost",
        r"([A-Z][A-Za-z ]+?)",
        r"([\d½]+ mph)",
        *[r"(—|[\d,/]+)"] * 6,
        _COST,
    ),
    "Armor": _shape(
        "Armor | Armor Class (AC) | Strength | Stealth | Weight | Cost",
        r"((?:Padded|(?:Studded )?Leather|Hide|Ring|Chain|Scale|Half|Splint|Plate|Breastplate|Shield)"
        r"(?: (?:Armor|Mail|Shirt|Plate))*)",
        r"(\+?\d+(?: \+ Dex modifier)?(?: \(max 2\))?)",
        r"(—|Str \d+)",
        r"(—|Disadvantage)",
        _WEIGHT,
        _COST,
    ),
    "Adventuring Gear": _shape("Item | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Arcane Focuses": _shape("Focus | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Druidic Focuses": _shape("Focus | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Holy Symbols": _shape("Symbol | Weight | Cost", _NAME, _WEIGHT, _COST),
    "Mounts and Other Animals": _shape("Item | Carrying Capacity | Cost", _NAME, r"([\d,]+ lb\.)", _COST),
    "Food, Drink, and Lodging": _shape("Item | Cost", _NAME, _COST),
    "Hirelings": _shape("Service | Cost", _NAME, r"([\d,]+ [CSGP]P(?: per \w+)?)"),
    "Spellcasting Services": _shape(
        "Spell Level | Availability | Cost", r"(Cantrip|\d(?:–\d)?)", r"([A-Z][a-z, ]+?)", _COST
    ),
    "Spell Scroll Costs": _shape("Spell Level | Time | Cost", r"(Cantrip|\d)", r"(\d+ days?)", _COST),
    "Spell Preparation by Class": _shape(
        "Class | Change When You | Number of Spells", _CLASS, r"(Gain a level|Finish a Long Rest)", r"(One|Any)"
    ),
    "Schools of Magic": _shape("School | Typical Effects", _SCHOOL, r"([A-Z][a-z][^\n]+(?:\n[a-z][^\n]+)*)"),
    "Travel Terrain": _shape(
        "Terrain | Maximum Pace | Encounter Distance | Foraging DC | Navigation DC | Search DC",
        r"([A-Z]\w+)",
        r"((?:Fast|Normal|Slow|Special)[*†]?)",
        r"(\d+d\d+ × 10 feet)",
        *[r"(\d+)"] * 3,
    ),
    "Sample Mental Stress Effects": _shape(
        "Example | Save DC | Psychic Damage", r"(A [^\n]+\.)", r"(\d+)", r"(\d+d\d+)"
    ),
    "XP Budget per Character": _shape("Party's Level | Low | Moderate | High", r"(\d+)", *[_NUMBER] * 3),
    "Magic Item Categories": _shape(
        "Category | Examples", r"(Armor|Potions|Rings|Rods|Scrolls|Staffs|Wands|Weapons|Wondrous Items)", _LINE
    ),
    "Magic Item Rarities and Values": _shape(
        "Rarity | Value* | Rarity | Value*", *[_RARITY, r"([\d,]+ GP|Priceless)"] * 2
    ),
    "Magic Item Tools": _shape(
        "Item Category | Required Tool", r"(Armor|Potion|Ring|Rod|Scroll|Staff|Wand|Weapon|Wondrous Item)", _LINE
    ),
    "Magic Item Crafting Time and Cost": _shape("Item Rarity | Time* | Cost*", _RARITY, r"(\d+ days)", _COST),
    "Hit Dice by Size": _shape("Monster Size | Hit Die | Average HP per Die", _SIZE, r"(d\d+)", r"(\d+½)"),
    "Experience Points by Challenge Rating": _shape(
        "CR | XP | CR | XP", r"(\d+(?:/\d)?)", r"(0 or 10|[\d,]+)", r"(\d+)", r"([\d,]+)"
    ),
    "Proficiency Bonus by Challenge Rating": _shape("CR | PB | CR | PB", *[_RANGE, r"(\+\d)"] * 2),
}

_SPELL_LEVEL = re.compile(r"Cantrips \(Level 0 \w+ Spells\)|Level \d \w+ Spells")
_SPELL_LIST = _shape("Spell | School | Special", _NAME, _SCHOOL, r"(—|[CRM](?:, [CRM])*)")


def cut_table(paragraphs: Sequence[str]) -> tuple[str, list[str]] | None:
    """The table whose caption is the first paragraph, and the paragraphs after it; None where there is none."""
    shape = _SPELL_LIST if _SPELL_LEVEL.fullmatch(paragraphs[0]) else _TABLES.get(paragraphs[0])
    if shape is None:
        return None
    text = _SPLIT_NUMBER.sub(r"\1,\2\3\4", "\n".join(paragraphs[1:]))
    printed = re.match(r"\s+".join(map(re.escape, " ".join(shape.head).split())), text)
    first = shape.row.search(text, printed.end() if printed else 0)
    if first is None or first.start() > _FURTHEST_ROW:
        return None
    rows: list[list[str]] = []
    place = first.start()
    while row := _next_row(shape, text, place):
        rows += [[f"**{line}**"] for line in text[place : row.start()].split("\n") if _is_category(line, shape)]
        rows.append([" ".join(cell.split()) for cell in row.groups()])
        place = row.end()
    if len(rows) < 2:
        return None
    rest = [paragraph for paragraph in text[place:].split("\n") if paragraph.strip()]
    return f"**{paragraphs[0]}**\n\n{table(shape.head, rows)}", rest


def _next_row(shape: _Shape, text: str, place: int) -> re.Match[str] | None:
    """The row at a place, or after a category or the head of another column there."""
    for skipped in range(_LINES_BETWEEN + 1):
        between = re.compile(rf"\s*(?:[A-Z][^\n.]{{2,60}}\n){{{skipped}}}").match(text, place)
        row = shape.row.match(text, between.end()) if between else None
        if row:
            return row
    return None


def _is_category(line: str, shape: _Shape) -> bool:
    """Whether a line between rows heads those below it, and is not the table's head once more."""
    return bool(line.strip()) and not line.startswith(shape.head[0]) and line not in " ".join(shape.head)
