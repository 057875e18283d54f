"""Slips of typesetting in the packages' texts: two hyphens for a dash, lost full stops, blanks before commas."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Record

R = TypeVar("R", bound=Record)
_SLIPS = (
    (re.compile(r"close--quarters"), "close-quarters"),
    (re.compile(r"accommoda-tions"), "accommodations"),
    (re.compile(r"(?<=\w)--(?=\w)"), "—"),
    (re.compile(r"(?<=\S)[ \xa0]{2,}(?=\S)"), " "),
    (re.compile(r"(?<=[\w)]) +(?=[.,;](?:\s|$))"), ""),
    (re.compile(r"(?<=ft\.) (?=,)"), ""),
    (re.compile(r"(?<=\d[snrt][tdh])- (?=level)"), "-"),
    (re.compile(r"\(l(?=\d+d\d)"), "(1"),
    (re.compile(r",\n+(?=[a-z])"), ", "),
)
_ABILITY = re.compile(
    r"\b(strength|dexterity|constitution|intelligence|wisdom|charisma)(?= (?:saving throw|check|score|modifier))"
)
_SENTENCE_WITHOUT_STOP = re.compile(r"(?:^|\n)(?![|#>*-])[A-Z][^\n|]{40,}[a-z]$")
SPELL_LIST = "spells"  # type of the sections that are no prose but names
_PROSE = ("text", "higher_level", "benefits")


def tidied(record: R) -> R:
    """The record with these slips mended in every text."""
    return with_texts(record, _text)


def with_texts(record: R, change: Callable[[str], str]) -> R:
    """The record with a change made in every text that is prose."""
    values = record.model_dump()
    changed = _changed(values, change)
    return type(record).model_validate(changed) if changed != values else record


def _changed(value: object, change: Callable[[str], str], name: str = "") -> object:
    match value:
        case Mapping() if value.get("type") == SPELL_LIST:
            return value
        case Mapping():
            return {key: _changed(one, change, str(key)) for key, one in value.items()}
        case list() | tuple():
            return tuple(_changed(one, change, name) for one in value)
        case str() if name in _PROSE:
            return change(value)
        case _:
            return value


def _text(text: str) -> str:
    for slip, right in _SLIPS:
        text = slip.sub(right, text)
    text = _ABILITY.sub(lambda found: found[1].capitalize(), text)
    return f"{text}." if _SENTENCE_WITHOUT_STOP.search(text) else text
