"""The texts of a record that people read."""

from __future__ import annotations

import functools

from lorekeeper_mcp.models import Record, Value

# Keys, sources, and texts written by the server itself.
_NO_PROSE = frozenset(
    {
        "kind", "key", "document_key", "document_name", "document_source", "documents", "editions", "license",
        "publisher", "url", "corrections", "type", "school", "casting_time", "image", "attribution", "permalink",
        "language_keys", "creature_sets", "other",
    }
)  # fmt: skip


def prose(record: Record) -> list[tuple[str, str]]:
    """Return (field, text) for each text, in the order of the record's fields."""
    found: list[tuple[str, str]] = []
    _add_texts("", record, found)
    return found


def _add_texts(field: str, value: object, found: list[tuple[str, str]]) -> None:
    if isinstance(value, str):
        if value:
            found.append((field, value))
    elif isinstance(value, Value):
        for name in _prose_fields(type(value)):
            if inner := getattr(value, name):  # most fields of a record are empty
                _add_texts(name, inner, found)
    elif isinstance(value, tuple):
        for inner in value:
            _add_texts(field, inner, found)
    elif isinstance(value, dict):
        for inner in value.values():
            _add_texts(field, inner, found)


@functools.cache
def _prose_fields(type_: type[Value]) -> tuple[str, ...]:
    return tuple(name for name in type_.model_fields if name not in _NO_PROSE)
