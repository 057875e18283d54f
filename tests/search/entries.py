"""Catalog entries, invented for tests."""

from __future__ import annotations

from collections.abc import Iterable

from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.search.names.name_index import NameIndex, build_name_index
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.text import fold, slugify


def entry(name: str, document: str = "srd-2024", kind: Kind = Kind.MAGIC_ITEM, section: str = "") -> Entry:
    key = "_".join(part for part in (document, section, slugify(name)) if part)
    values = (f"|{section}|",) if kind is Kind.RULE else ()
    edition = ("2024",)
    return Entry(
        f"{kind}:{key}",
        kind,
        key,
        name,
        fold(name),
        document,
        (document,),
        edition,
        Source.OPEN5E_V2,
        True,
        0,
        0,
        values,
    )


def by_id(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.id: entry for entry in entries}


def indexed(entries: list[Entry]) -> tuple[NameIndex, set[str]]:
    """The index of the entries' names, and their ids."""
    return build_name_index(entries), set(by_id(entries))
