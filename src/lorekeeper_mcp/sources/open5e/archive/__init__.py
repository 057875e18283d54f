"""Completes the records of version 2 with those of version 1.

The rule: version 2's values are kept, and missing ones are taken field by field. The record's corrections name each
such field and version 1 as its source, so that a record refreshed from version 2 takes them over from the stored one,
without another fetch. Corrections apply to completed records, too, and stay noted in records that are refreshed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lorekeeper_mcp.corrections import corrected, rows_of
from lorekeeper_mcp.models import Creature, Record, Spell
from lorekeeper_mcp.sources.open5e.archive import creatures, options, spells
from lorekeeper_mcp.sources.open5e.archive.provenance import noted_fields

__all__ = ["completed", "merged"]


def merged(arrived: Iterable[Record], stored: Mapping[str, Record], *, completing: bool) -> list[Record]:
    """Return the records to store from a batch, given the stored records of version 2 with the same ids.

    If records of version 1 are ``completing``, only the records that gain something are returned.
    """
    to_store: list[Record] = []
    for record in arrived:
        stored_record = stored.get(record.id)
        if stored_record is None:
            to_store += [] if completing else [record]
        elif not completing:
            to_store.append(_carried_over(record, stored_record))
        elif (completed_record := completed(stored_record, record)) is not stored_record:
            to_store.append(completed_record)
    return to_store


def completed(record: Record, archived: Record) -> Record:
    """Return a record of version 2 with the values that only version 1 has, or the same record if there are none."""
    whole = _by_family(record, archived, creatures.completed, spells.completed, options.completed)
    return record if whole is record else corrected(whole)


def _carried_over(record: Record, stored: Record) -> Record:
    refreshed = _by_family(record, stored, creatures.carried_over, spells.carried_over, options.carried_over)
    return _with_notes(corrected(refreshed), stored)


def _with_notes(record: Record, stored: Record) -> Record:
    """The record with the stored one's notes on corrected values of version 1."""
    carried, noted = noted_fields(record), {note.field for note in record.corrections}
    correctable = {row.field for row in rows_of(record.id)} - noted
    notes = [
        note for note in stored.corrections if note.field in correctable and note.field.partition(".")[0] in carried
    ]
    return record.model_copy(update={"corrections": (*record.corrections, *notes)}) if notes else record


def _by_family(
    record: Record,
    other: Record,
    of_creatures: Callable[[Creature, Creature], Creature],
    of_spells: Callable[[Spell, Spell], Spell],
    of_options: Callable[[Record, Record], Record],
) -> Record:
    match record, other:
        case Creature(), Creature():
            return of_creatures(record, other)
        case Spell(), Spell():
            return of_spells(record, other)
        case _:
            return of_options(record, other)
