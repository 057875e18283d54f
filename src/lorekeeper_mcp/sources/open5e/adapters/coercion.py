"""Reading of served JSON that takes what can be taken: no odd field ever costs a record.

Every function accepts any JSON value and answers with the plain value wanted, or with its empty form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from lorekeeper_mcp.models import Ref
from lorekeeper_mcp.text import slugify

Served: TypeAlias = Mapping[str, object]

_NUMBER = re.compile(r"\s*([-+]?\d[\d,]*(?:\.\d+)?|[-+]?\.\d+)(?:\s*/\s*(\d+))?")
_PLACEHOLDER = re.compile(
    r"\s*(?:\[(?:none provided|no description provided|column data)\]|no description provided by \w+\.)\s*",
    re.IGNORECASE,
)
_MOST = 1e15  # above it whole numbers are no longer exact, and nothing in a game is meant
_SMALL_WORDS = frozenset(["a", "an", "and", "in", "of", "on", "or", "the", "to"])
_TRUE, _FALSE = frozenset(["true", "yes", "1"]), frozenset(["false", "no", "0"])


def fields(value: object) -> Served:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[object]:
    """The members of a list; a single value counts as a list of one."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def objects(value: object) -> list[Served]:
    """The members of a list that are objects."""
    return [entry for entry in entries(value) if isinstance(entry, dict)]


def text(value: object) -> str:
    """Text as served, with plain line ends. A list gives its members as paragraphs, an object its text or name."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n")
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list):
        return "\n\n".join(part for part in map(text, value) if part)
    return text(fields(value).get("desc")) or text(fields(value).get("name"))


def prose(value: object) -> str:
    """Text, empty where the source says only that there is none."""
    found = text(value)
    return "" if _PLACEHOLDER.fullmatch(found) else found


def number(value: object) -> float | None:
    """A number, also from text such as ``15.00``, ``2,000 gp`` or ``1/4 lb.``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        # Written so that NaN is none either.
        return float(value) if -_MOST <= value <= _MOST else None
    match = _NUMBER.match(value) if isinstance(value, str) else None
    if match is None:
        return None
    return number(float(match[1].replace(",", "")) / (float(match[2] or 1) or 1.0))


def integer(value: object) -> int | None:
    """A whole number; what follows the point is cut off."""
    found = number(value)
    return None if found is None else int(found)


def flag(value: object) -> bool | None:
    """Yes or no, None where the source says neither."""
    if isinstance(value, bool):
        return value
    word = text(value).strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def titled(slug: str) -> str:
    """A readable name of a key: ``srd_damage-and-healing`` is Damage and Healing."""
    words = slug.rpartition("_")[2].split("-")
    return " ".join(word if i and word in _SMALL_WORDS else word.capitalize() for i, word in enumerate(words))


def key(value: object) -> str:
    """The key of a thing served as an object or as a bare key."""
    if isinstance(value, dict):
        return text(value.get("key")).strip() or slugify(text(value.get("name")))
    return "" if isinstance(value, list) else text(value).strip()


def name(value: object) -> str:
    """The name of a thing served as an object, or made from its bare key."""
    if isinstance(value, dict):
        return text(value.get("name")).strip() or titled(key(value))
    return titled(key(value))


def keys(value: object) -> tuple[str, ...]:
    """The keys of a list of things, in lower case."""
    return tuple(found.lower() for entry in entries(value) if (found := key(entry)))


def ref(value: object) -> Ref | None:
    """A thing by name and key, None where the value names none."""
    found = key(value)
    return Ref(name=name(value), key=found) if found else None


def refs(value: object) -> tuple[Ref, ...]:
    """A list of things by name and key."""
    return tuple(found for entry in entries(value) if (found := ref(entry)))


def numbers(value: object) -> dict[str, float]:
    """The entries of an object that are numbers."""
    return {name: found for name, entry in fields(value).items() if (found := number(entry)) is not None}


def integers(value: object) -> dict[str, int]:
    """The entries of an object that are numbers, as whole ones."""
    return {name: found for name, entry in fields(value).items() if (found := integer(entry)) is not None}
