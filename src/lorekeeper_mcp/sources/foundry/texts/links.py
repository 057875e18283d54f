"""Resolves links between documents, which are ids, to the names of those in the same file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

_LINK = re.compile(
    r"(@(?:UUID|Item|Actor|JournalEntry|RollTable|Compendium|Embed)\[([^\]\s]{1,300})[^\]]{0,100}\])(?!\{)"
)
_ITEM = re.compile(r"\[\[/item ([\w.]{16,200})((?: [^\]]{0,200})?)\]\](?!\{)")
_HELD = ("items", "pages", "actors", "journal", "tables", "effects")
_DEEPEST = 4


def names_by_id(documents: Iterable[object], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names of documents and their contents, by their ids and by the ids that they were copied from."""
    for one in documents:
        if not isinstance(one, Mapping):
            continue
        name, own = one.get("name"), one.get("_id")
        stats, flags = one.get("_stats"), one.get("flags")
        core, system = (flags.get(of) for of in ("core", "dnd5e")) if isinstance(flags, Mapping) else (None, None)
        copied = (stats, "compendiumSource"), (core, "sourceId"), (system, "sourceId")
        ids = [own, *(of.get(field) for of, field in copied if isinstance(of, Mapping))]
        if isinstance(name, str) and name.strip():
            yield from (
                (one_id.rpartition(".")[2], name.strip()) for one_id in ids if isinstance(one_id, str) and one_id
            )
        for section in _HELD if depth < _DEEPEST else ():
            held = one.get(section)
            yield from names_by_id(held if isinstance(held, list) else (), depth + 1)


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
