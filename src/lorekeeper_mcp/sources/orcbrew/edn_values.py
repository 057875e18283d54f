"""EDN values as plain ones: text, numbers, booleans, lists and maps with text as keys."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from edn_format import Keyword

from lorekeeper_mcp.sources.orcbrew.edn_scanner import Scanned

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def local_name(name: str) -> str:
    """A keyword's name without its namespace: ``orcpub.dnd.e5/spells`` is ``spells``."""
    _, mark, last = name.partition("/")
    return last if mark and last else name


def plain(value: object, scanned: Scanned) -> Plain:
    """A parsed value made plain. Absent numbers (NaN, infinities) are None, ratios floats, sets sorted lists."""
    made: Plain
    match value:
        case None | bool() | int():
            made = value
        case str():
            made = _text(value)
        case Keyword():
            made = local_name(scanned.name(str(value.name)))
        case float() | Fraction() | Decimal():
            made = _number(value)
        case Mapping():
            made = plain_map(value.items(), scanned)
        case frozenset():
            made = sorted((plain(member, scanned) for member in value), key=repr)
        case Sequence():
            made = [plain(member, scanned) for member in value]
        case _:
            made = str(value)
    return made


def plain_map(pairs: Iterable[tuple[object, object]], scanned: Scanned) -> dict[str, Plain]:
    """A map made plain. A nil key without a value is no field; a key that stands twice is kept twice."""
    made: dict[str, Plain] = {}
    for key, value in pairs:
        name = _key(plain(key, scanned))
        if name == "nil" and value is None:
            continue
        made[unique_name(name, made)] = plain(value, scanned)
    return made


def unique_name(name: str, taken: Mapping[str, object]) -> str:
    """The name itself, or with a number behind it where something is called so already."""
    if name not in taken:
        return name
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"


def _key(value: Plain) -> str:
    if isinstance(value, str):
        return value
    return "nil" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _text(value: str) -> str:
    """Whole characters only: halves of surrogate pairs (as Java escapes them) are joined, NUL is left out."""
    if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value.replace("\x00", "")


def _number(value: float | Fraction | Decimal) -> float | int | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
