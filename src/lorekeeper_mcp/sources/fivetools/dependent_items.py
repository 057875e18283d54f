"""Items that only appear in the records of others: lore, features, shared texts, properties, legendary groups."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.sources.fivetools.codes import code
from lorekeeper_mcp.sources.fivetools.context import Context, Item, Lists, feature_reference, identity
from lorekeeper_mcp.sources.fivetools.options import subrace_name, with_subraces
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.placeholders import fill_item_values
from lorekeeper_mcp.sources.json_values import listed, mapping

_SHARED_TEXT = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_MAX_DEPTH = 20  # shared texts in shared texts
_ITEM_SECTIONS = ("item", "baseitem", "magicvariant")
Find = Callable[[str, str], "Item | None"]


def dependent_items(lists: Lists, context: Context) -> frozenset[int]:
    """Return the ids, as of ``id``, of the items of a file that appear in the records of others."""
    items = (
        *_lore(lists),
        *_features(lists, context),
        *_legendary_groups(lists),
        *_properties(lists),
        *_item_types(lists),
        *_shared_texts(lists),
    )
    return frozenset(map(id, items))


def _lore(lists: Lists) -> Iterator[Item]:
    owners = {
        ("race" if section == "subrace" else section, *name)
        for section, items in lists.items()
        for item in items
        for owner in (with_subraces(item) if section == "race" else [item])
        for name in _names_in_lore(mapping(owner))
    }
    for section, items in lists.items():
        if section.endswith("Fluff"):
            yield from (item for item in items if (section.removesuffix("Fluff"), *identity(item)) in owners)


def _names_in_lore(item: Mapping[str, object]) -> list[tuple[str, str]]:
    """The identities under which a file has the lore of an item; a subrace may also be listed with its race."""
    names = [identity(item)]
    if item.get("raceName"):
        names.append(identity({**item, "name": subrace_name(item)}))
    return names


def lore_of(section: str, item: Item, items: Mapping[tuple[str, str, str], Item]) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names.

    ``items`` are those of the file by section and identity.
    """
    section = "race" if section == "subrace" else section
    fluff = item.get("fluff")
    own = mapping(fluff)
    references = [mapping(own.get(f"_{name}Fluff")) for name in (section, f"append{section[:1].upper()}{section[1:]}")]
    names = [*_names_in_lore(item), *(identity(reference) for reference in references if reference)]
    lore = fluff if isinstance(fluff, list) else {key: value for key, value in own.items() if not key.startswith("_")}
    texts = [markdown(lore)]
    texts += [markdown(mapping(items.get((f"{section}Fluff", *name))).get("entries")) for name in names]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def _features(lists: Lists, context: Context) -> Iterator[Item]:
    """The features that a class or subclass lists, and those that such a feature refers to."""
    for section, features in context.features.items():
        owners = lists.get(section.removesuffix("Feature"), [])
        references = [reference for owner in owners for reference in listed(owner.get(f"{section}s"))]
        listed_keys = set()
        while references:
            _, key = feature_reference(references.pop(), section)
            if key in features and key not in listed_keys:
                listed_keys.add(key)
                yield features[key]
                references += _references(features[key].get("entries"), section)


def _references(entries: object, section: str) -> list[object]:
    """The features that a feature's text refers to."""
    if isinstance(entries, list):
        return [reference for entry in entries for reference in _references(entry, section)]
    entry = mapping(entries)
    is_reference = str(entry.get("type", "")).startswith("ref") and section in entry
    references = [entry[section]] if is_reference else []
    for field in ("entries", "items"):
        references += _references(entry[field], section) if field in entry else []
    return references


def _legendary_groups(lists: Lists) -> Iterator[Item]:
    used = {identity(mapping(creature.get("legendaryGroup"))) for creature in lists.get("monster", [])}
    return (group for group in lists.get("legendaryGroup", []) if identity(group) in used)


def _properties(lists: Lists) -> Iterator[Item]:
    used = _codes_in(lists, "property")
    return (item for item in lists.get("itemProperty", []) if code(item.get("abbreviation")) in used)


def _item_types(lists: Lists) -> Iterator[Item]:
    """The types that items refer to, without those that have a text: records only have the name of a type."""
    used = _codes_in(lists, "type")
    types = (item for item in lists.get("itemType", []) if code(item.get("abbreviation")) in used)
    return (item for item in types if not (item.get("entries") or item.get("entriesTemplate")))


def _codes_in(lists: Lists, field: str) -> set[str]:
    items = (item for section in _ITEM_SECTIONS for item in lists.get(section, []))
    return {code(mapping(value).get("uid", value)) for item in items for value in listed(item.get(field))}


def _shared_texts(lists: Lists) -> Iterator[Item]:
    shared = lists.get("itemEntry", [])
    if not shared:
        return
    used = set()
    for item in (item for section in (*_ITEM_SECTIONS, "itemGroup") for item in lists.get(section, [])):
        source = str(item.get("source") or mapping(item.get("inherits")).get("source"))
        for reference in _SHARED_TEXT.finditer(json.dumps(item, default=str, ensure_ascii=False)):
            used.add(identity({"name": reference[1].strip(), "source": (reference[2] or source).strip()}))
    yield from (text for text in shared if identity(text) in used)


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
