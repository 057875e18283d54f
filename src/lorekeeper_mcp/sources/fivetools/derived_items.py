"""Items that a file only describes: stat blocks in texts, versions, variants for base items, chapters, shared texts."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from lorekeeper_mcp.sources.field_reader import listed, mapping, number, objects, value_at
from lorekeeper_mcp.sources.fivetools.adapters import KIND_FLAGS
from lorekeeper_mcp.sources.fivetools.context import DependentItems, Item, code, identity, lists_of
from lorekeeper_mcp.sources.fivetools.entries import fill, markdown
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of
from lorekeeper_mcp.sources.fivetools.tags import text_in
from lorekeeper_mcp.sources.fivetools.values import print_value
from lorekeeper_mcp.sources.imported import ItemError

WHOLE_BOOKS = ("book", "adventure", "bookData", "adventureData")
_RULES = ("inherits", "requires", "excludes", "type")  # fields that say what the variants are
_CALCULATED = ("name", "value", "weight", "entries")  # how the fields begin that are not inherited as they are
_SHARED_TEXT = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_MAX_DEPTH = 20  # shared texts in shared texts
_LONG_CHAPTER = 20_000  # characters; its sections are chapters of their own
Find = Callable[[str, str], "Item | None"]


def with_nested_items(data: Mapping[str, object]) -> tuple[Item, dict[str, str]]:
    """Return a file with nested items as separate items, and why some sections lack a part of them."""
    extended = dict(data)
    extended_lists: dict[str, list[object]] = {}
    contents: dict[str, set[str]] = {}
    faults: dict[str, str] = {}
    for section, items in lists_of(data).items():
        try:
            for item in items:
                versions = ((section, version) for version in _versions(item))
                for target, nested in (*versions, *_stat_blocks(item)):
                    if not isinstance(extended.get(target, []), list):
                        continue
                    if target not in extended_lists:
                        extended[target] = extended_lists[target] = listed(extended.get(target))
                        contents[target] = set(map(_content, extended_lists[target]))
                    if (content := _content(nested)) not in contents[target]:
                        contents[target].add(content)
                        extended_lists[target].append(nested)
        except ItemError as error:
            faults[section] = str(error)
    return extended, faults


def _content(item: object) -> str:
    """Return a text that is the same for equal items."""
    return json.dumps(item, sort_keys=True)


def _stat_blocks(item: Mapping[str, object]) -> Iterator[tuple[str, Item]]:
    """Stat blocks in the texts of an item, with the sections that they belong to."""
    values: list[object] = [item]
    while values:
        value = values.pop()
        if isinstance(value, Mapping):
            block, section = value.get("data"), value.get("dataType")
            if value.get("type") == "statblockInline" and isinstance(block, dict) and isinstance(section, str):
                yield section, {"source": item.get("source"), **block}
            values += value.values()
        elif isinstance(value, list):
            values += value


def _versions(item: Mapping[str, object]) -> Iterator[Item]:
    """The versions of an item as copies of it. An abstract one yields a version for each set of variables."""
    for spec in map(mapping, listed(item.get("_versions"))):
        implementations = [mapping(own) for own in listed(spec.get("_implementations"))]
        abstract = spec.get("_abstract")
        own_fields = [_filled(abstract, own) for own in implementations] if isinstance(abstract, Mapping) else [spec]
        for version in own_fields:
            changes = {name: version[name] for name in ("_mod", "_templates") if name in version}
            fields = {name: value for name, value in version.items() if not name.startswith("_")}
            original = {"name": item.get("name"), "source": item.get("source"), **changes}
            yield {"source": item.get("source"), **fields, "_copy": original}


def _filled(abstract: Mapping[str, object], own: Mapping[str, object]) -> Mapping[str, object]:
    """Replace ``{{color}}`` in every text by the value of the variable, and add a version's own fields."""
    text = json.dumps(abstract)
    grow(len(text))
    for name, value in mapping(own.get("_variables")).items():
        mark, new = "{{" + name + "}}", json.dumps(str(value))[1:-1]
        grow(text.count(mark) * len(new))
        text = text.replace(mark, new)
    return {**mapping(json.loads(text)), **own}


# --- Variants and subraces ---


def with_subraces(value: object) -> list[object]:
    """Return a race, and each of its nested subraces as a separate item."""
    if not isinstance(value, dict) or not isinstance(value.get("subraces"), list):
        return [value]
    own = {field: part for field, part in value.items() if field != "subraces"}
    parent = {"source": value.get("source"), "raceName": value.get("name"), "raceSource": value.get("source")}
    subraces = [subrace for subrace in objects(value["subraces"]) if subrace.get("name")]
    return [own, *({**parent, "_subrace": True, **subrace} for subrace in subraces)]


def subrace_name(item: Mapping[str, object]) -> str:
    """Return the name of a subrace with its race: ``Elf (Fen)``."""
    name, parent = text_in(item, "name"), str(item.get("raceName") or "")
    return f"{parent} ({name})" if name and parent else name or parent


def variant_items(variant: Mapping[str, object], bases: Sequence[Item]) -> Iterator[Item]:
    """Yield a generic variant as an item, and one item for each base item of the file that it applies to."""
    inherits, excludes = mapping(variant.get("inherits")), mapping(variant.get("excludes"))
    requires = [mapping(requirement) for requirement in listed(variant.get("requires"))]
    generic = {field: value for field, value in inherits.items() if not field.startswith("name")}
    generic |= {field: value for field, value in variant.items() if field not in _RULES}
    generic |= {flag: True for requirement in requires for flag in KIND_FLAGS if requirement.get(flag) is True}
    entries = listed(variant.get("entries"))
    entries += [entry for entry in listed(inherits.get("entries")) if entry not in entries]
    generic["made of"], generic["not made of"] = print_value(requires), print_value(excludes)
    generic["rarity"] = inherits.get("rarity", variant.get("rarity", "varies"))
    generic["source"] = variant.get("source", inherits.get("source"))
    generic["entries"] = fill(entries, {"baseName": "item", **generic}.get)
    yield generic
    for base in bases:
        if any(_meets(base, requirement) for requirement in requires) and not _is_excluded(base, excludes):
            yield _specific_item(base, inherits, generic)


def _meets(base: Item, requirement: Mapping[str, object]) -> bool:
    return bool(requirement) and all(_fits(base.get(name), wanted) for name, wanted in requirement.items())


def _is_excluded(base: Item, excludes: Mapping[str, object]) -> bool:
    return any(name in base and _fits(base[name], excluded) for name, excluded in excludes.items())


def _fits(value: object, wanted: object) -> bool:
    wanted_codes = set(map(code, listed(wanted)))
    return any(code(own) in wanted_codes for own in listed(value) or [None])


def _specific_item(base: Item, inherits: Mapping[str, object], generic: Item) -> Item:
    grow(size_of(base) + size_of(inherits))
    name, removed = str(base.get("name", "")), str(inherits.get("nameRemove") or "")
    plain_name = name.replace(removed, "") if removed else name
    item = copy.deepcopy(base)
    item |= {field: value for field, value in inherits.items() if not field.startswith(_CALCULATED)}
    item["name"] = f"{inherits.get('namePrefix', '')}{plain_name}{inherits.get('nameSuffix', '')}"
    item["rarity"], item["source"] = generic["rarity"], generic["source"]
    for field in ("value", "weight"):
        amount, factor = number(base.get(field)), number(inherits.get(f"{field}Mult"))
        if field == "value" and factor is None:
            item.pop("value", None)  # the price of the mundane item does not apply to the magic one
        elif amount is not None and factor is not None:
            item[field] = amount * factor
    entries = [*listed(base.get("entries")), *listed(inherits.get("entries"))]
    item["entries"] = fill(entries, {"baseName": name, **inherits, **item}.get)
    properties = [*listed(item.get("property")), *listed(item.pop("propertyAdd", None))]
    removed_codes = {code(value) for value in listed(item.pop("propertyRemove", None))}
    if properties:
        item["property"] = [value for value in properties if code(value) not in removed_codes]
    return item


# --- Books and adventures ---


def chapters(section: str, book: object) -> Iterator[object]:
    """Yield the chapters of a book or an adventure, and what else is said of it, as items."""
    parts = listed(book.get("data")) if isinstance(book, dict) else []
    if not isinstance(book, dict) or not any(isinstance(part, dict) for part in parts):
        yield book
        return
    title = text_in(book, "name") or text_in(book, "id") or section
    about = {name: value for name, value in book.items() if name != "data"}
    texts = [part for part in parts if not (isinstance(part, dict) and part.get("name"))]
    if texts or about.keys() - {"id", "source", "name"}:
        yield {**about, "name": title, "data": texts}
    for part in parts:
        if isinstance(part, dict) and part.get("name"):
            yield from _chapters(part, {"source": book.get("source") or book.get("id"), "part of": title})


def _chapters(part: Mapping[str, object], about: Mapping[str, object], depth: int = 0) -> Iterator[Item]:
    """A chapter; the named parts of a long one are chapters, too."""
    entries = listed(part.get("entries"))
    own = [entry for entry in entries if not (isinstance(entry, dict) and entry.get("name"))]
    if size_of(part) <= _LONG_CHAPTER or depth > 3 or len(own) == len(entries):
        own, split = entries, []
    else:
        split = [entry for entry in entries if isinstance(entry, dict) and entry.get("name")]
    if own or not split:
        yield {**about, "name": part.get("name"), "entries": own}
    for entry in split:
        inner = {**about, "part of": f"{about['part of']} › {text_in(part, 'name')}"}
        yield from _chapters(entry, inner, depth + 1)


# --- Texts of other items ---


def lore_of(section: str, item: Item, dependents: DependentItems) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names."""
    section = "race" if section == "subrace" else section
    fluff = item.get("fluff")
    own = mapping(fluff)
    references = [mapping(own.get(f"_{name}Fluff")) for name in (section, f"append{section[:1].upper()}{section[1:]}")]
    names = [identity(item), *(identity(reference) for reference in references if reference)]
    if item.get("raceName"):  # a subrace may also be listed with its race
        names.append(identity({**item, "name": subrace_name(item)}))
    lore = fluff if isinstance(fluff, list) else {key: value for key, value in own.items() if not key.startswith("_")}
    texts = [markdown(lore)]
    texts += [markdown(mapping(dependents.find(f"{section}Fluff", name)).get("entries")) for name in names]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def with_shared_texts(item: Item, find: Find) -> Item:
    """Return an item with the shared texts that its entries refer to as ``{#itemEntry Ring of Resistance|XDMG}``.

    The item's values are filled in; ``find`` returns a shared text by name and source.
    """
    if "entries" not in item or "{" not in json.dumps(item["entries"], default=str):
        return item
    source = str(item.get("source") or "")
    entries = [part for entry in listed(item["entries"]) for part in _expanded(entry, source, find)]
    return {**item, "entries": fill(entries, partial(value_at, item))}


def _expanded(entry: object, source: str, find: Find, depth: int = 0) -> list[object]:
    """An entry, or those of the shared text that it refers to; a text in no file stays a reference."""
    if isinstance(entry, str) and (reference := _SHARED_TEXT.fullmatch(entry.strip())):
        name, source = reference[1].strip(), (reference[2] or source).strip()
        shared = find(name, source) if depth < _MAX_DEPTH else None
        entries = listed(shared.get("entriesTemplate")) if shared else [f"See {name} ({source})."]
        grow(size_of(entries))
        return [part for inner in entries for part in _expanded(inner, source, find, depth + 1)]
    if isinstance(entry, Mapping) and depth < _MAX_DEPTH:
        nested = {
            field: [part for inner in value for part in _expanded(inner, source, find, depth + 1)]
            for field, value in entry.items()
            if isinstance(value, list) and field in ("entries", "items")
        }
        return [{**entry, **nested}]
    return [entry]
