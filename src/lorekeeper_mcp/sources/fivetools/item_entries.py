"""Texts that several items share: ``{#itemEntry Ring of Resistance|XDMG}``, with the item's values filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.fivetools.context import Lists, identity
from lorekeeper_mcp.sources.fivetools.creature_modifications import Item
from lorekeeper_mcp.sources.fivetools.texts.leaf_entries import with_values
from lorekeeper_mcp.sources.json_values import listed, mapping

_REFERENCE = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_DEEPEST = 20
Find = Callable[[str, str], "Item | None"]


def with_item_entries(item: Item, find: Find) -> Item:
    """Return an item with the shared texts in its entries; ``find`` returns one by name and source."""
    if "entries" not in item or "{" not in json.dumps(item["entries"], default=str):
        return item
    told = (_expanded(one, str(item.get("source") or ""), find) for one in listed(item["entries"]))
    return {**item, "entries": with_values([part for parts in told for part in parts], item)}


def _expanded(entry: object, source: str, find: Find, depth: int = 0) -> list[object]:
    """An entry, or those of the shared text that it refers to; a text in no file stays a reference."""
    if isinstance(entry, str) and (found := _REFERENCE.fullmatch(entry.strip())):
        name, place = found[1].strip(), (found[2] or source).strip()
        shared = find(name, place) if depth < _DEEPEST else None
        entries = listed(shared.get("entriesTemplate")) if shared else [f"See {name} ({place})."]
        return [part for one in entries for part in _expanded(one, place, find, depth + 1)]
    if isinstance(entry, Mapping) and depth < _DEEPEST:
        inner = {
            key: [part for one in value for part in _expanded(one, source, find, depth + 1)]
            for key, value in entry.items()
            if isinstance(value, list) and key in ("entries", "items")
        }
        return [{**entry, **inner}]
    return [entry]


def referred(lists: Lists) -> frozenset[tuple[str, str]]:
    """Return the names and sources of shared texts that items of the file refer to."""
    if not lists.get("itemEntry"):
        return frozenset()
    found = set()
    for section in ("item", "baseitem", "magicvariant", "itemGroup"):
        for one in lists.get(section, []):
            source = str(one.get("source") or mapping(one.get("inherits")).get("source"))
            for hit in _REFERENCE.finditer(json.dumps(one, default=str, ensure_ascii=False)):
                found.add(identity({"name": hit[1].strip(), "source": (hit[2] or source).strip()}))
    return frozenset(found)
