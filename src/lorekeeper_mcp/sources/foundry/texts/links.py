"""Resolves links between documents, which are ids, to the names of those in the same file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lorekeeper_mcp.sources.json_values import members, text, texts, value_at

_LINK = re.compile(
    r"(@(?:UUID|Item|Actor|JournalEntry|RollTable|Compendium|Embed)\[([^\]\s]{1,300})[^\]]{0,100}\])(?!\{)"
)
_ITEM = re.compile(r"\[\[/item ([\w.]{16,200})((?: [^\]]{0,200})?)\]\](?!\{)")
_CONTENTS = ("items", "pages", "actors", "journal", "tables", "effects")
_ID_PATHS = ("_id", "_stats.compendiumSource", "flags.core.sourceId", "flags.dnd5e.sourceId")  # its own, its originals'
_DEEPEST = 4


def names_by_id(documents: Iterable[object], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names of documents and their contents, by their ids and by the ids that they were copied from."""
    for document in documents:
        if not isinstance(document, Mapping):
            continue
        if name := text(document, "name"):
            for id_ in texts([value_at(document, path) for path in _ID_PATHS]):
                yield id_.rpartition(".")[2], name
        if depth < _DEEPEST:
            for section in _CONTENTS:
                yield from names_by_id(members(document.get(section)), depth + 1)


def linked(value: object, names: Mapping[str, str]) -> object:
    """Return a JSON value with its links labelled by the names of their targets, if known."""
    if isinstance(value, str):
        return _linked_text(value, names) if "@" in value or "[[/item" in value else value
    if isinstance(value, list):
        return [linked(inner, names) for inner in value]
    if isinstance(value, dict):
        fields = {field: linked(inner, names) for field, inner in value.items()}
        target = fields.get("uuid", fields.get("actor", fields.get("documentId", fields.get("key"))))
        name = _target_name(target, names) if isinstance(target, str) else ""
        return {**fields, "name": name} if name and not fields.get("name") else fields
    return value


def _linked_text(text: str, names: Mapping[str, str]) -> str:
    def label(link: re.Match[str]) -> str:
        name = _target_name(link[2], names)
        return f"{link[1]}{{{name}}}" if name else link[1]

    text = _ITEM.sub(lambda item: f"[[/item {_target_name(item[1], names) or item[1]}{item[2]}]]", text)
    return _LINK.sub(label, text)


def _target_name(path: str, names: Mapping[str, str]) -> str:
    return names.get(path.rpartition(".")[2], "")
