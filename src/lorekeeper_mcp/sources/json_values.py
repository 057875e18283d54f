"""Values of parsed JSON, whatever their type."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def mapping(value: object) -> Mapping[str, object]:
    """Return an object; empty for any other value."""
    return value if isinstance(value, dict) else {}  # JSON only has these; a check for Mapping is slower


def listed(value: object) -> list[object]:
    """Return a list; a single value counts as a list of one."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def objects(value: object) -> list[Mapping[str, object]]:
    """Return the objects of a list; none for any other value."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def with_texts(value: object, change: Callable[[str], str]) -> object:
    """Return a value with each of its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [with_texts(one, change) for one in value]
    if isinstance(value, dict):
        return {name: with_texts(one, change) for name, one in value.items()}
    return value
