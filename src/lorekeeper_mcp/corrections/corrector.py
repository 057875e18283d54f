"""Applies corrections to records, each only while the upstream still has the wrong value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from lorekeeper_mcp.corrections.corrected_values import describe, listed, plain
from lorekeeper_mcp.corrections.correction_table import CorrectionRow, rows_of
from lorekeeper_mcp.models import Correction, Kind, Record, Ref, Rule
from lorekeeper_mcp.text import letters_digest

R = TypeVar("R", bound=Record)


def corrected(record: R) -> R:
    """Return the record with every correction that applies to it, each noted in its ``corrections``."""
    record = _with_renamed_rules(record)
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
            notes.append(Correction(field=row.field, was=describe(was), source=row.source_of(record.id)))
    return type(record).model_validate(values | {"corrections": (*record.corrections, *notes)})


def _with_renamed_rules(record: R) -> R:
    """A rule set lists its rules by name: use the corrected names in the list, too."""
    if not isinstance(record, Rule):
        return record
    right = {ref.key: name for ref in record.rules if (name := _right_name(ref))}
    if not right:
        return record
    was = ", ".join(ref.name for ref in record.rules if ref.key in right)
    rules = tuple(Ref(name=right.get(ref.key, ref.name), key=ref.key) for ref in record.rules)
    return record.amended({"rules": (was, rules)}, "the rules themselves")


def _right_name(ref: Ref) -> str:
    rows = rows_of(f"{Kind.RULE}:{ref.key}")
    return next((str(row.right) for row in rows if row.field == "name" and row.wrong == ref.name), "")


def applicable(record: Record) -> list[CorrectionRow]:
    """Return the corrections whose wrong value the record still has."""
    if not (rows := rows_of(record.id)):
        return []
    values = record.model_dump()
    return [row for row in rows if _is_wrong(row, values)]


def _is_wrong(row: CorrectionRow, values: dict[str, object]) -> bool:
    holder, name = _holder(values, row.field)
    if not holder and "." in row.field and row.wrong is not None:
        return False
    value = holder.get(name)
    if row.wrong_digest:
        return letters_digest(str(value)) == row.wrong_digest
    if row.phrase:
        return any(str(row.wrong) in str(one) for one in (value if isinstance(value, tuple) else (value,)))
    return plain(value) == plain(row.wrong)


def _right(row: CorrectionRow, value: object) -> object:
    """The new value of the field."""
    if row.phrase:
        texts = value if isinstance(value, tuple) else (value,)
        mended = tuple(str(text).replace(str(row.wrong), str(row.right)) for text in texts)
        return mended if isinstance(value, tuple) else mended[0]
    return listed(value, row.right) if isinstance(row.right, list) else row.right


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
