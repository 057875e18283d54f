"""Completes backgrounds of version 2 with version 1: the description."""

from __future__ import annotations

from lorekeeper_mcp.models import Background, Correction
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE


def completed(record: Background, archived: Background) -> Background:
    """Return a background of version 2 with the description that only version 1 has."""
    if record.text or not archived.text:
        return record
    note = Correction(field="text", was=NOTHING, source=SOURCE)
    return record.model_copy(update={"text": archived.text, "corrections": (*record.corrections, note)})


def carried_over(record: Background, stored: Background) -> Background:
    """Return a newly fetched background of version 2 with the description that the stored one had from version 1."""
    is_noted = any(note.field == "text" and note.source == SOURCE for note in stored.corrections)
    return completed(record, stored) if is_noted else record
