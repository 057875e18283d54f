"""Items nested in others: stat blocks in a text, and the versions of an item."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from lorekeeper_mcp.sources.fivetools.context import Item, lists_of
from lorekeeper_mcp.sources.json_values import listed, mapping


def with_parts(data: Mapping[str, object]) -> Item:
    """Return a file with nested items as separate items."""
    made = dict(data)
    lists: dict[str, list[object]] = {}
    contents: dict[str, set[str]] = {}
    for section, items in lists_of(data).items():
        for item in items:
            for of, part in (*((section, one) for one in _versions(item)), *_stat_blocks(item)):
                if not isinstance(made.get(of, []), list):
                    continue
                if of not in lists:
                    made[of] = lists[of] = [*listed(made.get(of))]
                    contents[of] = set(map(_content, lists[of]))
                if (content := _content(part)) not in contents[of]:
                    contents[of].add(content)
                    lists[of].append(part)
    return made


def _content(item: object) -> str:
    """Return a text that is the same for equal items."""
    return json.dumps(item, sort_keys=True)


def _stat_blocks(item: Mapping[str, object]) -> Iterator[tuple[str, Item]]:
    """Stat blocks in the texts of an item, with the sections that they belong to."""
    left: list[object] = [item]
    while left:
        value = left.pop()
        if isinstance(value, Mapping):
            data, section = value.get("data"), value.get("dataType")
            if value.get("type") == "statblockInline" and isinstance(data, dict) and isinstance(section, str):
                yield section, {"source": item.get("source"), **data}
            left += value.values()
        elif isinstance(value, list):
            left += value


def _versions(item: Mapping[str, object]) -> Iterator[Item]:
    """The versions of an item as copies of it. An abstract one yields a version for each set of variables."""
    for spec in map(mapping, listed(item.get("_versions"))):
        abstract = spec.get("_abstract")
        made = [spec]
        if isinstance(abstract, Mapping):
            sets = map(mapping, listed(spec.get("_implementations")))
            made = [{**_with_variables(abstract, one.get("_variables")), **one} for one in sets]
        for one in made:
            copied = {name: one[name] for name in ("_mod", "_templates") if name in one}
            own = {name: value for name, value in one.items() if not name.startswith("_")}
            original = {"name": item.get("name"), "source": item.get("source"), **copied}
            yield {"source": item.get("source"), **own, "_copy": original}


def _with_variables(abstract: Mapping[str, object], values: object) -> Mapping[str, object]:
    """Replace ``{{color}}`` in every text by the value of the variable."""
    text = json.dumps(abstract)
    for name, value in mapping(values).items():
        text = text.replace("{{" + str(name) + "}}", json.dumps(str(value))[1:-1])
    return mapping(json.loads(text))
