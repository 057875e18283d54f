"""Fields of an item that is written."""

from __future__ import annotations

from typing import TypeAlias

from lorekeeper_mcp.models import Ref

ItemFields: TypeAlias = "dict[str, object]"


def without_blanks(fields: ItemFields) -> ItemFields:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}


def source_of(parent: Ref, source: str) -> str:
    """Return the source of a class or a race: the file's for its own ones, else that of the core rules."""
    return source if parent.key.startswith("orcbrew_") else "PHB"
