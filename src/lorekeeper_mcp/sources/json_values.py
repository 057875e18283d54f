"""Values of parsed JSON, whatever their type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

JsonObject: TypeAlias = "Mapping[str, object]"
_NUMBER = re.compile(r"\s*[+-]?\d{1,6}(?:\.\d{1,3})?\s*")
_MAX_NUMBER = 1_000_000


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


def number(value: object) -> float | None:
    """Return a number, also from a text such as ``0.5``."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return float(value)
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
