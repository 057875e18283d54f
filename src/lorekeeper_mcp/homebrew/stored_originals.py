"""Originals of copies among the stored records: of Open5e, and of imported books of every format."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources import fivetools
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import fold


def stored_originals(cache: Cache) -> fivetools.Lookup:
    """Return what finds the original of a copy among the records of a store, as an item of the copy's format.

    Call it on the event loop; what it returns waits for the loop, so it is called in another thread.
    """
    loop = asyncio.get_running_loop()
    titles = {one.document_key: one.name for one in cache.catalog if one.kind is Kind.DOCUMENT}
    by_name: dict[str, list[Entry]] = {}

    async def original(section: str, wanted: Mapping[str, object]) -> dict[str, object] | None:
        if not by_name:
            for entry in cache.catalog:
                by_name.setdefault(entry.folded, []).append(entry)
        kinds, source = fivetools.kinds_of(section), str(wanted.get("source"))
        named = [one for one in by_name.get(fold(str(wanted.get("name"))), ()) if one.kind in kinds]
        meant = next((one for one in named if slug(source) in _codes(one, titles)), None)
        found = await cache.records([meant] if meant else [])
        return next((fivetools.item_of(record, source) for record in found.values()), None)

    return lambda section, wanted: asyncio.run_coroutine_threadsafe(original(section, wanted), loop).result()


def _codes(entry: Entry, titles: Mapping[str, str]) -> Iterator[str]:
    """What a source may call the documents of an entry: by key, by title, or by the initials of the title."""
    for key in entry.documents:
        yield slug(key)
        if title := titles.get(key):
            yield slug(title)
            yield "".join(word if word.isdigit() else word[:1] for word in fold(title).split())
