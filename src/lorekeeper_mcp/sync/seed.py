"""Loads the embedded SRDs into the cache, once for each version."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from lorekeeper_mcp.models import Record, Source
from lorekeeper_mcp.sources import features, srd
from lorekeeper_mcp.sources.open5e.book_records import completed_book_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.ledger import SeedNote, decode, encode
from lorekeeper_mcp.store.rows import batches

_SEED = "srd"


async def seed(cache: Cache) -> None:
    """Store the embedded records that differ from the stored ones, with what those have from Open5e.

    Records of an older version whose keys no longer exist are deleted.
    """
    records = await asyncio.to_thread(srd.records)
    ids = {record.id for record in records}
    stored = await cache.served_records(
        entry for entry in cache.catalog if entry.source is Source.SRD or entry.id in ids
    )
    current: set[str] = set()
    changed: list[Record] = []
    for record in records:
        whole = completed_book_record(record, stored[record.id]) if record.id in stored else record
        parts = features.with_features([whole])
        current |= {part.id for part in parts}
        changed += [part for part in parts if stored.get(part.id) != part]
    await cache.delete(entry for entry in cache.catalog if entry.id in stored.keys() - current)
    for batch in batches(changed):  # a killed process stores one batch again
        await cache.put(batch)
    cache.note_later(encode({_SEED: SeedNote(version=_version())}))  # waits for Milvus, which answers need not


def is_seeded(ledger: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the ledger has this version of the SRDs."""
    return decode(ledger, SeedNote).get(_SEED) == SeedNote(version=_version())


def _version() -> str:
    """The version of the records and of the features derived from them."""
    return f"{srd.version()} / {features.VERSION}"
