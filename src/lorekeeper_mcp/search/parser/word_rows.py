"""A way to say a filter: a pattern, the argument that it means, and the value of what matches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lorekeeper_mcp.filters import Given, Scalar
from lorekeeper_mcp.models.vocabulary import ABILITIES, CONDITIONS, DAMAGE_TYPES
from lorekeeper_mcp.text import slugify


@dataclass(frozen=True)
class PlainWords:
    """A way to say an argument. ``value`` of the match; ``restricts`` where it can be meant in no other way."""

    argument: str
    pattern: re.Pattern[str]
    value: Callable[[re.Match[str]], Given]
    restricts: bool = False


def one_of(*words: str) -> str:
    """A group of these words, the longest first; a hyphen may be a blank."""
    return "(" + "|".join(sorted((word.replace("-", "[ -]") for word in words), key=len, reverse=True)) + ")"


def some_of(*words: str) -> str:
    """A group of one of these words or of several: fire, cold or acid."""
    one = one_of(*words).replace("(", "(?:", 1)
    return rf"({one}(?:(?:, |,? or ){one})*)"


def key(found: re.Match[str]) -> Given:
    """The key, or the several, of the first group of a match."""
    keys = tuple(map(slugify, re.split(r",? or |, ", found[1])))
    return keys if len(keys) > 1 else keys[0]


def row(
    argument: str, pattern: str, value: Callable[[re.Match[str]], Given] | Scalar | None = None, restricts: bool = False
) -> PlainWords:
    """A way to say an argument; without a ``value`` the first group is the key."""
    read = key if value is None else value if callable(value) else lambda _: value
    return PlainWords(argument, re.compile(pattern), read, restricts)


def number(text: str) -> int:
    """``1,000``."""
    return int(text.replace(",", ""))


def least(found: re.Match[str], over: int = 1, figure: int = 2) -> int:
    """The least value of ``over 60`` (61) and ``at least 60`` (60), by the groups of both."""
    return number(found[figure]) + (1 if found[over] else 0)


DAMAGE, CONDITION, ABILITY = some_of(*DAMAGE_TYPES), some_of(*CONDITIONS), one_of(*ABILITIES)
BOUND_WORDS = "over|above|under|below|between|around|at least|at most|up to|more than|less than"
NUMBER = r"(\d[\d,]*)"
LEAST = rf"(?:(over|above|more than|higher than|faster than|greater than)|at least|minimum|min|of)? ?{NUMBER}\+?"
