"""Applies corrections to records, each only while the upstream still has the wrong value.

In a table, a class or an item is its key, a weapon's property its name with the detail: ``Thrown (range 20/60)``; a
damage type or an ability stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from pydantic import JsonValue

from lorekeeper_mcp.corrections.correction_table import CorrectionRow, rows_of
from lorekeeper_mcp.models import Correction, Record
from lorekeeper_mcp.text import fold, letters_digest

R = TypeVar("R", bound=Record)
_MAX_LENGTH = 80  # characters of a value quoted in a note
_PROPERTY = re.compile(r"(.+?)(?: \((.*)\))?")


def corrected(record: R) -> R:
    """Return the record with every correction that applies to it, each noted in its ``corrections``."""
    if not (rows := applicable(record)):
        return record
    values = record.model_dump()
    notes: list[Correction] = []
    for row in rows:
        holder, name = _holder(values, row.field)
        was = holder.get(name)
        _put(values, row.field, _right(row, was))
        for field, value in row.also.items():
            _put(values, field, value)
        if row.field not in {note.field for note in (*record.corrections, *notes)}:  # the first says what was served
            notes.append(Correction(field=row.field, was=_described(was), source=row.cited))
    return type(record).model_validate(values | {"corrections": (*record.corrections, *notes)})


def applicable(record: Record) -> list[CorrectionRow]:
    """Return the corrections whose wrong value the record still has."""
    if not (rows := rows_of(record.id)):
        return []
    values = record.model_dump()
    return [row for row in rows if _is_wrong(row, values)]


def _is_wrong(row: CorrectionRow, values: dict[str, object]) -> bool:
    holder, name = _holder(values, row.field)
    if not holder and "." in row.field and (row.wrong is not None or row.words):
        return False
    value = holder.get(name)
    if row.wrong_digest:
        return letters_digest(str(value)) == row.wrong_digest
    if row.words:
        return any(row.words in str(one) for one in (value if isinstance(value, tuple) else (value,)))
    return _plain(value) == _plain(row.wrong)


def _right(row: CorrectionRow, value: object) -> object:
    """The new value of the field."""
    if row.words:
        texts = value if isinstance(value, tuple) else (value,)
        mended = tuple(str(text).replace(row.words, str(row.right)) for text in texts)
        return mended if isinstance(value, tuple) else mended[0]
    return _list_of(value, row.right) if isinstance(row.right, list) else row.right


# --- Paths ---


def _put(values: dict[str, object], path: str, value: object) -> None:
    """Set a field; None removes an entry such as a mode of movement, or resets a field to its default."""
    holder, name = _holder(values, path)
    if value is None:
        holder.pop(name, None)
    else:
        holder[name] = value


def _holder(values: dict[str, object], path: str) -> tuple[dict[str, object], str]:
    """The parent object of a path in a dumped record, and the name of the field in it.

    In a list, a part of the path is the name of an entry, ``traits.Sneak Attack (1/Turn).text``, or the document of a
    text.
    """
    *parents, last = path.split(".")
    holder: object = values
    for name in parents:
        if isinstance(holder, Mapping):
            holder = holder.get(name)
        elif isinstance(holder, list | tuple):
            named = (one for one in holder if isinstance(one, Mapping))
            holder = next((one for one in named if name in (one.get("name"), one.get("document_key"))), None)
    return (holder, last) if isinstance(holder, dict) else ({}, last)


# --- Values as they are in the tables ---


def _plain(value: object) -> object:
    """A value for comparison: numbers as one type, lists sorted."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, list | tuple):
        return sorted(str(_entry(entry)) for entry in value)
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    return str(value)


def _entry(value: object) -> object:
    """An entry of a list as in a table."""
    if not isinstance(value, Mapping):
        return value
    if "detail" in value:
        return f"{value['name']} ({value['detail']})" if value["detail"] else value["name"]
    return value.get("key") or value.get("name")


def _list_of(value: object, right: list[JsonValue]) -> list[JsonValue]:
    """The list that the table names; entries that the record already has are kept with all their fields."""
    entries = value if isinstance(value, list | tuple) else []
    known = {_entry(entry): entry for entry in entries}
    is_weapon = any(isinstance(entry, Mapping) and "detail" in entry for entry in entries)
    return [known[name] if name in known else _made(str(name), is_weapon) for name in right]


def _made(name: str, is_property: bool) -> JsonValue:
    if is_property and (parts := _PROPERTY.fullmatch(name)):
        return {"name": parts[1], "detail": parts[2] or ""}
    if "_" not in name:
        return name  # a plain word: a damage type, an ability
    return {"name": fold(name.rpartition("_")[2]).title(), "key": name}


def _described(value: object) -> str:
    """A value for the note on a correction; for a long text only its length."""
    match value:
        case None | "":
            shown = "nothing"
        case bool():
            shown = "yes" if value else "no"
        case list() | tuple():
            shown = ", ".join(str(_entry(entry)) for entry in value) or "none"
        case dict():
            shown = ", ".join(f"{name} {_described(entry)}" for name, entry in value.items() if entry) or "all 0"
        case float() | int():
            shown = f"{value:g}"
        case _:
            shown = str(value)
    return shown if len(shown) <= _MAX_LENGTH else f"a text of {len(shown)} characters"
