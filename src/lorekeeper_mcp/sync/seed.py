"""Loads the embedded SRDs into the cache, once for each version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from lorekeeper_mcp.models import Family, Kind, Record, Source, family_of
from lorekeeper_mcp.sources import features, srd
from lorekeeper_mcp.sources.open5e.book_records import completed_book_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.ledger import SeedNote, decode, encode

_SEED = "srd"
_AT_ONCE = 200  # records, a quarter of a second


async def seed(cache: Cache, first: Iterable[Family] = (), pause: Callable[[], Awaitable[None]] | None = None) -> None:
    """Store the embedded records that differ from the stored ones, with what those have from Open5e.

    Documents come first, then the families that ``first`` has at that moment. ``pause`` is awaited before each batch.
    Records of an older version whose keys no longer exist are deleted.
    """
    records = await asyncio.to_thread(srd.records)
    ids = {record.id for record in records}
    stored = await cache.served_records(
        entry for entry in cache.catalog if entry.source is Source.SRD or entry.id in ids
    )
    current: set[str] = set()
    changed: dict[Family, list[Record]] = {family: [] for family in Family}
    for record in records:
        whole = completed_book_record(record, stored[record.id]) if record.id in stored else record
        parts = features.with_features([whole])
        current |= {part.id for part in parts}
        changed[family_of(record.kind)] += [part for part in parts if stored.get(part.id) != part]
    await cache.delete(entry for entry in cache.catalog if entry.id in stored.keys() - current)
    changed[Family.RULES].sort(key=lambda record: record.kind is not Kind.DOCUMENT)
    await cache.put(changed[Family.RULES][:_AT_ONCE])
    changed[Family.RULES][:_AT_ONCE] = []
    while family := next((family for family in (*first, *Family) if changed[family]), None):
        if pause is not None:
            await pause()
        await cache.put(changed[family][:_AT_ONCE])  # a killed process stores one batch again
        changed[family][:_AT_ONCE] = []
    cache.note_later(encode({_SEED: SeedNote(version=_version())}))  # waits for Milvus, which answers need not


def is_seeded(ledger: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the ledger has this version of the SRDs."""
    return decode(ledger, SeedNote).get(_SEED) == SeedNote(version=_version())


def _version() -> str:
    """The version of the records and of the features derived from them."""
    return f"{srd.version()} / {features.VERSION}"
