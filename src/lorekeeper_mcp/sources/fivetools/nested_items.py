"""Items nested in others: stat blocks in a text, and the versions of an item."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.sources.fivetools.context import Item, lists_of
from lorekeeper_mcp.sources.json_values import listed, mapping


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
