"""Numbers with a unit in a question: "CR 5 to 8", "level 3 or lower", "at least AC 18", "under 60 hit points"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from lorekeeper_mcp.filters.plain_words import Unit

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?(?:/[1-9])?"
# Words before a number, by how they bound it.
_COMPARISONS = {
    "least": r"at least|minimum(?: of)?|min|no (?:less|fewer|lower) than|from",
    "over": r"above|over|beyond|exceeding"
    r"|(?:more|higher|greater|bigger|larger|stronger|tougher|better|faster|longer|farther|heavier) than",
    "most": r"at most|up to|maximum(?: of)?|max|no (?:more|higher|greater) than",
    "under": r"below|under|(?:less|lower|fewer|weaker|cheaper|smaller|lighter) than",
    "about": r"around|about|roughly|approximately|near|~",
}
_COMPARED = "|".join(_COMPARISONS.values())
_OF = r"(?:\s+(?!or\b|and\b)[a-z]+)?"  # "level 3 spells or lower"
_MORE = rf"\s*\+|{_OF}\s*,?\s*(?:or|and)\s+(?:higher|more|above|greater|up|over|better|bigger|larger|stronger|faster)\b"
_LESS = rf"{_OF}\s*,?\s*(?:or|and)\s+(?:lower|less|below|under|fewer|smaller|down|cheaper|weaker)\b"
_OF_ANOTHER_UNIT = r"(?!\s*(?:hp|hit|feet|ft|gp)\b)"


@dataclass(frozen=True)
class Bounds:
    """An inclusive range, in which None is unbounded, or several ``values``. ``span`` is its position in the text."""

    low: float | None
    high: float | None
    span: tuple[int, int]
    values: tuple[float, ...] = ()


def bounds(text: str, unit: Unit) -> Bounds | None:
    """Parse the only number, range or list of numbers of a unit; None if there is none, or several ranges."""
    listed, between, single = _patterns(unit)
    if unit.steps and (match := listed.search(text)):
        values = tuple(map(_value, re.findall(NUMBER, match["list"])))
        return Bounds(min(values), max(values), match.span(), values) if set(values) <= set(unit.steps) else None
    for match in between.finditer(text):
        if _is_of(unit, match[0]) and (match["joint"] != "and" or "between" in match[0] or "from" in match[0]):
            low, high = sorted((_value(match["low"]), _value(match["high"])))
            return Bounds(low, high, match.span())
    found = [bound for match in single.finditer(text) if (bound := _single(match, unit))]
    return found[0] if len(found) == 1 else None


@cache
def _patterns(unit: Unit) -> tuple[re.Pattern[str], ...]:
    """The patterns of a list, of a range, and of a number with a bound: "over 60 feet", "CR above 5", "60+ feet"."""
    before = rf"(?:\b(?:{unit.before})s?\s*(?:of\s+|is\s+)?)"
    after = rf"(?:\s*(?:{unit.after})\b)" if unit.after else r"(?:(?!))"
    number = rf"{NUMBER}(?![\d/])"
    listed = (
        rf"(?<!between ){before}(?P<list>{number}(?:,\s*{number})*,?\s+(?:or|and)\s+{before}?{number})"
        rf"(?=\s*$|[.,?!]|\s+[a-z]){_OF_ANOTHER_UNIT}"
    )
    between = (
        rf"(?:\b(?:between|from)\s+)?{before}?(?:between\s+|from\s+)?(?P<low>{number}){after}?"
        rf"\s*(?P<joint>to|-|through|up to|\.\.|and)\s*{before}?(?P<high>{number}){after}?"
    )
    single = (
        rf"(?:(?:\b|(?=~))(?P<first>{_COMPARED})\s*(?:an?\s+)?)?(?P<unit>{before})?(?:\b(?P<second>{_COMPARED})\s+)?"
        rf"(?<![\d/.])(?P<number>{number})(?P<after>{after})?(?P<bound>(?P<more>{_MORE})|{_LESS})?(?P<last>{after})?"
    )
    return re.compile(listed), re.compile(between), re.compile(single)


def _is_of(unit: Unit, text: str) -> bool:
    """Whether a text names the unit."""
    return re.search(rf"\b(?:{unit.before})|\d\s*(?:{unit.after or '(?!)'})\b", text) is not None


def _single(match: re.Match[str], unit: Unit) -> Bounds | None:
    """The bounds of one number. A unit after it needs a bound, too: "60 feet or more"."""
    words = match["first"] or match["second"]
    if not match["unit"] and not ((match["after"] or match["last"]) and (words or match["bound"])):
        return None
    value = _value(match["number"])
    if not words:
        has_low, has_high = not match["bound"] or match["more"], not match["more"]
        return Bounds(value if has_low else None, value if has_high else None, match.span())
    kind = next(kind for kind, pattern in _COMPARISONS.items() if re.fullmatch(pattern, words))
    low = {"least": value, "over": unit.next(value), "about": max(0.0, value - 1)}.get(kind)
    high = {"most": value, "under": unit.previous(value), "about": value + 1}.get(kind)
    return None if low is None and high is None else Bounds(low, high, match.span())


def _value(number: str) -> float:
    return float(Fraction(number.replace(",", "")))
