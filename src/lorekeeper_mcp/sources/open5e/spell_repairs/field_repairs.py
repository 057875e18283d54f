"""Fields of a spell that a program filled in, or that its own text contradicts, with the text's values.

In fields that Open5e filters by, values are only removed: Open5e would not return a record for an added value.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Spell
from lorekeeper_mcp.models.printed_values import damage_in, damage_types_in
from lorekeeper_mcp.sources.open5e.spell_repairs.slot_lists import changed_options
from lorekeeper_mcp.sources.spell_texts import needs_attack_roll

_FEET = re.compile(r"(?<=\d) ?ft\b\.?")
_CLAUSE = re.compile(r"(?<=[.;])\s")
_RESISTED = re.compile(r"\b(?:resistance|immunity|vulnerability) to\b")
_SHAPES = "cone|cube|cylinder|line|sphere"
_NO_COUNTS = (None, 0, 1, 100)  # Open5e's defaults: one target, and any number
_NO_LIMITS = ("instantaneous", "special")  # of concentration
_CUT_SHORT = frozenset({"srd-2014", "srd-2024"})  # texts that the books complete afterwards
_DICE = re.compile(r"(\d+)d(\d+)")
_HIGHER = re.compile(r"\n\n[*_]*At Higher Levels[*_.]* (?=[^\n]+\Z)")  # as the last paragraph


def spell_changes(record: Spell) -> dict[str, object]:
    """The fields of a spell to change, with their values."""
    counted = record.target_count not in _NO_COUNTS
    material = record.material_text.removesuffix(".")
    endless = record.concentration and record.duration in _NO_LIMITS
    changes: dict[str, object] = {
        "material_text": material[:1].lower() + material[1:],  # none begins with a name
        "range_text": _FEET.sub(" feet", record.range_text),
        "target_count": record.target_count if counted else None,
        "target_type": record.target_type if counted else "",
        "duration": "" if endless else record.duration,
        "attack_roll": record.attack_roll or needs_attack_roll(record.text),
        "casting_options": changed_options(record),
    }
    return changes | _divided(record) | _area(record) | _damage(record)


def _divided(record: Spell) -> dict[str, object]:
    """The text, and the effect of higher slots that is its last paragraph."""
    text, *higher = _HIGHER.split(record.text)
    return {"text": text, "higher_level": higher[0]} if higher and not record.higher_level else {}


def _area(record: Spell) -> dict[str, object]:
    """The shape that the text gives to the area, which is served as a sphere if the text has only a radius or less."""
    if not record.shape_type or not record.shape_size:
        return {}
    area = re.compile(rf"\b{record.shape_size:g}-foot(?:-radius)?,? (?:[\d-]+foot-\w+ )?({_SHAPES})\b", re.IGNORECASE)
    shapes = {shape.lower() for shape in area.findall(record.text)}
    if len(shapes) == 1:
        return {"shape_type": shapes.pop()}
    if record.shape_type in record.text.lower():
        return {}
    size = f"{record.shape_size:g}"
    is_radius = re.search(rf"\b{size}-foot[ -]radius\b|\b(?:radius|radius up to|within) {size} feet\b", record.text)
    return {"shape_type": "radius"} if is_radius else {"shape_type": "", "shape_size": None}


def _damage(record: Spell) -> dict[str, object]:
    """The damage types that the spell deals, not those that are only resisted, and the dice of the text.

    Dice that the text does not have are dropped; lost ones are those of its only roll.
    """
    text = f"{record.text} {record.higher_level}".lower()
    in_text = [type_ for _, phrase in damage_in(text) for type_ in damage_types_in(phrase)]
    types = tuple(type_ for type_ in record.damage_types if not _is_kept_off(type_, text))
    dice = record.damage_roll if _DICE.search(record.damage_roll) or record.damage_roll.isdigit() else ""  # not "d"
    if record.document_key not in _CUT_SHORT:
        types = tuple(type_ for type_ in types if type_ in text) or (() if in_text else types)
        rolled = [(int(count), die) for count, die in _DICE.findall(text)]
        sums = {die: _sums([many for many, other in rolled if other == die]) for _, die in _DICE.findall(dice)}
        dice = dice if all(int(count) in sums[die] for count, die in _DICE.findall(dice)) else ""
        rolls = {roll for roll, _ in damage_in(record.text.lower())}
        if not record.damage_roll and len(rolls) == 1:
            dice = rolls.pop()
    return {"damage_types": tuple(dict.fromkeys((*types, *in_text))), "damage_roll": dice}


def _sums(counts: list[int]) -> set[int]:
    """Every sum of some of the numbers: 4d6 fire and 3d6 cold are 7d6."""
    sums = {0}
    for count in counts:
        sums |= {total + count for total in sums}
    return sums


def _is_kept_off(type_: str, text: str) -> bool:
    """Whether every sentence with a damage type gives resistance, immunity or vulnerability to it."""
    clauses = [clause for clause in _CLAUSE.split(text) if re.search(rf"\b{re.escape(type_)}\b", clause)]
    return bool(clauses) and all(_RESISTED.search(clause) for clause in clauses)
