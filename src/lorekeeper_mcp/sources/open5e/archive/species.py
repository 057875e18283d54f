"""Completes species of version 2 with version 1: the traits, and the size and speed that they tell."""

from __future__ import annotations

from lorekeeper_mcp.models import Correction, Species
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE

_FIELDS = ("size", "speed", "traits")


def completed(record: Species, archived: Species) -> Species:
    """Return a species of version 2 with the values that only version 1 has."""
    lost = {name: value for name in _FIELDS if not getattr(record, name) and (value := getattr(archived, name))}
    if not lost:
        return record
    notes = tuple(Correction(field=name, was=NOTHING, source=SOURCE) for name in lost)
    return record.model_copy(update={**lost, "corrections": (*record.corrections, *notes)})


def carried_over(record: Species, stored: Species) -> Species:
    """Return a newly fetched species of version 2 with the values that the stored one had from version 1."""
    noted = {note.field for note in stored.corrections if note.source == SOURCE}
    others: dict[str, object] = {"size": "", "speed": "", "traits": ()}
    return completed(record, stored.model_copy(update={name: others[name] for name in others.keys() - noted}))
