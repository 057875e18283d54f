"""Originals of copies among the stored records: those of Open5e, and imported books of every format."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from lorekeeper_mcp.models import Kind, Record, Source
from lorekeeper_mcp.sources.originals import Lookup, is_called, srd_record
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold


def stored_originals(cache: Cache, without: Collection[str] = ()) -> Lookup:
    """Return a lookup of records in the embedded SRDs, then in a store, except documents with some keys.

    Call it on the event loop; the returned function waits for the loop and is called in another thread.
    """
    loop = asyncio.get_running_loop()
    titles = {one.document_key: one.name for one in cache.catalog if one.kind is Kind.DOCUMENT}
    by_name: dict[str, list[Entry]] = {}

    async def original(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if not by_name:
            # Prefer one that is not homebrew, and choose the same one each time.
            for entry in sorted(cache.catalog, key=lambda one: (one.source is Source.ORCBREW, one.id)):
                by_name.setdefault(entry.folded, []).append(entry)
        named = (one for one in by_name.get(fold(name), ()) if one.kind in kinds and one.document_key not in without)
        documents = ((one, [(key, titles.get(key, "")) for key in one.documents]) for one in named)
        meant = next((one for one, of in documents if is_called(source, of)), None)
        return next(iter((await cache.records([meant] if meant else [])).values()), None)

    def found(kinds: Collection[Kind], name: str, source: str) -> Record | None:
        if record := srd_record(kinds, name, source):
            return record
        return asyncio.run_coroutine_threadsafe(original(kinds, name, source), loop).result()

    return found
