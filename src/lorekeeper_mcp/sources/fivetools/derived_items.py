"""Items that a file only describes: stat blocks in texts, versions, variants for base items, chapters, shared texts."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import filterfalse

from lorekeeper_mcp.sources.field_reader import JsonObject, listed, mapping, number, objects, value_at
from lorekeeper_mcp.sources.fivetools.adapters import KIND_FLAGS
from lorekeeper_mcp.sources.fivetools.context import DependentItems, Item, code, identity, lists_of
from lorekeeper_mcp.sources.fivetools.entries import fill, markdown, text_in, with_replaced
from lorekeeper_mcp.sources.fivetools.growth import grow, size_of
from lorekeeper_mcp.sources.fivetools.values import print_value
from lorekeeper_mcp.sources.imported import ItemError

WHOLE_BOOKS = ("book", "adventure", "bookData", "adventureData")
_RULES = ("inherits", "requires", "excludes", "type")  # fields that say what the variants are
_CALCULATED = ("name", "value", "weight", "entries")  # how the fields begin that are not inherited as they are
_SHARED_TEXT = re.compile(r"\{#itemEntry ([^{}|]+)(?:\|([^{}]*))?\}")
_LONG_CHAPTER = 20_000  # characters; its sections are chapters of their own


def with_nested_items(data: JsonObject) -> tuple[Item, dict[str, str]]:
    """Return a file with nested items as separate items, and why some sections lack a part of them."""
    extended, faults = dict(data), {}
    contents: dict[str, set[str]] = {}  # what is in each extended section
    for section, items in lists_of(data).items():
        try:
            for item in items:
                versions = ((section, version) for version in _versions(item))
                for target, nested in (*versions, *_stat_blocks(item)):
                    values = extended.get(target, [])
                    if not isinstance(values, list):
                        continue
                    if target not in contents:
                        contents[target] = set(map(_content, values))
                        extended[target] = values = [*values]
                    if (content := _content(nested)) not in contents[target]:
                        contents[target].add(content)
                        values.append(nested)
        except ItemError as error:
            faults[section] = str(error)
    return extended, faults


def _content(item: object) -> str:
    """Return a text that is the same for equal items."""
    return json.dumps(item, sort_keys=True)


def _stat_blocks(item: Item) -> Iterator[tuple[str, Item]]:
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


def _versions(item: JsonObject) -> Iterator[Item]:
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


def _filled(abstract: JsonObject, own: JsonObject) -> JsonObject:
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


def subrace_name(item: JsonObject) -> str:
    """Return the name of a subrace with its race: ``Elf (Fen)``."""
    name, parent = text_in(item, "name"), str(item.get("raceName") or "")
    return f"{parent} ({name})" if name and parent else name or parent


def variant_items(variant: JsonObject, bases: Sequence[Item]) -> Iterator[Item]:
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


def _meets(base: Item, requirement: JsonObject) -> bool:
    return bool(requirement) and all(_fits(base.get(name), wanted) for name, wanted in requirement.items())


def _is_excluded(base: Item, excludes: JsonObject) -> bool:
    return any(name in base and _fits(base[name], excluded) for name, excluded in excludes.items())


def _fits(value: object, wanted: object) -> bool:
    wanted_codes = set(map(code, listed(wanted)))
    return any(code(own) in wanted_codes for own in listed(value) or [None])


def _specific_item(base: Item, inherits: JsonObject, generic: Item) -> Item:
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
    parts = listed(mapping(book).get("data"))
    if not isinstance(book, dict) or not objects(parts):
        yield book
        return
    title = text_in(book, "name") or text_in(book, "id") or section
    rest = {**book, "name": title, "data": list(filterfalse(_has_name, parts))}
    if rest["data"] or book.keys() - {"id", "source", "name", "data"}:
        yield rest
    for part in filter(_has_name, parts):
        yield from _chapters(mapping(part), {"source": book.get("source") or book.get("id"), "part of": title})


def _has_name(part: object) -> bool:
    return bool(mapping(part).get("name"))


def _chapters(part: JsonObject, about: Item, depth: int = 0) -> Iterator[Item]:
    """A chapter; the named parts of a long one are chapters, too."""
    entries = listed(part.get("entries"))
    is_long = depth <= 3 and size_of(part) > _LONG_CHAPTER
    split = list(filter(_has_name, entries)) if is_long else []
    own = list(filterfalse(_has_name, entries)) if is_long else entries
    if own or not split:
        yield {**about, "name": part.get("name"), "entries": own}
    for entry in split:
        yield from _chapters(
            mapping(entry), {**about, "part of": f"{about['part of']} › {text_in(part, 'name')}"}, depth + 1
        )


# --- Texts of other items ---


def lore_of(section: str, item: Item, dependents: DependentItems) -> str:
    """Return an item's lore: its own, and the file's in another section for it or for an item that it names."""
    section = "race" if section == "subrace" else section
    fluff, own = item.get("fluff"), mapping(item.get("fluff"))
    others = (own.get(f"_{name}Fluff") for name in (section, f"append{section[:1].upper()}{section[1:]}"))
    named = [item, *filter(None, map(mapping, others))]
    if item.get("raceName"):  # a subrace may also be listed with its race
        named.append({**item, "name": subrace_name(item)})
    lore = fluff if isinstance(fluff, list) else {key: value for key, value in own.items() if not key.startswith("_")}
    texts = [markdown(lore)]
    texts += [markdown(mapping(dependents.find(f"{section}Fluff", identity(name))).get("entries")) for name in named]
    return "\n\n".join(dict.fromkeys(filter(None, texts)))


def with_shared_texts(item: Item, find: Callable[[str, str], Item | None]) -> Item:
    """Return an item with the shared texts that its entries refer to as ``{#itemEntry Ring of Resistance|XDMG}``.

    The item's values are filled in; ``find`` returns a shared text by name and source.
    """
    if "entries" not in item or "{" not in json.dumps(item["entries"], default=str):
        return item

    def shared(entry: object) -> object:
        reference = _SHARED_TEXT.fullmatch(entry.strip()) if isinstance(entry, str) else None
        if reference is None:
            return None
        name, source = reference[1].strip(), (reference[2] or str(item.get("source") or "")).strip()
        text = find(name, source)
        return listed(text.get("entriesTemplate")) if text else [f"See {name} ({source})."]

    return {**item, "entries": fill(with_replaced(item["entries"], shared), partial(value_at, item))}
