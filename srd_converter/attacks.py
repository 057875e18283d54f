"""Attacks in the actions of stat blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lorekeeper_mcp.models import Attack

_REACH = re.compile(r"\breach (\d+) ft")
_RANGE = re.compile(r"\brange (\d+)(?:/(\d+))? ft")


def attack(name: str, text: str, type_: str, to_hit: int, damages: Sequence[tuple[str, str]]) -> Attack:
    """The attack of an action; its distances are in the text. ``damages`` has dice and type of each kind of damage."""
    (damage, damage_type), (extra_damage, extra_damage_type) = (*damages, ("", ""), ("", ""))[:2]
    reach, distance = _REACH.search(text), _RANGE.search(text)
    return Attack(
        name=name,
        type=type_,
        to_hit=to_hit,
        reach=float(reach[1]) if reach else None,
        range=float(distance[1]) if distance else None,
        long_range=float(distance[2]) if distance and distance[2] else None,
        damage=damage,
        damage_type=damage_type,
        extra_damage=extra_damage,
        extra_damage_type=extra_damage_type,
    )
