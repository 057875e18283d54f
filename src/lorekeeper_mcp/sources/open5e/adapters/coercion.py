"""Tolerant coercion of served JSON: an odd field never costs a whole record.

Every function accepts any JSON value and returns a plain value of the wanted type, or its empty form.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from lorekeeper_mcp.models import Ref
from lorekeeper_mcp.sources.reading import JsonObject, leading_number, listed, mapping, titled
from lorekeeper_mcp.text import slugify

Served: TypeAlias = JsonObject
number = leading_number
_PLACEHOLDER = re.compile(
    r"\s*(?:\[(?:none provided|no description provided|column data)\]|no description provided by \w+\.)\s*",
    re.IGNORECASE,
)


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


def integer(value: object) -> int | None:
    """Return a whole number; decimals are cut off."""
    found = number(value)
    return None if found is None else int(found)


def key(value: object) -> str:
    """Return the key of a thing served as an object or as a bare key."""
    if isinstance(value, dict):
        return text(value.get("key")).strip() or slugify(text(value.get("name")))
    return "" if isinstance(value, list) else text(value).strip()


def name(value: object) -> str:
    """Return the name of a thing served as an object, or one derived from its bare key, such as ``srd_half-elf``."""
    own = text(value.get("name")).strip() if isinstance(value, dict) else ""
    return own or titled(key(value).rpartition("_")[2])


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
    return {name: int(found) for name, found in numbers(value).items()}
