"""Facts of spells that both books print alike."""

from __future__ import annotations

import re

_DISTANCE = re.compile(r"(\d[\d,]*) (feet|mile)")
# Open5e's numbers for ranges without one: sight is 2,020 feet.
_RANGES = {"Sight": (2020.0, "feet"), "Unlimited": (999999.0, "miles")}


def spell_range(text: str) -> tuple[float, str]:
    """Distance and unit as Open5e has them: Self, Touch and Special are 0 feet."""
    if distance := _DISTANCE.fullmatch(text.removesuffix("s")):
        return float(distance[1].replace(",", "")), "feet" if distance[2] == "feet" else "miles"
    return _RANGES.get(text, (0.0, "feet"))
