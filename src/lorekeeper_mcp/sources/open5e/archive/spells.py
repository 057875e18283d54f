"""Completes spells of version 2 with version 1: the classes, and the area after the range.

For 950 spells of books other than the SRDs, version 2 has no class, or lacks those with another spelling. A range such
as "Self (30-foot radius)" has lost the part in brackets.
"""

from __future__ import annotations

from lorekeeper_mcp.models import Change, Ref, Spell
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE, noted_fields
from lorekeeper_mcp.text import fold


def completed(record: Spell, archived: Spell) -> Spell:
    """Return a spell of version 2 with the values that only version 1 has."""
    changes: dict[str, Change] = {}
    known = {fold(ref.name) for ref in record.classes}
    if lost := [ref for ref in archived.classes if fold(ref.name) not in known]:
        served = ", ".join(ref.name for ref in record.classes) or NOTHING
        changes["classes"] = served, tuple(sorted((*record.classes, *lost), key=_name))
    if archived.range_text.lower().startswith(f"{record.range_text.lower()} (") and record.range_text:
        tail = archived.range_text[len(record.range_text) :]
        changes["range_text"] = record.range_text, f"{record.range_text}{tail}"
    return record.amended(changes, SOURCE)


def carried_over(record: Spell, stored: Spell) -> Spell:
    """Return a newly fetched spell of version 2 with the values that the stored one had from version 1."""
    noted = noted_fields(stored)
    served = noted.get("classes", "").split(", ")
    kept: dict[str, object] = {
        "classes": tuple(ref for ref in stored.classes if "classes" in noted and ref.name not in served),
        "range_text": stored.range_text if "range_text" in noted else "",
    }
    return completed(record, stored.model_copy(update=kept))


def _name(ref: Ref) -> str:
    return ref.name
