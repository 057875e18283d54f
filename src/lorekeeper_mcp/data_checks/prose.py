"""The texts of a record that people read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Record, Value

# Keys, sources, and texts written by the server itself.
_NO_PROSE = frozenset(
    {
        "kind", "key", "document_key", "document_name", "document_source", "documents", "editions", "license",
        "publisher", "url", "corrections", "type", "school", "casting_time", "image", "attribution", "permalink",
        "language_keys", "creature_sets", "other",
    }
)  # fmt: skip


def prose(record: Record) -> Iterator[tuple[str, str]]:
    """Yield (field, text) for each text, in the order of the record's fields."""
    yield from _texts("", record)


def _texts(field: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if value:
            yield field, value
    elif isinstance(value, Value):
        for name in type(value).model_fields:
            if name not in _NO_PROSE:
                yield from _texts(name, getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts(field, one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(field, one)
