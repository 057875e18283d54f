"""Senses and languages of creatures, parsed from the lines of stat blocks."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Senses

_SENSE = re.compile(r"(blindsight|darkvision|tremorsense|truesight) (\d+) ft", re.IGNORECASE)
_PASSIVE = re.compile(r"passive perception (\d+)", re.IGNORECASE)
# The giant eagle, elk and owl speak languages of their own, not that of giants.
_LANGUAGE = re.compile(
    r"\b(Abyssal|Celestial|Common|Deep Speech|Draconic|Druidic|Dwarvish|Elvish|Giant(?! (?:Eagle|Elk|Owl))|Gnomish"
    r"|Goblin|Halfling|Infernal|Orc|Primordial|Sylvan|Thieves' Cant|Undercommon)\b",
    re.IGNORECASE,
)


def senses(text: str) -> Senses:
    """The senses in feet and the passive Perception of a line such as ``Darkvision 60 ft.; Passive Perception 12``."""
    feet = {sense.lower(): float(distance) for sense, distance in _SENSE.findall(text)}
    return Senses(**feet, passive_perception=int(_PASSIVE.findall(text)[0]), text=text)


def language_keys(text: str) -> tuple[str, ...]:
    """The keys of the languages in a line of a stat block."""
    names = (name.lower() for name in _LANGUAGE.findall(text))
    return tuple(dict.fromkeys(name.replace(" ", "-").replace("'", "") for name in names))
