"""Texts that a record takes from other items of the file: its lore, and shared texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from lorekeeper_mcp.sources.fivetools.context import DependentItems, Item, identity
from lorekeeper_mcp.sources.fivetools.options import subrace_name
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.placeholders import fill_item_values
from lorekeeper_mcp.sources.json_values import listed, mapping

_SHARED_TEXT = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_MAX_DEPTH = 20  # shared texts in shared texts
Find = Callable[[str, str], "Item | None"]


def lore_of(section: str, item: Item, dependents: DependentItems) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names."""
    section = "race" if section == "subrace" else section
    fluff = item.get("fluff")
    own = mapping(fluff)
    references = [mapping(own.get(f"_{name}Fluff")) for name in (section, f"append{section[:1].upper()}{section[1:]}")]
    names = [*_names_in_lore(item), *(identity(reference) for reference in references if reference)]
    lore = fluff if isinstance(fluff, list) else {key: value for key, value in own.items() if not key.startswith("_")}
    texts = [markdown(lore)]
    texts += [markdown(mapping(dependents.find(f"{section}Fluff", name)).get("entries")) for name in names]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def _names_in_lore(item: Mapping[str, object]) -> list[tuple[str, str]]:
    """The identities under which a file has the lore of an item; a subrace may also be listed with its race."""
    names = [identity(item)]
    if item.get("raceName"):
        names.append(identity({**item, "name": subrace_name(item)}))
    return names


def with_shared_texts(item: Item, find: Find) -> Item:
    """Return an item with the shared texts that its entries refer to as ``{#itemEntry Ring of Resistance|XDMG}``.

    The item's values are filled in; ``find`` returns a shared text by name and source.
    """
    if "entries" not in item or "{" not in json.dumps(item["entries"], default=str):
        return item
    source = str(item.get("source") or "")
    entries = [part for entry in listed(item["entries"]) for part in _expanded(entry, source, find)]
    return {**item, "entries": fill_item_values(entries, item)}


def _expanded(entry: object, source: str, find: Find, depth: int = 0) -> list[object]:
    """An entry, or those of the shared text that it refers to; a text in no file stays a reference."""
    if isinstance(entry, str) and (reference := _SHARED_TEXT.fullmatch(entry.strip())):
        name, source = reference[1].strip(), (reference[2] or source).strip()
        shared = find(name, source) if depth < _MAX_DEPTH else None
        entries = listed(shared.get("entriesTemplate")) if shared else [f"See {name} ({source})."]
        return [part for inner in entries for part in _expanded(inner, source, find, depth + 1)]
    if isinstance(entry, Mapping) and depth < _MAX_DEPTH:
        nested = {
            field: [part for inner in value for part in _expanded(inner, source, find, depth + 1)]
            for field, value in entry.items()
            if isinstance(value, list) and field in ("entries", "items")
        }
        return [{**entry, **nested}]
    return [entry]
