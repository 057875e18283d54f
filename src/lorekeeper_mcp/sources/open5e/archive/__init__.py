"""Completes the records of version 2 with those of version 1.

The rule: version 2's values are kept, and missing ones are taken field by field. The record's corrections name each
such field and version 1 as its source, so that a record refreshed from version 2 takes them over from the stored one,
without another fetch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lorekeeper_mcp.models import Background, Creature, Record, Species, Spell
from lorekeeper_mcp.sources.open5e.archive import backgrounds, creatures, species, spells

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
    match record, archived:
        case Creature(), Creature():
            return creatures.completed(record, archived)
        case Spell(), Spell():
            return spells.completed(record, archived)
        case Species(), Species():
            return species.completed(record, archived)
        case Background(), Background():
            return backgrounds.completed(record, archived)
        case _:
            return record


def _carried_over(record: Record, stored: Record) -> Record:
    match record, stored:
        case Creature(), Creature():
            return creatures.carried_over(record, stored)
        case Spell(), Spell():
            return spells.carried_over(record, stored)
        case Species(), Species():
            return species.carried_over(record, stored)
        case Background(), Background():
            return backgrounds.carried_over(record, stored)
        case _:
            return record
