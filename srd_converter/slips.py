"""Slips of typesetting in the packages' texts: two hyphens for a dash, lost full stops, blanks before commas."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    (re.compile(r"\(l(?=\d+d\d)"), "(1"),
    (re.compile(r",\n+(?=[a-z])"), ", "),
)
_SENTENCE_WITHOUT_STOP = re.compile(r"(?:^|\n)(?![|#>*-])[A-Z][^\n|]{40,}[a-z]$")
_PROSE = ("text", "higher_level")


def tidied(record: R) -> R:
    """The record with these slips mended in every text."""
    values = record.model_dump()
    mended = _mended(values)
    return type(record).model_validate(mended) if mended != values else record


def _mended(value: object, name: str = "") -> object:
    match value:
        case Mapping():
            return {key: _mended(one, str(key)) for key, one in value.items()}
        case list() | tuple():
            return tuple(_mended(one, name) for one in value)
        case str() if name in _PROSE:
            return _text(value)
        case _:
            return value


def _text(text: str) -> str:
    for slip, right in _SLIPS:
        text = slip.sub(right, text)
    return f"{text}." if _SENTENCE_WITHOUT_STOP.search(text) else text
