"""Items that a file only describes: stat blocks in a text, versions, variants of magic items for base items."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence

from lorekeeper_mcp.sources.fivetools.codes import code
from lorekeeper_mcp.sources.fivetools.context import Item, lists_of
from lorekeeper_mcp.sources.fivetools.equipment import CATEGORIES, FLAGS
from lorekeeper_mcp.sources.fivetools.texts.placeholders import fill_variables
from lorekeeper_mcp.sources.fivetools.texts.values import value_text
from lorekeeper_mcp.sources.json_values import decimal, listed, mapping

_RULES = ("inherits", "requires", "excludes", "type")  # fields that say what the variants are
_CALCULATED = ("name", "value", "weight", "entries")  # how the fields begin that are not inherited as they are


def with_nested_items(data: Mapping[str, object]) -> Item:
    """Return a file with nested items as separate items."""
    extended = dict(data)
    extended_lists: dict[str, list[object]] = {}
    contents: dict[str, set[str]] = {}
    for section, items in lists_of(data).items():
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
    return extended


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
        versions = [spec]
        if isinstance(abstract := spec.get("_abstract"), Mapping):
            implementations = map(mapping, listed(spec.get("_implementations")))
            versions = [{**_fill(abstract, mapping(own.get("_variables"))), **own} for own in implementations]
        for version in versions:
            changes = {name: version[name] for name in ("_mod", "_templates") if name in version}
            fields = {name: value for name, value in version.items() if not name.startswith("_")}
            original = {"name": item.get("name"), "source": item.get("source"), **changes}
            yield {"source": item.get("source"), **fields, "_copy": original}


def _fill(abstract: Mapping[str, object], variables: Mapping[str, object]) -> Mapping[str, object]:
    """Replace ``{{color}}`` in every text by the value of the variable."""
    text = json.dumps(abstract)
    for name, value in variables.items():
        text = text.replace("{{" + name + "}}", json.dumps(str(value))[1:-1])
    return mapping(json.loads(text))


def variant_items(variant: Mapping[str, object], bases: Sequence[Item]) -> list[Item]:
    """Return a generic variant as an item, and one item for each base item of the file that it applies to."""
    inherits, excludes = mapping(variant.get("inherits")), mapping(variant.get("excludes"))
    requires = [mapping(requirement) for requirement in listed(variant.get("requires"))]
    generic = _generic_item(variant)
    fitting = [base for base in bases if any(_meets(base, requirement) for requirement in requires)]
    return [generic, *(_specific_item(base, inherits, generic) for base in fitting if not _is_among(base, excludes))]


def _meets(base: Item, requirement: Mapping[str, object]) -> bool:
    return bool(requirement) and all(_matches(base.get(name), wanted) for name, wanted in requirement.items())


def _is_among(base: Item, excludes: Mapping[str, object]) -> bool:
    return any(name in base and _matches(base[name], excluded) for name, excluded in excludes.items())


def _generic_item(variant: Mapping[str, object]) -> Item:
    inherits, excludes = mapping(variant.get("inherits")), mapping(variant.get("excludes"))
    requires = [mapping(requirement) for requirement in listed(variant.get("requires"))]
    generic = {field: value for field, value in inherits.items() if not field.startswith("name")}
    generic |= {field: value for field, value in variant.items() if field not in _RULES}
    for requirement in requires:
        generic |= {name: True for name, value in requirement.items() if name in FLAGS and value is True}
    entries = listed(variant.get("entries"))
    entries += [entry for entry in listed(inherits.get("entries")) if entry not in entries]
    if required := " or ".join(filter(None, map(_requirement_text, requires))):
        generic["made of"] = required
    if excluded := _requirement_text(excludes):
        generic["not made of"] = excluded
    generic["rarity"] = inherits.get("rarity", variant.get("rarity", "varies"))
    generic["source"] = variant.get("source", inherits.get("source"))
    generic["entries"] = fill_variables(entries, {"baseName": "item", **generic, "entries": entries})
    return generic


def _requirement_text(requirement: Mapping[str, object]) -> str:
    """The requirements of a base item, if more than a named kind: ``armor, type HA``."""
    if all(name in FLAGS and value is True for name, value in requirement.items()):
        return ""
    texts = []
    for name, value in requirement.items():
        parts = (value_text(part) if isinstance(part, Mapping) else code(part) for part in listed(value))
        text = ", ".join(parts)
        text = CATEGORIES.get(text, text) if name == "type" else text
        if text and name != "page":
            texts.append(name if value is True else f"{name} {text}")
    return ", ".join(texts)


def _matches(value: object, wanted: object) -> bool:
    wanted_codes = set(map(code, listed(wanted)))
    return any(code(own) in wanted_codes for own in listed(value) or [None])


def _specific_item(base: Item, inherits: Mapping[str, object], generic: Item) -> Item:
    name, removed = str(base.get("name", "")), str(inherits.get("nameRemove") or "")
    plain_name = name.replace(removed, "") if removed else name
    item = copy.deepcopy(base)
    item |= {field: value for field, value in inherits.items() if not field.startswith(_CALCULATED)}
    item["name"] = f"{inherits.get('namePrefix', '')}{plain_name}{inherits.get('nameSuffix', '')}"
    item["rarity"], item["source"] = generic["rarity"], generic["source"]
    for field in ("value", "weight"):
        number, factor = decimal(base.get(field)), decimal(inherits.get(f"{field}Mult"))
        if field == "value" and factor is None:
            item.pop("value", None)  # the price of the mundane item does not apply to the magic one
        elif number is not None and factor is not None:
            item[field] = number * factor
    entries = [*listed(base.get("entries")), *listed(inherits.get("entries"))]
    item["entries"] = fill_variables(entries, {"baseName": name, **inherits, **item})
    properties = [*listed(item.get("property")), *listed(item.pop("propertyAdd", None))]
    removed_codes = {code(value) for value in listed(item.pop("propertyRemove", None))}
    if properties:
        item["property"] = [value for value in properties if code(value) not in removed_codes]
    return item
