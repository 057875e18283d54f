"""Fields of a spell that its own text contradicts, as the text has them.

Only fields that Open5e does not filter by: it would not send a record of which the text says otherwise.
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Spell

_SHAPES = "cone|cube|cylinder|line|sphere|square"


def told_fields(record: Spell) -> dict[str, object]:
    """The shape of the area, where the text says so and the field otherwise."""
    told: dict[str, object] = {}
    if record.shape_type and record.shape_size:
        area = re.compile(
            rf"\b{record.shape_size:g}-foot(?:-radius)?,? (?:[\d-]+foot-\w+ )?({_SHAPES})\b", re.IGNORECASE
        )
        shapes = {shape.lower() for shape in area.findall(record.text)}
        if len(shapes) == 1 and record.shape_type not in shapes:
            (shape,) = shapes
            told = {"shape_type": "", "shape_size": None} if shape == "square" else {"shape_type": shape}
    return told
