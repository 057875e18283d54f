"""Placeholders in texts, filled with the values of their item: ``{=bonusWeapon}`` and ``{{item.detail1}}``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.json_values import listed, with_texts
from lorekeeper_mcp.sources.phrases import joined

_VARIABLE = re.compile(r"\{=(\w+)(?:/([a-z]+))?\}")
_ITEM_VALUE = re.compile(r"\{\{(?:\w+ )?item\.([\w.]+)\}\}")
_FRACTIONS = {0.125: "⅛", 0.25: "¼", 0.333: "⅓", 0.375: "⅜", 0.5: "½", 0.625: "⅝", 0.667: "⅔", 0.75: "¾", 0.875: "⅞"}
_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MAX_NUMBER = 1_000_000_000


def fill_variables(entries: object, values: Mapping[str, object]) -> object:
    """Fill values into entries with variables such as ``{=bonusWeapon}``; others stay as they are."""

    def replacement(variable: re.Match[str]) -> str:
        return _formatted(values[variable[1]], variable[2] or "") if variable[1] in values else variable[0]

    return with_texts(entries, lambda text: _VARIABLE.sub(replacement, text))


def fill_item_values(entries: object, item: Mapping[str, object]) -> object:
    """Fill an item's values into entries with ``{{item.detail1}}`` and ``{{getFullImmRes item.resist}}``."""

    def replacement(placeholder: re.Match[str]) -> str:
        value: object = item
        for name in placeholder[1].split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        return _joined(value)

    return with_texts(entries, lambda text: _ITEM_VALUE.sub(replacement, text))


def _formatted(value: object, flags: str) -> str:
    """A value formatted by its flags: lower case (l), its article (a), a fraction (v), a number in words (x)."""
    for flag in flags:
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_NUMBER:
            value = _NUMBER_FORMATS[flag](value) if flag in _NUMBER_FORMATS else value
        else:
            value = _TEXT_FORMATS[flag](_joined(value)) if flag in _TEXT_FORMATS else value
    return _joined(value)


def _joined(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    texts = [str(part) for part in listed(value) if isinstance(part, str | int | float)]
    return joined(", ".join(texts[:-1]), *texts[-1:], sep=" and ")


def _fraction(value: float) -> str:
    whole = int(value)
    fraction = _FRACTIONS.get(round(abs(value - whole), 3), "")
    return f"{whole or ''}{fraction}" if fraction else f"{value:g}"


_TEXT_FORMATS: Mapping[str, Callable[[str], object]] = {
    "a": lambda text: "an" if text[:1].lower() in ("a", "e", "i", "o", "u") else "a",
    "l": str.lower,
    "t": str.title,
    "u": str.upper,
}
_NUMBER_FORMATS: Mapping[str, Callable[[float], object]] = {
    "a": lambda value: "an" if value in (8, 11, 18) else "a",
    "c": math.ceil,
    "f": math.floor,
    "r": lambda value: math.floor(value + 0.5),
    "v": _fraction,
    "x": lambda value: _NUMERALS[int(value)] if value in range(len(_NUMERALS)) else value,
}
