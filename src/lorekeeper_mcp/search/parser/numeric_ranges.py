"""Numeric ranges in a question: "CR 5 to 8", "level 3 or lower", "at least AC 18"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_NUMBER = r"(\d{1,3}(?:/\d)?)"
_OF = r"(?:\s+(?!or\b|and\b)[a-z]+)?"  # "level 3 spells or lower"
_MORE = rf"(?:\s*\+|{_OF}\s*(?:,\s*)?(?:or|and)\s+(?:higher|more|above|greater|up|over|better|beyond)\b)"
_LESS = rf"{_OF}\s*(?:,\s*)?(?:or|and)\s+(?:lower|less|below|under|fewer)\b"


@dataclass(frozen=True)
class Bounds:
    """An inclusive range; None is unbounded. ``span`` is its position in the text."""

    low: float | None
    high: float | None
    span: tuple[int, int]


def bounds(text: str, unit: str, steps: Sequence[float]) -> Bounds | None:
    """Parse the only number or range of a unit (a pattern) in a text.

    ``steps`` are the valid values, ascending: "above CR 5" starts at 6. Returns None if the text has none, or several,
    which would be ambiguous.
    """
    named = rf"\b(?:{unit})\s*(?:of\s+|is\s+)?"
    if len(re.findall(rf"\b(?:{unit})\b", text)) > 2:
        return None
    for form in (_between, _from, _until, _about, _exactly):
        if parsed := form(text, named, steps):
            start, end = parsed.span
            rest = f"{text[:start]} {text[end:]}"
            return None if re.search(rf"{named}{_NUMBER}", rest) else parsed
    return None


def alternatives(text: str, unit: str, steps: Sequence[float]) -> tuple[tuple[float, ...], tuple[int, int]] | None:
    """Parse several numbers of a unit, and their position: "level 1 or 2", "CR 1/4, 1/2 and 1"."""
    match = re.search(
        rf"(?<!between )\b(?:{unit})s?\s+({_NUMBER}(?:,\s*{_NUMBER})*,?\s+(?:or|and)\s+(?:(?:{unit})\s+)?{_NUMBER})"
        r"(?=\s*$|[.,?!]|\s+(?!hp\b|hit\b|feet\b|ft\b|gp\b)[a-z])",
        text,
    )
    values = tuple(map(_value, re.findall(_NUMBER, match[1]))) if match else ()
    return (values, match.span()) if match and set(values) <= set(steps) else None


def _between(text: str, named: str, _: Sequence[float]) -> Bounds | None:
    again = rf"(?:{named})?"
    forms = (
        rf"\bbetween\s+{again}{_NUMBER}\s*(?:and|to|-)\s*{again}{_NUMBER}",
        rf"{named}between\s+{_NUMBER}\s*(?:and|to|-)\s*{_NUMBER}",
        rf"(?:\bfrom\s+)?{named}(?:from\s+)?{_NUMBER}\s*(?:-|to|through|up to|\.\.)\s*{again}{_NUMBER}",
    )
    for form in forms:
        match = re.search(form, text)
        if match and (re.search(named, match[0]) is not None):
            low, high = sorted((_value(match[1]), _value(match[2])))
            return Bounds(low, high, match.span())
    return None


def _from(text: str, named: str, steps: Sequence[float]) -> Bounds | None:
    if match := re.search(rf"{named}{_NUMBER}{_MORE}", text):
        return Bounds(_value(match[1]), None, match.span())
    if match := re.search(_after(named, "at least|minimum|min|no less than|from"), text):
        return Bounds(_either(match), None, match.span())
    if match := re.search(_after(named, "above|over|(?:more|higher|greater|stronger|tougher) than|beyond"), text):
        above = [step for step in steps if step > _either(match)]
        return Bounds(above[0], None, match.span()) if above else None
    return None


def _until(text: str, named: str, steps: Sequence[float]) -> Bounds | None:
    if match := re.search(rf"{named}{_NUMBER}{_LESS}", text):
        return Bounds(None, _value(match[1]), match.span())
    if match := re.search(_after(named, "at most|up to|maximum|max|no more than|no higher than"), text):
        return Bounds(None, _either(match), match.span())
    if match := re.search(_after(named, "below|under|(?:less|lower|weaker) than"), text):
        below = [step for step in steps if step < _either(match)]
        return Bounds(None, below[-1], match.span()) if below else None
    return None


def _about(text: str, named: str, _: Sequence[float]) -> Bounds | None:
    match = re.search(rf"(?:\b(?:around|about|roughly|approximately|near)\s+|~\s*){named}{_NUMBER}", text)
    if not match:
        return None
    value = _value(match[1])
    return Bounds(max(0.0, value - 1), value + 1, match.span())


def _exactly(text: str, named: str, _: Sequence[float]) -> Bounds | None:
    match = re.search(rf"(?<!not ){named}{_NUMBER}(?![\d/])", text)
    return Bounds(_value(match[1]), _value(match[1]), match.span()) if match else None


def _after(named: str, words: str) -> str:
    """A pattern for a number after these words and its unit, in either order: "above CR 5", "CR above 5"."""
    return rf"\b(?:{words})\s+{named}{_NUMBER}|{named}(?:{words})\s+{_NUMBER}"


def _either(match: re.Match[str]) -> float:
    return _value(match[1] or match[2])


def _value(number: str) -> float:
    over, _, under = number.partition("/")
    return float(Fraction(int(over), int(under) or 1)) if under else float(over)
