"""Phrases made of parts that may be missing."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: str, noun: str) -> str:
    """``3 rounds``, ``1 round``; the noun alone without a count."""
    return f"{count} {noun}{'s' if noun and count not in ('', '1') else ''}".strip()


def phrase(template: str, value: object) -> str:
    """Return ``up to {}`` with a value; empty without one."""
    return template.format(value) if value else ""


def joined(*parts: str, sep: str = ", ") -> str:
    """Return the parts that are not empty, separated."""
    return sep.join(filter(None, parts))


def either(alternatives: Iterable[str]) -> str:
    """``a, b or c``."""
    *others, last = [*alternatives] or [""]
    return joined(", ".join(others), last, sep=" or ")
