"""Values of a spell that homebrew gives in other words, or only in its text."""

from __future__ import annotations

import re

from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.sources.imported import ItemError

_TYPES = "|".join(DAMAGE_TYPES)
_DAMAGE = re.compile(
    rf"\b(?:(\d+d\d+(?: ?[+-] ?\d+)?)|\d+) (?:extra |points of )?({_TYPES})\b[^.]{{0,60}}?\bdamage", re.I
)
_CONCENTRATION = re.compile(r"^\s*concentration\b[\s,:;(]*(?:up\s+to\s+)?", re.I)


def spell_level(level: int | None) -> int:
    """Return the level of a spell. Raises ItemError if it is not known."""
    if level is None or not 0 <= level <= 20:
        raise ItemError("it has no level from 0 (cantrip) up")
    return level


def damage_types(text: str) -> tuple[str, ...]:
    """Return the types of damage in a text, each once."""
    return tuple(dict.fromkeys(found[2].lower() for found in _DAMAGE.finditer(text)))


def damage_roll(text: str) -> str:
    """Return the first dice of damage in a text, such as ``8d6``; empty if there are none."""
    return next((found[1].replace(" ", "") for found in _DAMAGE.finditer(text) if found[1]), "")


def without_concentration(duration: str) -> str:
    """Return a duration without the word at its beginning: ``Concentration, up to 1 minute`` is 1 minute."""
    return _CONCENTRATION.sub("", duration)
