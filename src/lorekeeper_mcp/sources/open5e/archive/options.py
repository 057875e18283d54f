"""Completes options of version 2 with version 1: the fields that version 2 lost altogether."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.open5e.archive.provenance import NOTHING, SOURCE, noted_fields

R = TypeVar("R", bound=Record)
_FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.BACKGROUND: ("text",),
    Kind.FEAT: ("text",),
    Kind.SPECIES: ("size", "speed", "traits"),
    Kind.SUBCLASS: ("features",),
}


def completed(record: R, archived: Record) -> R:
    """Return a record of version 2 with the values that only version 1 has."""
    return _completed(record, archived, _FIELDS.get(record.kind, ()))


def carried_over(record: R, stored: Record) -> R:
    """Return a newly fetched record of version 2 with the values that the stored one had from version 1."""
    noted = noted_fields(stored)
    return _completed(record, stored, (name for name in _FIELDS.get(record.kind, ()) if name in noted))


def _completed(record: R, other: Record, fields: Iterable[str]) -> R:
    lost = {name: value for name in fields if not getattr(record, name) and (value := getattr(other, name))}
    return record.amended({name: (NOTHING, value) for name, value in lost.items()}, SOURCE)
