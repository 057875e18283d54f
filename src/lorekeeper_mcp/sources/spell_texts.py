"""Values of a spell that a source gives in other words, or only in a text."""

from __future__ import annotations

import re

from lorekeeper_mcp.models.vocabulary import DAMAGE_TYPES
from lorekeeper_mcp.sources.imported import ItemError

_COST = re.compile(r"(\d[\d,]{0,11})\+? ?gp\b", re.I)
_CONSUMED = re.compile(r"\bconsume[sd]?\b", re.I)
_TYPES = "|".join(DAMAGE_TYPES)
_DAMAGE = re.compile(
    rf"\b(?:(\d+d\d+(?: ?[+-] ?\d+)?)|\d+) (?:extra |points of )?({_TYPES})\b[^.]{{0,60}}?\bdamage", re.I
)
# Not "when you are the target of a ranged spell attack".
_ATTACK = re.compile(
    r"\b(?:mak(?:e|es|ing) an? (?:single |successful )?|successful |succeed on an? )(?:melee |ranged )?spell attack\b",
    re.I,
)
_CONCENTRATION = re.compile(r"^\s*concentration\b[\s,:;(]*(?:up\s+to\s+)?", re.I)


def material_cost(text: str) -> float | None:
    """Return the first price in gp in the text; None if there is none."""
    match = _COST.search(text)
    return float(match[1].replace(",", "")) if match else None


def material_consumed(text: str) -> bool:
    """Whether casting consumes the material, according to the text."""
    return bool(_CONSUMED.search(text))


def spell_level(level: int | None) -> int:
    """Return the level of a spell. Raises ItemError if it is not known."""
    if level is None or not 0 <= level <= 20:
        raise ItemError("it has no spell level (0 for a cantrip)")
    return level


def damage(text: str) -> tuple[tuple[str, ...], str]:
    """Return the types of damage in a text, each once, and its first dice, such as ``8d6``, if any."""
    matches = list(_DAMAGE.finditer(text))
    dice = next((match[1].replace(" ", "") for match in matches if match[1]), "")
    return tuple(dict.fromkeys(match[2].lower() for match in matches)), dice


def without_concentration(duration: str) -> str:
    """Return a duration without the word at its beginning: ``Concentration, up to 1 minute`` is 1 minute."""
    return _CONCENTRATION.sub("", duration)


def needs_attack_roll(text: str) -> bool:
    """Whether casting the spell needs an attack roll, according to the text."""
    return bool(_ATTACK.search(text))
