"""Loading the embedded SRD into the cache: once for each version of it, by one process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from lorekeeper_mcp.models import Source
from lorekeeper_mcp.sources import features, srd
from lorekeeper_mcp.store.cache import Cache, PendingRecord
from lorekeeper_mcp.store.ledger import SeedNote, decode, encode

_SEED = "srd"


async def seed(cache: Cache) -> None:
    """Load it. What Open5e has given already is not overwritten."""
    records = await asyncio.to_thread(srd.records)
    held = {entry.id for entry in cache.catalog if entry.source is not Source.SRD}
    arrivals = [
        PendingRecord(part) for record in records if record.id not in held for part in features.with_features([record])
    ]
    await cache.put(arrivals)
    await cache.note(encode({_SEED: SeedNote(version=_version())}))


def seeded(ledger: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the ledger says that this version of it is in the cache."""
    return decode(ledger, SeedNote).get(_SEED) == SeedNote(version=_version())


def _version() -> str:
    """Identifies the records and how their features are derived."""
    return f"{srd.version()} / {features.VERSION}"
