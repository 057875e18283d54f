"""Loads the embedded SRDs into the cache, once for each version."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from lorekeeper_mcp.models import Source
from lorekeeper_mcp.sources import features, srd
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.ledger import SeedNote, decode, encode
from lorekeeper_mcp.store.rows import batches

_SEED = "srd"


async def seed(cache: Cache) -> None:
    """Store the embedded records that differ from the stored ones, but never over Open5e's.

    Keys of an older version that no longer exist are deleted.
    """
    records = await asyncio.to_thread(srd.records)
    stored = await cache.records(entry for entry in cache.catalog if entry.source is Source.SRD)
    others = {entry.id for entry in cache.catalog} - stored.keys()
    parts = {record.id: features.with_features([record]) for record in records}
    missing = [part for id_, own in parts.items() if id_ not in others for part in own if stored.get(part.id) != part]
    gone = stored.keys() - {part.id for own in parts.values() for part in own}
    await cache.delete(entry for entry in cache.catalog if entry.id in gone)
    for batch in batches(missing):  # a killed process stores one batch again
        await cache.put(batch)
    await cache.note(encode({_SEED: SeedNote(version=_version())}))


def seeded(ledger: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the ledger has this version of the SRDs."""
    return decode(ledger, SeedNote).get(_SEED) == SeedNote(version=_version())


def _version() -> str:
    """The version of the records and of the features derived from them."""
    return f"{srd.version()} / {features.VERSION}"
