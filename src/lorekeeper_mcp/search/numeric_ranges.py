"""Numeric ranges in a question: "CR 5 to 8", "level 3 or lower", "at least AC 18", "under 60 hit points"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from lorekeeper_mcp.filters.plain_words import Unit

NUMBER = r"(\d+(?:,\d{3})*(?:\.\d+)?(?:/\d)?)"
_OF = r"(?:\s+(?!or\b|and\b)[a-z]+)?"  # "level 3 spells or lower"
_MORE = (
    rf"(?:\s*\+|{_OF}\s*(?:,\s*)?(?:or|and)\s+"
    r"(?:higher|more|above|greater|up|over|better|beyond|bigger|larger|stronger|faster)\b)"
)
_LESS = rf"{_OF}\s*(?:,\s*)?(?:or|and)\s+(?:lower|less|below|under|fewer|smaller|down|cheaper|weaker|worse)\b"
_AT_LEAST = r"at least|minimum(?: of)?|min|no (?:less|fewer|lower) than|from"
_OVER = (
    r"above|over|beyond|exceeding"
    r"|(?:more|higher|greater|bigger|larger|stronger|tougher|better|faster|longer|farther) than"
)
_AT_MOST = r"at most|up to|maximum(?: of)?|max|no (?:more|higher|greater) than"
_UNDER = r"below|under|(?:less|lower|fewer|weaker|cheaper|smaller|lighter) than"


@dataclass(frozen=True)
class Bounds:
    """An inclusive range; None is unbounded. ``span`` is its position in the text."""

    low: float | None
    high: float | None
    span: tuple[int, int]


def _named(unit: Unit) -> str:
    """The pattern of a unit and the words between it and a number."""
    return rf"\b(?:{unit.before})\s*(?:of\s+|is\s+)?"


def _any_name(unit: Unit) -> str:
    """The pattern of a unit before or after a number."""
    return rf"\b(?:{unit.before})\b" + (rf"|(?:{unit.after})\b" if unit.after else "")


def _own_after(unit: Unit) -> str:
    """The pattern of what may also follow a number after its unit: "worth 50 gp"."""
    return rf"(?:\s*(?:{unit.after})\b)?" if unit.after else ""


def _above(unit: Unit, value: float) -> float | None:
    """The lowest value above one; None if there is none."""
    if unit.steps:
        return next((step for step in unit.steps if step > value), None)
    return round(value + (0.01 if unit.is_fractional else 1), 2)


def _below(unit: Unit, value: float) -> float | None:
    """The highest value below one; None if there is none."""
    if unit.steps:
        return next((step for step in reversed(unit.steps) if step < value), None)
    return round(value - (0.01 if unit.is_fractional else 1), 2)


def bounds(text: str, unit: Unit) -> Bounds | None:
    """Parse the only number or range of a unit in a text; None if it has none, or several, which are ambiguous."""
    if not re.search(_any_name(unit), text) or len(re.findall(rf"\b(?:{unit.before})\b", text)) > 2:
        return None
    for form in (_between, _from, _until, _about, _exactly):
        if parsed := form(text, unit):
            start, end = parsed.span
            rest = f"{text[:start]} {text[end:]}"
            return None if re.search(rf"{_named(unit)}{NUMBER}", rest) else parsed
    return None


def alternatives(text: str, unit: Unit) -> tuple[tuple[float, ...], tuple[int, int]] | None:
    """Parse several numbers of a unit, and their position: "level 1 or 2", "CR 1/4, 1/2 and 1"."""
    match = re.search(
        rf"(?<!between )\b(?:{unit.before})s?\s+({NUMBER}(?:,\s*{NUMBER})*,?\s+(?:or|and)\s+"
        rf"(?:(?:{unit.before})\s+)?{NUMBER})(?=\s*$|[.,?!]|\s+(?!hp\b|hit\b|feet\b|ft\b|gp\b)[a-z])",
        text,
    )
    values = tuple(map(_value, re.findall(NUMBER, match[1]))) if match else ()
    return (values, match.span()) if match and set(values) <= set(unit.steps) else None


def _between(text: str, unit: Unit) -> Bounds | None:
    again = rf"(?:{_named(unit)})?"
    forms = [
        rf"\bbetween\s+{again}{NUMBER}\s*(?:and|to|-)\s*{again}{NUMBER}",
        rf"{_named(unit)}between\s+{NUMBER}\s*(?:and|to|-)\s*{NUMBER}",
        rf"(?:\bfrom\s+)?{_named(unit)}(?:from\s+)?{NUMBER}\s*(?:-|to|through|up to|\.\.)\s*{again}{NUMBER}",
    ]
    if unit.after:
        after = rf"\s*(?:{unit.after})\b"
        forms.insert(0, rf"\b(?:(?:between|from)\s+)?{NUMBER}(?:{after})?\s*(?:and|to|-)\s*{NUMBER}{after}")
    for form in forms:
        match = re.search(form, text)
        if match and re.search(_any_name(unit), match[0]):
            low, high = sorted((_value(match[1]), _value(match[2])))
            return Bounds(low, high, match.span())
    return None


def _from(text: str, unit: Unit) -> Bounds | None:
    if match := _compared(unit, _AT_LEAST, _MORE).search(text):
        return Bounds(_stated(match), None, match.span())
    if (match := _compared(unit, _OVER).search(text)) and (low := _above(unit, _stated(match))) is not None:
        return Bounds(low, None, match.span())
    return None


def _until(text: str, unit: Unit) -> Bounds | None:
    if match := _compared(unit, _AT_MOST, _LESS).search(text):
        return Bounds(None, _stated(match), match.span())
    if (match := _compared(unit, _UNDER).search(text)) and (high := _below(unit, _stated(match))) is not None:
        return Bounds(None, high, match.span())
    return None


def _about(text: str, unit: Unit) -> Bounds | None:
    match = re.search(rf"(?:\b(?:around|about|roughly|approximately|near)\s+|~\s*){_named(unit)}{NUMBER}", text)
    if not match:
        return None
    value = _value(match[1])
    return Bounds(max(0.0, value - 1), value + 1, match.span())


def _exactly(text: str, unit: Unit) -> Bounds | None:
    match = re.search(rf"(?<!not ){_named(unit)}{NUMBER}(?![\d/]){_own_after(unit)}", text)
    return Bounds(_value(match[1]), _value(match[1]), match.span()) if match else None


@cache
def _compared(unit: Unit, words: str, tail: str = "") -> re.Pattern[str]:
    """A pattern for a number after some words or before a tail, with its unit anywhere beside it.

    "Above CR 5", "CR above 5", "CR 5 or higher"; "over 60 feet", "60 feet or more", "60+ feet".
    """
    number = rf"{NUMBER}{_own_after(unit)}"
    forms = [rf"\b(?:{words})\s+{_named(unit)}{number}", rf"{_named(unit)}(?:{words})\s+{number}"]
    forms += [rf"{_named(unit)}{number}{tail}"] if tail else []
    if unit.after:
        after = rf"\s*(?:{unit.after})\b"
        forms.append(rf"\b(?:{words})\s+{NUMBER}{after}")
        forms += [rf"\b{NUMBER}{after}{tail}", rf"\b{NUMBER}{tail}{after}"] if tail else []
    return re.compile("|".join(forms))


def _stated(match: re.Match[str]) -> float:
    """The number in whichever form has matched."""
    return _value(next(group for group in match.groups() if group))


def _value(number: str) -> float:
    over, _, under = number.replace(",", "").partition("/")
    return float(Fraction(int(over), int(under) or 1)) if under else float(over)
