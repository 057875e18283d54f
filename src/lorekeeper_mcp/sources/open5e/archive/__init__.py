"""Completes the records of version 2 with those of version 1.

The rule: version 2's values are kept, and missing ones are taken field by field. The record's corrections name each
such field and version 1 as its source, so that a record refreshed from version 2 takes them over from the stored one,
without another fetch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lorekeeper_mcp.models import Creature, Record, Spell
from lorekeeper_mcp.sources.open5e.archive import creatures, options, spells

__all__ = ["completed", "merged"]


def merged(arrived: Iterable[Record], stored: Mapping[str, Record], *, completing: bool) -> list[Record]:
    """Return the records to store from a batch, given the stored records of version 2 with the same ids.

    If records of version 1 are ``completing``, only the records that gain something are returned.
    """
    found: list[Record] = []
    for record in arrived:
        known = stored.get(record.id)
        if known is None:
            found += [] if completing else [record]
        elif not completing:
            found.append(_carried_over(record, known))
        elif (whole := completed(known, record)) is not known:
            found.append(whole)
    return found


def completed(record: Record, archived: Record) -> Record:
    """Return a record of version 2 with the values that only version 1 has."""
    return _by_family(record, archived, creatures.completed, spells.completed, options.completed)


def _carried_over(record: Record, stored: Record) -> Record:
    return _by_family(record, stored, creatures.carried_over, spells.carried_over, options.carried_over)


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
