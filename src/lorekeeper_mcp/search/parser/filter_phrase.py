"""Rows of phrases: a pattern, the argument that it means, and how to read the value from the match."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lorekeeper_mcp.filters import FilterValue, Scalar
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES
from lorekeeper_mcp.text import slugify


@dataclass(frozen=True)
class FilterPhrase:
    """A phrase for an argument. ``value`` reads the match; ``restricts`` if the phrase is unambiguous."""

    argument: str
    pattern: re.Pattern[str]
    value: Callable[[re.Match[str]], FilterValue]
    restricts: bool = False


class AllOf(tuple[Scalar, ...]):
    """Values that a record has to have together: "immune to fire and poison"."""


def one_of(*words: str) -> str:
    """A regex group of these words, longest first; a hyphen also matches a space."""
    return "(" + "|".join(sorted((word.replace("-", "[ -]") for word in words), key=len, reverse=True)) + ")"


def some_of(*words: str) -> str:
    """A regex group of one or several of these words: "fire, cold or acid"."""
    one = one_of(*words).replace("(", "(?:", 1)
    return rf"({one}(?:(?:, |,? (?:or|and) ){one})*)"


def key(match: re.Match[str]) -> FilterValue:
    """The key or keys in the first group of a match."""
    keys = tuple(map(slugify, re.split(r",? (?:or|and) |, ", match[1])))
    if len(keys) == 1:
        return keys[0]
    return AllOf(keys) if " and " in match[1] else keys


def row(
    argument: str,
    pattern: str,
    value: Callable[[re.Match[str]], FilterValue] | Scalar | None = None,
    restricts: bool = False,
) -> FilterPhrase:
    """A phrase for an argument; without a ``value``, the first group is the key."""
    read = key if value is None else value if callable(value) else lambda _: value
    return FilterPhrase(argument, re.compile(pattern), read, restricts)


DAMAGE, CONDITION, ABILITY = some_of(*DAMAGE_TYPES), some_of(*CONDITIONS), one_of(*ABILITIES)
