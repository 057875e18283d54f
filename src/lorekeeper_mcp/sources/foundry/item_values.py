"""Values of Foundry's documents, whatever stands where one is expected."""

from __future__ import annotations

from collections.abc import Mapping


def part(values: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object inside an object; empty where there is something else."""
    value = values.get(name)
    return value if isinstance(value, Mapping) else {}


def text(values: Mapping[str, object], name: str) -> str:
    """A text inside an object; empty where there is something else."""
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """The texts of a list; a single text counts as a list of one."""
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str) and one]
