"""How the records of version 1 complete those of version 2.

The rule: what version 2 has stands, and what it lacks is taken field by field. The record's corrections name each such
field and version 1 as its source, so that a record renewed from version 2 takes them over from the one that is stored,
and none is fetched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lorekeeper_mcp.models import Creature, Record, Spell
from lorekeeper_mcp.sources.open5e.archive import creatures, spells

__all__ = ["completed", "merged"]


def merged(arrived: Iterable[Record], stored: Mapping[str, Record], *, completing: bool) -> list[Record]:
    """What to store of records that have come, given what is stored of version 2 under their ids.

    Where those of version 1 are ``completing``, only the records that gain something by them are given.
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
    """A record of version 2 with what only version 1 has."""
    match record, archived:
        case Creature(), Creature():
            return creatures.completed(record, archived)
        case Spell(), Spell():
            return spells.completed(record, archived)
        case _:
            return record


def _carried_over(record: Record, stored: Record) -> Record:
    match record, stored:
        case Creature(), Creature():
            return creatures.carried_over(record, stored)
        case Spell(), Spell():
            return spells.carried_over(record, stored)
        case _:
            return record
