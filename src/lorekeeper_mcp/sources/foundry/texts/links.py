"""Resolves links between documents, which are ids, to the names of those in the same file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lorekeeper_mcp.sources.json_values import members, text, texts, value_at

_LINK = re.compile(
    r"(@(?:UUID|Item|Actor|JournalEntry|RollTable|Compendium|Embed)\[([^\]\s]{1,300})[^\]]{0,100}\])(?!\{)"
)
_ITEM = re.compile(r"\[\[/item ([\w.]{16,200})((?: [^\]]{0,200})?)\]\](?!\{)")
_HELD = ("items", "pages", "actors", "journal", "tables", "effects")
_IDS = ("_id", "_stats.compendiumSource", "flags.core.sourceId", "flags.dnd5e.sourceId")  # its own, its originals'
_DEEPEST = 4


def names_by_id(documents: Iterable[object], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names of documents and their contents, by their ids and by the ids that they were copied from."""
    for one in documents:
        if not isinstance(one, Mapping):
            continue
        if name := text(one, "name"):
            ids = [value_at(one, path) for path in _IDS]
            yield from ((id_.rpartition(".")[2], name) for id_ in texts(ids))
        for section in _HELD if depth < _DEEPEST else ():
            yield from names_by_id(members(one.get(section)), depth + 1)


def linked(value: object, names: Mapping[str, str]) -> object:
    """Return a JSON value with its links labelled by the names of their targets, if known."""
    if isinstance(value, str):
        if "[[/item" in value:
            value = _ITEM.sub(lambda hit: f"[[/item {_name(hit[1], names) or hit[1]}{hit[2]}]]", value)
        return _LINK.sub(lambda hit: _labelled(hit, names), value) if "@" in value else value
    if isinstance(value, list):
        return [linked(one, names) for one in value]
    if isinstance(value, dict):
        made = {name: linked(one, names) for name, one in value.items()}
        leads = made.get("uuid", made.get("actor", made.get("documentId", made.get("key"))))
        found = _name(leads, names) if isinstance(leads, str) else ""
        return {**made, "name": found} if found and not made.get("name") else made
    return value


def _name(path: str, names: Mapping[str, str]) -> str:
    return names.get(path.rpartition(".")[2], "")


def _labelled(hit: re.Match[str], names: Mapping[str, str]) -> str:
    found = _name(hit[2], names)
    return f"{hit[1]}{{{found}}}" if found else hit[1]
