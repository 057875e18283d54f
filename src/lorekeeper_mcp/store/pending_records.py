"""Records to be stored, and their rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.embedding.vector import Embedding
from lorekeeper_mcp.models import Record, Source
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.rows import NewRow, Row, to_row


@dataclass(frozen=True)
class PendingRecord:
    """A record to be stored."""

    record: Record


FindVectors = Callable[[Sequence[Record]], Sequence[Embedding | None]]


def with_known_vectors(arrivals: Sequence[PendingRecord], find_vectors: FindVectors) -> list[NewRow]:
    """The records with the vectors that are known beforehand; of homebrew, which has none, nothing is looked for."""
    published = [a.record for a in arrivals if a.record.document_source is not Source.ORCBREW]
    vectors = dict(zip((record.id for record in published), find_vectors(published), strict=True)) if published else {}
    return [NewRow(a.record, vectors.get(a.record.id)) for a in arrivals]


def to_rows(new: Iterable[NewRow], known: Mapping[str, Entry]) -> list[Row]:
    """Rows for the store: the time of creation stays, the time of change is now, and later than that of before.

    So who compares times sees every change, of two in one second too, and where the clock has been put back.
    """
    now = int(time.time())
    rows = []
    for one in new:
        before = known.get(one.record.id)
        created = before.created_at if before else now
        changed = max(now, before.updated_at + 1) if before else now
        rows.append(to_row(one, created_at=created, updated_at=changed))
    return rows
