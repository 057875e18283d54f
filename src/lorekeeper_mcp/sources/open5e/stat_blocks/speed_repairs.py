"""Repairs the speeds of a book that Open5e has one mode too early."""

from __future__ import annotations

from typing import TypeVar

from lorekeeper_mcp.models import Creature

C = TypeVar("C", bound=Creature)
# "Speed 20 ft., fly 60 ft." is served as walking 60 and flying 20, in both versions. The corrections have the creatures
# that lost a mode, too.
_SHIFTED = frozenset({"tob-2023"})


def with_speeds(record: C) -> C:
    """Return the creature with the speeds of each mode as printed: the walking speed first, then the modes by name."""
    modes = ("walk", *sorted(mode for mode in record.speed if mode != "walk"))
    is_corrected = any(note.field == "speed" for note in record.corrections)
    if record.document_key not in _SHIFTED or is_corrected or "walk" not in record.speed:
        return record
    last, *others = (record.speed[mode] for mode in modes)
    speed = dict(zip(modes, (*others, last), strict=True))
    if speed == record.speed:
        return record
    served = ", ".join(f"{mode} {feet:g}" for mode, feet in record.speed.items())
    return record.amended({"speed": (served, speed)}, "the order in which the book prints them")
