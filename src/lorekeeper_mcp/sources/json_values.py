"""Values of parsed JSON, whatever their type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

JsonObject: TypeAlias = "Mapping[str, object]"
_WHOLE_NUMBER = re.compile(r"\s*([+-]?\d{1,9})(?:st|nd|rd|th)?\s*")
_NUMBER = re.compile(r"\s*([+-]?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))(?:\s*/\s*(\d{1,6}))?\s*")
_GLYPHS = {"⅛": 0.125, "¼": 0.25, "½": 0.5, "⅓": 1 / 3}
_MAX_NUMBER = 1_000_000_000  # more than any number of the game, less than any that the store refuses


def mapping(value: object) -> JsonObject:
    """Return an object; empty for any other value."""
    return value if isinstance(value, dict) else {}  # JSON only has these; a check for Mapping is slower


def as_object(value: object, field: str) -> JsonObject:
    """Return an object; any other value as the only field of one."""
    return value if isinstance(value, dict) else {field: value}


def listed(value: object) -> list[object]:
    """Return a list; a single value counts as a list of one."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def members(value: object) -> list[object]:
    """Return a list; empty for any other value."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[JsonObject]:
    """Return the objects of a list; none for any other value."""
    return [element for element in members(value) if isinstance(element, dict)]


def value_at(values: JsonObject, path: str) -> object:
    """Return the value at a path such as ``details.xp.value``; None if there is none."""
    *outer, last = path.split(".")
    for name in outer:
        values = mapping(values.get(name))
    return values.get(last)


def part(values: JsonObject, path: str) -> JsonObject:
    """Return an object inside an object; empty for any other value."""
    return mapping(value_at(values, path))


def text(values: JsonObject, path: str) -> str:
    """Return a text inside an object; empty for any other value."""
    value = value_at(values, path)
    return value.strip() if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """Return the texts of a list; a single text counts as a list of one."""
    return [text for text in listed(value) if isinstance(text, str) and text]


def whole_number(value: object) -> int | None:
    """Return a whole number below a billion, also from a text such as ``+5`` and ``3rd``."""
    if isinstance(value, str):
        match = _WHOLE_NUMBER.fullmatch(value)
        return int(match[1]) if match else None
    amount = decimal(value)
    return int(amount) if amount is not None and amount == int(amount) else None


def decimal(value: object) -> float | None:
    """Return a number below a billion, also from a text such as ``0.5``, ``1/4`` and ``¼``."""
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value)
        divisor = float(match[2] or 1) if match else 0
        return float(match[1]) / divisor if match and divisor else _GLYPHS.get(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) >= _MAX_NUMBER:
        return None
    return float(value)


def with_texts(value: object, change: Callable[[str], str]) -> object:
    """Return a value with each of its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [with_texts(element, change) for element in value]
    if isinstance(value, dict):
        return {name: with_texts(element, change) for name, element in value.items()}
    return value
