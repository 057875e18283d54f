"""Loading the embedded SRD into the cache: once for each version of it, by one process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from lorekeeper_mcp.models import Source
from lorekeeper_mcp.sources import features, srd
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.ledger import SeedNote, decode, encode

_SEED = "srd"
_AT_ONCE = 500  # records that a process that is killed has to store again


async def seed(cache: Cache) -> None:
    """Load what is not stored as it is: a process that was killed may have begun. Open5e's is not overwritten.

    What an older version of the package had under keys that are gone is deleted.
    """
    records = await asyncio.to_thread(srd.records)
    stored = await cache.records(entry for entry in cache.catalog if entry.source is Source.SRD)
    others = {entry.id for entry in cache.catalog} - stored.keys()
    parts = {record.id: features.with_features([record]) for record in records}
    missing = [part for id_, own in parts.items() if id_ not in others for part in own if stored.get(part.id) != part]
    gone = stored.keys() - {part.id for own in parts.values() for part in own}
    await cache.delete(entry for entry in cache.catalog if entry.id in gone)
    for start in range(0, len(missing), _AT_ONCE):
        await cache.put(missing[start : start + _AT_ONCE])
    await cache.note(encode({_SEED: SeedNote(version=_version())}))


def seeded(ledger: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the ledger says that this version of it is in the cache."""
    return decode(ledger, SeedNote).get(_SEED) == SeedNote(version=_version())


def _version() -> str:
    """Identifies the records and how their features are derived."""
    return f"{srd.version()} / {features.VERSION}"
