"""The saving throw that a spell requires, from its text.

A program filled Open5e's ``saving_throw_ability`` with the first ability named in the text: Haste, which gives
advantage on Dexterity saving throws, is served as requiring one (30 such spells of 1,955, recorded in 2026).
"""

from __future__ import annotations

import re

from lorekeeper_mcp.models.vocabulary import ABILITIES

_ABILITY = "|".join(ABILITIES)
_NAMED = re.compile(rf"\b({_ABILITY})(?:,? (?:or|and) ({_ABILITY}))?\)? sav(?:e|es|ing throws?)\b", re.IGNORECASE)
# Words in the same clause before a saving throw that is only made easier or harder.
_MODIFIED = re.compile(
    r"\b(?:advantage|disadvantage|bonus|penalty|proficien\w+|resistance|add\w*|subtract\w*|reroll|benefit\w*)\b"
    r"(?:(?!\b(?:make|makes|making|made|must|succeed\w*|fail\w*|repeat\w*|attempt\w*)\b)[^.;:])*$",
    re.IGNORECASE,
)
_UNNAMED = re.compile(
    r"\b(?:failed|fails (?:a|the|its|this)|successful|succeeds on (?:a|the|its)|makes? a) sav(?:e|ing throw)\b",
    re.IGNORECASE,
)
_CLAUSE = 120  # characters before the ability to search


def saving_throw(text: str, served: str = "") -> str:
    """Return the ability of a spell's saving throw, in lower case, empty if the text requires none.

    The ``served`` value is kept if the text requires it among others, or requires a saving throw without naming one.
    """
    required = [
        ability.lower()
        for match in _NAMED.finditer(text)
        if not _MODIFIED.search(text[max(0, match.start() - _CLAUSE) : match.start()])
        for ability in match.groups()
        if ability
    ]
    if served in required or (not required and _UNNAMED.search(text)):
        return served
    return required[0] if required else ""
