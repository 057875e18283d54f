"""The damage that a spell deals, from its text."""

from __future__ import annotations

import re

_TYPES = "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder"
_DAMAGE = re.compile(
    rf"\b(?:(\d+d\d+(?: ?[+-] ?\d+)?)|\d+) (?:extra |points of )?({_TYPES})\b[^.]{{0,60}}?\bdamage", re.I
)


def damage_named(text: str) -> list[tuple[str, str]]:
    """Return the dice (which may be empty) and the type of each damage: ``8d6`` and ``fire``."""
    return [((found[1] or "").replace(" ", ""), found[2].lower()) for found in _DAMAGE.finditer(text)]
