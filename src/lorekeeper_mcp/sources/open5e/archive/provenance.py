"""The note in a record's corrections on a value from version 1."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Record

SOURCE = "Open5e's version 1"
NOTHING = "nothing"


def noted_fields(stored: Record) -> Mapping[str, str]:
    """Return the fields of a stored record that version 1 completed, with what version 2 has in them."""
    return {note.field: note.was for note in stored.corrections if note.source == SOURCE}
