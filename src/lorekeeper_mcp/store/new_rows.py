"""Makes rows from records that are about to be stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from lorekeeper_mcp.embedding.vector import Embedding
from lorekeeper_mcp.models import Record, Source
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.store.rows import NewRow, Row, to_row

FindVectors = Callable[[Sequence[Record]], Sequence[Embedding | None]]


def with_known_vectors(records: Sequence[Record], find_vectors: FindVectors) -> list[NewRow]:
    """Pair records with their precomputed vectors. Homebrew has none, so it is not looked up."""
    published = [record for record in records if record.document_source is not Source.ORCBREW]
    vectors = dict(zip((record.id for record in published), find_vectors(published), strict=True)) if published else {}
    return [NewRow(record, vectors.get(record.id)) for record in records]


def to_rows(new: Iterable[NewRow], known: Mapping[str, Entry]) -> list[Row]:
    """Return rows for the store: a stored record keeps its creation time, and its time of change always grows.

    A reader that compares times then sees every change, even two within one second or after the clock was set back.
    """
    now = int(time.time())
    rows = []
    for one in new:
        before = known.get(one.record.id)
        created = before.created_at if before else now
        changed = max(now, before.updated_at + 1) if before else now
        rows.append(to_row(one, created_at=created, updated_at=changed))
    return rows
