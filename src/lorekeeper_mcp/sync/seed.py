"""Loads the embedded SRDs into the cache, once for each version."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from lorekeeper_mcp.models import Family, Kind, Record, Source, family_of
from lorekeeper_mcp.models.vocabulary import SRD_ORDER
from lorekeeper_mcp.sources import features, srd
from lorekeeper_mcp.sources.open5e.book_records import completed_book_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.store.ledger import SeedNote, decode, encode

_SEED = "srd"
_AT_ONCE = 200  # records, a quarter of a second


async def seed(cache: Cache, first: Iterable[Family] = (), pause: Callable[[], Awaitable[None]] | None = None) -> None:
    """Store the embedded records that differ from the stored ones, with what those have from Open5e.

    Documents come first, then the families that ``first`` has at that moment, each with the newest book first, since
    that is shown first. ``pause`` is awaited before each batch. Records of an older version whose keys no longer exist
    are deleted.
    """
    changed, gone = await _difference(cache)
    await cache.delete(gone)
    changed.sort(key=lambda record: SRD_ORDER.get(record.document_key, 0))
    await cache.put([record for record in changed if record.kind is Kind.DOCUMENT])
    waiting: dict[Family, list[Record]] = {family: [] for family in Family}
    for record in changed:
        if record.kind is not Kind.DOCUMENT:
            waiting[family_of(record.kind)].append(record)
    while family := next((family for family in (*first, *Family) if waiting[family]), None):
        if pause is not None:
            await pause()
        await cache.put(waiting[family][:_AT_ONCE])  # a killed process stores one batch again
        waiting[family][:_AT_ONCE] = []
    await cache.note(encode({_SEED: SeedNote(version=_version())}))


async def _difference(cache: Cache) -> tuple[list[Record], list[Entry]]:
    """The embedded records that are not stored as they are, and the stored ones that are no longer embedded."""
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
    return changed, [entry for entry in cache.catalog if entry.id in stored.keys() - current]


def is_seeded(ledger: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the ledger has this version of the SRDs."""
    return decode(ledger, SeedNote).get(_SEED) == SeedNote(version=_version())


def _version() -> str:
    """The version of the records and of the features derived from them."""
    return f"{srd.version()} / {features.VERSION}"
