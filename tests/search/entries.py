"""Entries of the catalog, invented for tests."""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.text import slugify


def entry(name: str, document: str = "srd-2024", kind: Kind = Kind.MAGIC_ITEM) -> Entry:
    key = f"{document}_{slugify(name)}"
    return Entry(
        f"{kind}:{key}", kind, key, name, document, (document,), ("2024",), Source.OPEN5E_V2, False, True, 0, 0
    )
