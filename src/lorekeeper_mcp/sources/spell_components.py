"""Cost and use of a spell's material component, parsed from its text."""

from __future__ import annotations

import re

_COST = re.compile(r"(\d[\d,]{0,11})\+? ?gp\b", re.I)
_CONSUMED = re.compile(r"\bconsume[sd]?\b", re.I)


def material_cost(text: str) -> float | None:
    """Return the first price in gp in the text; None if there is none."""
    match = _COST.search(text)
    return float(match[1].replace(",", "")) if match else None


def material_consumed(text: str) -> bool:
    """Whether casting consumes the material, according to the text."""
    return bool(_CONSUMED.search(text))
