"""Finds the originals of copies among the stored records, from Open5e and from imported books of every format."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.sources.originals import Lookup, is_called, srd_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold


def stored_originals(cache: Cache, without: Collection[str] = ()) -> Lookup:
    """Return a lookup of records in the embedded SRDs, then in a store, except documents with some keys.

    Call it on the event loop; the returned function waits for the loop and is called in another thread.
    """
    loop = asyncio.get_running_loop()
    titles = {entry.document_key: entry.name for entry in cache.catalog if entry.kind is Kind.DOCUMENT}
    entries_by_name: dict[str, list[Entry]] = {}

    def is_original(entry: Entry, kinds: Collection[Kind], source: str) -> bool:
        documents = [(key, titles.get(key, "")) for key in entry.documents]
        return entry.kind in kinds and entry.document_key not in without and is_called(source, documents)

    async def stored_record(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if not entries_by_name:
            # Prefer a record that is not homebrew, and choose the same one each time.
            for entry in sorted(cache.catalog, key=lambda entry: (entry.source is Source.HOMEBREW, entry.id)):
                entries_by_name.setdefault(entry.folded, []).append(entry)
        originals = [entry for entry in entries_by_name.get(fold(name), ()) if is_original(entry, kinds, source)]
        return next(iter((await cache.records(originals[:1])).values()), None)

    def original(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if record := srd_record(kinds, name, source):
            return record
        return asyncio.run_coroutine_threadsafe(stored_record(kinds, name, source), loop).result()

    return original
