"""Fields of a spell that its own text contradicts, with the text's values.

In fields that Open5e filters by, values are only removed: Open5e would not return a record for an added value.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Spell

_CLAUSE = re.compile(r"(?<=[.;])\s")
_RESISTED = re.compile(r"\b(?:resistance|immunity) to\b")
_SHAPES = "cone|cube|cylinder|line|sphere|square"


def told_fields(record: Spell) -> dict[str, object]:
    """Return the area's shape if the text contradicts the field, and the damage types without those only resisted."""
    told: dict[str, object] = {}
    dealt = tuple(type_ for type_ in record.damage_types if not _is_kept_off(type_, record))
    if dealt != record.damage_types:
        told = {"damage_types": dealt}
    if record.shape_type and record.shape_size:
        area = re.compile(
            rf"\b{record.shape_size:g}-foot(?:-radius)?,? (?:[\d-]+foot-\w+ )?({_SHAPES})\b", re.IGNORECASE
        )
        shapes = {shape.lower() for shape in area.findall(record.text)}
        if len(shapes) == 1 and record.shape_type not in shapes:
            (shape,) = shapes
            told |= {"shape_type": "", "shape_size": None} if shape == "square" else {"shape_type": shape}
    return told


def _is_kept_off(type_: str, record: Spell) -> bool:
    """Whether every sentence with a damage type gives resistance or immunity to it."""
    clauses = _CLAUSE.split(f"{record.text} {record.higher_level}".lower())
    named = [clause for clause in clauses if type_ in clause]
    return not record.damage_roll and bool(named) and all(_RESISTED.search(clause) for clause in named)
