"""Items that only appear in the records of others: lore, features, shared texts, properties, legendary groups."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.sources.fivetools.codes import code
from lorekeeper_mcp.sources.fivetools.context import Context, Item, Lists, feature_reference, identity
from lorekeeper_mcp.sources.fivetools.options import subrace_name, with_subraces
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.leaf_entries import with_values
from lorekeeper_mcp.sources.json_values import listed, mapping

_SHARED_TEXT = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_DEEPEST = 20  # shared texts in shared texts
_ITEMS = ("item", "baseitem", "magicvariant")
Find = Callable[[str, str], "Item | None"]


def dependent_items(lists: Lists, context: Context) -> frozenset[int]:
    """Return the ids, as of ``id``, of the items of a file that appear in the records of others."""
    found = (*_lore(lists), *_features(lists, context), *_definitions(lists), *_shared_texts(lists))
    return frozenset(map(id, found))


def _lore(lists: Lists) -> Iterator[Item]:
    owners = {
        ("race" if section == "subrace" else section, *name)
        for section, of in lists.items()
        for one in of
        for whole in (with_subraces(one) if section == "race" else [one])
        for name in _names_in_lore(mapping(whole))
    }
    for section in [name for name in lists if name.endswith("Fluff")]:
        yield from (one for one in lists[section] if (section.removesuffix("Fluff"), *identity(one)) in owners)


def _names_in_lore(item: Mapping[str, object]) -> list[tuple[str, str]]:
    """The identities under which a file has the lore of an item; a subrace may also be listed with its race."""
    return [identity(item)] + ([identity({**item, "name": subrace_name(item)})] if item.get("raceName") else [])


def lore_of(section: str, item: Item, named: Mapping[tuple[str, str, str], Item]) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names.

    ``named`` are the items of the file by section and identity.
    """
    section = "race" if section == "subrace" else section
    own = mapping(item.get("fluff"))
    others = [mapping(own.get(f"_{field}Fluff")) for field in (section, f"append{section[:1].upper()}{section[1:]}")]
    wanted = [*_names_in_lore(item), *(identity(other) for other in others if other)]
    found = [mapping(named.get((f"{section}Fluff", *one))) for one in wanted]
    shown: object = {key: value for key, value in own.items() if not key.startswith("_")} or []
    if isinstance(item.get("fluff"), list):
        shown = item["fluff"]
    texts = [markdown(shown), *(markdown(one.get("entries", [])) for one in found)]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def _features(lists: Lists, context: Context) -> Iterator[Item]:
    """The features that a class or subclass lists, and those that such a feature refers to."""
    for section, known in context.features.items():
        owners = lists.get(section.removesuffix("Feature"), [])
        left = [one for spec in owners for one in listed(spec.get(f"{section}s"))]
        seen = set()
        while left:
            _, key = feature_reference(left.pop(), section)
            if key in known and key not in seen:
                seen.add(key)
                yield known[key]
                left += _references(known[key].get("entries"), section)


def _references(entries: object, section: str) -> list[object]:
    """The features that a feature's text refers to."""
    if isinstance(entries, list):
        return [found for one in entries for found in _references(one, section)]
    spec = mapping(entries)
    own = [spec[section]] if str(spec.get("type", "")).startswith("ref") and section in spec else []
    return own + [found for key in ("entries", "items") for found in _references(spec.get(key, []), section) if spec]


def _definitions(lists: Lists) -> Iterator[Item]:
    """The legendary groups, properties and types that items refer to."""
    groups = {identity(mapping(one.get("legendaryGroup"))) for one in lists.get("monster", [])}
    yield from (one for one in lists.get("legendaryGroup", []) if identity(one) in groups)
    items = [one for section in _ITEMS for one in lists.get(section, [])]
    for section, field in (("itemProperty", "property"), ("itemType", "type")):
        used = {code(mapping(one).get("uid", one)) for item in items for one in listed(item.get(field))}
        named = (one for one in lists.get(section, []) if code(one.get("abbreviation")) in used)
        # Records only have the name of a type, not its text.
        yield from (
            one for one in named if section != "itemType" or not (one.get("entries") or one.get("entriesTemplate"))
        )


def _shared_texts(lists: Lists) -> Iterator[Item]:
    shared = lists.get("itemEntry", [])
    found = set()
    for one in [one for section in (*_ITEMS, "itemGroup") for one in lists.get(section, [])] if shared else []:
        source = str(one.get("source") or mapping(one.get("inherits")).get("source"))
        for hit in _SHARED_TEXT.finditer(json.dumps(one, default=str, ensure_ascii=False)):
            found.add(identity({"name": hit[1].strip(), "source": (hit[2] or source).strip()}))
    yield from (one for one in shared if identity(one) in found)


def with_shared_texts(item: Item, find: Find) -> Item:
    """Return an item with the shared texts that its entries refer to as ``{#itemEntry Ring of Resistance|XDMG}``.

    The item's values are filled in; ``find`` returns a shared text by name and source.
    """
    if "entries" not in item or "{" not in json.dumps(item["entries"], default=str):
        return item
    expanded = (_expanded(one, str(item.get("source") or ""), find) for one in listed(item["entries"]))
    return {**item, "entries": with_values([part for parts in expanded for part in parts], item)}


def _expanded(entry: object, source: str, find: Find, depth: int = 0) -> list[object]:
    """An entry, or those of the shared text that it refers to; a text in no file stays a reference."""
    if isinstance(entry, str) and (found := _SHARED_TEXT.fullmatch(entry.strip())):
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
