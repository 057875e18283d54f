"""Tolerant coercion of served JSON: an odd field never costs a whole record.

Every function accepts any JSON value and returns a plain value of the wanted type, or its empty form.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from lorekeeper_mcp.models import Ref
from lorekeeper_mcp.sources.json_values import JsonObject, listed, mapping
from lorekeeper_mcp.text import slugify

Served: TypeAlias = JsonObject

_NUMBER = re.compile(r"\s*([-+]?\d[\d,]*(?:\.\d+)?|[-+]?\.\d+)(?:\s*/\s*(\d+))?")
_PLACEHOLDER = re.compile(
    r"\s*(?:\[(?:none provided|no description provided|column data)\]|no description provided by \w+\.)\s*",
    re.IGNORECASE,
)
_MAX_NUMBER = 1e15  # above it whole numbers are no longer exact, and no value of the game is that large
_SMALL_WORDS = frozenset(["a", "an", "and", "in", "of", "on", "or", "the", "to"])
_TRUE, _FALSE = frozenset(["true", "yes", "1"]), frozenset(["false", "no", "0"])


def objects(value: object) -> list[Served]:
    """Return the members of a list that are objects."""
    return [entry for entry in listed(value) if isinstance(entry, dict)]


def text(value: object) -> str:
    """Return text as served, with plain line ends. A list becomes paragraphs, an object its text or name."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n")
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list):
        return "\n\n".join(part for part in map(text, value) if part)
    return text(mapping(value).get("desc")) or text(mapping(value).get("name"))


def prose(value: object) -> str:
    """Return text, empty if it only states that there is none."""
    found = text(value)
    return "" if _PLACEHOLDER.fullmatch(found) else found


def number(value: object) -> float | None:
    """Return a number, also from text such as ``15.00``, ``2,000 gp`` or ``1/4 lb.``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        # Written so that NaN becomes None, too.
        return float(value) if -_MAX_NUMBER <= value <= _MAX_NUMBER else None
    match = _NUMBER.match(value) if isinstance(value, str) else None
    if match is None:
        return None
    return number(float(match[1].replace(",", "")) / (float(match[2] or 1) or 1.0))


def integer(value: object) -> int | None:
    """Return a whole number; decimals are cut off."""
    found = number(value)
    return None if found is None else int(found)


def flag(value: object) -> bool | None:
    """Return a boolean, or None if the source has neither."""
    if isinstance(value, bool):
        return value
    word = text(value).strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def titled(slug: str) -> str:
    """Return a readable name for a key: Damage and Healing for ``srd_damage-and-healing``."""
    words = slug.rpartition("_")[2].split("-")
    return " ".join(word if i and word in _SMALL_WORDS else word.capitalize() for i, word in enumerate(words))


def key(value: object) -> str:
    """Return the key of a thing served as an object or as a bare key."""
    if isinstance(value, dict):
        return text(value.get("key")).strip() or slugify(text(value.get("name")))
    return "" if isinstance(value, list) else text(value).strip()


def name(value: object) -> str:
    """Return the name of a thing served as an object, or one derived from its bare key."""
    if isinstance(value, dict):
        return text(value.get("name")).strip() or titled(key(value))
    return titled(key(value))


def keys(value: object) -> tuple[str, ...]:
    """Return the keys of a list of things, in lower case."""
    return tuple(found.lower() for entry in listed(value) if (found := key(entry)))


def ref(value: object) -> Ref | None:
    """Return a reference by name and key, or None."""
    found = key(value)
    return Ref(name=name(value), key=found) if found else None


def refs(value: object) -> tuple[Ref, ...]:
    """Return references by name and key."""
    return tuple(found for entry in listed(value) if (found := ref(entry)))


def numbers(value: object) -> dict[str, float]:
    """Return the entries of an object that are numbers."""
    return {name: found for name, entry in mapping(value).items() if (found := number(entry)) is not None}


def integers(value: object) -> dict[str, int]:
    """Return the entries of an object that are numbers, as whole ones."""
    return {name: found for name, entry in mapping(value).items() if (found := integer(entry)) is not None}
