"""Paths in JSON values: the keys and indexes that lead to a part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every path in a value except its root."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in members:
        yield (*path, step)
        yield from paths(member, (*path, step))


def value_at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value
