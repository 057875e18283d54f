"""Completes spells of version 2 with version 1: the classes, and the area after the range.

For 950 spells of books other than the SRDs, version 2 has no class, or lacks those with another spelling. A range such
as "Self (30-foot radius)" has lost the part in brackets.
"""

from __future__ import annotations

from lorekeeper_mcp.models import Correction, Ref, Spell
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE
from lorekeeper_mcp.text import fold


def completed(record: Spell, archived: Spell) -> Spell:
    """Return a spell of version 2 with the values that only version 1 has."""
    found: dict[str, tuple[str, object]] = {}
    known = {fold(ref.name) for ref in record.classes}
    if lost := [ref for ref in archived.classes if fold(ref.name) not in known]:
        said = ", ".join(ref.name for ref in record.classes) or NOTHING
        found["classes"] = said, tuple(sorted((*record.classes, *lost), key=_name))
    if archived.range_text.lower().startswith(f"{record.range_text.lower()} (") and record.range_text:
        tail = archived.range_text[len(record.range_text) :]
        found["range_text"] = record.range_text, f"{record.range_text}{tail}"
    if not found:
        return record
    notes = tuple(Correction(field=field, was=was, source=SOURCE) for field, (was, _) in found.items())
    changes = {field: value for field, (_, value) in found.items()}
    return record.model_copy(update={**changes, "corrections": (*record.corrections, *notes)})


def carried_over(record: Spell, stored: Spell) -> Spell:
    """Return a newly fetched spell of version 2 with the values that the stored one had from version 1."""
    noted = {note.field: note.was for note in stored.corrections if note.source == SOURCE}
    said = noted.get("classes", "").split(", ")
    kept: dict[str, object] = {
        "classes": tuple(ref for ref in stored.classes if "classes" in noted and ref.name not in said),
        "range_text": stored.range_text if "range_text" in noted else "",
    }
    return completed(record, stored.model_copy(update=kept))


def _name(ref: Ref) -> str:
    return ref.name
