"""Converts values of records to the plain form in the tables, and lists back.

A class or an item becomes its key, a weapon's property its name with the detail: ``Thrown (range 20/60)``; a damage
type or an ability stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import JsonValue

from lorekeeper_mcp.text import fold

_MAX_LENGTH = 80  # characters of a value quoted in a note
_PROPERTY = re.compile(r"(.+?)(?: \((.*)\))?")


def plain(value: object) -> object:
    """The value as in a table: numbers as one type, lists sorted."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, list | tuple):
        return sorted(str(_entry(entry)) for entry in value)
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    return str(value)


def describe(value: object) -> str:
    """The value for the note on a correction; for a long text only its length."""
    match value:
        case None | "":
            shown = "nothing"
        case bool():
            shown = "yes" if value else "no"
        case list() | tuple():
            shown = ", ".join(_name(entry) for entry in value) or "none"
        case dict():
            shown = ", ".join(f"{name} {describe(entry)}" for name, entry in value.items() if entry) or (
                "all 0" if value else "none"
            )
        case float() | int():
            shown = f"{value:g}"
        case _:
            shown = str(value)
    return shown if len(shown) <= _MAX_LENGTH else f"a text of {len(shown)} characters"


def listed(value: object, right: list[JsonValue]) -> list[JsonValue]:
    """Build the list that the table names; entries that the record already has are kept with all their fields."""
    entries = value if isinstance(value, list | tuple) else []
    entries_by_name = {_entry(entry): entry for entry in entries}
    properties = any(isinstance(entry, Mapping) and "detail" in entry for entry in entries)
    return [entries_by_name[name] if name in entries_by_name else _made(str(name), properties) for name in right]


def _made(name: str, properties: bool) -> JsonValue:
    parts = _PROPERTY.fullmatch(name)
    if properties and parts:
        return {"name": parts[1], "detail": parts[2] or ""}
    if "_" not in name:
        return name  # a plain word: a damage type, an ability
    return {"name": fold(name.rpartition("_")[2]).title(), "key": name}


def _entry(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    if "detail" in value:
        return f"{value['name']} ({value['detail']})" if value["detail"] else value["name"]
    return value.get("key") or value.get("name")


def _name(value: object) -> str:
    if isinstance(value, Mapping) and "detail" not in value:
        return str(value.get("name") or value.get("key"))
    return str(_entry(value))
