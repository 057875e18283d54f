"""Records on their way into the store: their rows, their entries in the catalog, their words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.cache.catalog import Entry, entry_from_row
from lorekeeper_mcp.cache.embedding_text import whole_text
from lorekeeper_mcp.cache.rows import NewRow, Row, Vector, to_row
from lorekeeper_mcp.models import Record


@dataclass(frozen=True)
class Arrival:
    """A record to be stored, and whether it gives way once Open5e's records of its kind are all here."""

    record: Record
    replaceable: bool = False


FindVectors = Callable[[Sequence[Record]], Sequence[Vector | None]]


def new_rows(arrivals: Sequence[Arrival], find_vectors: FindVectors) -> list[NewRow]:
    """The records with the vectors that are known beforehand."""
    vectors = find_vectors([arrival.record for arrival in arrivals])
    return [NewRow(a.record, vector, a.replaceable) for a, vector in zip(arrivals, vectors, strict=True)]


def rows_and_entries(new: Iterable[NewRow], known: Mapping[str, Entry]) -> tuple[list[Row], list[Entry]]:
    """Rows for the store and entries for the catalog: the time of creation stays, the time of change is now."""
    now = int(time.time())
    rows = []
    for one in new:
        before = known.get(one.record.id)
        created = before.created_at if before else now
        rows.append(to_row(one, created_at=created, updated_at=now))
    return rows, [entry_from_row(row) for row in rows]


def words_of(record: Record) -> tuple[str, str, str]:
    """What the word index takes of a record: id, name and text."""
    return record.id, record.name, whole_text(record)
