"""A field that no reader knows is on the page of its entry, in every format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.entries import FILES
from tests.record_pages import markdown
from tests.sources.imported_items import read_file

# The fields of an object that is an entry, or the data of a document.
ENTRIES = {
    "fivetools": ({"name", "source"},),
    "foundry": ({"description", "source"}, {"abilities"}),
    "initiative": ({"Name", "HP"}, {"Name", "Level"}),
    "statblocks": ({"name", "stats"},),
}
JSON_FILES = sorted(path for format_ in ENTRIES for path in (FILES / format_).glob("*.json"))
# A class and its level are part of a reference; a copy names its original by all fields.
_WITHOUT = ("_copy", "_meta", "fromClassList", "activities", "class", "legendaryGroup", "itemProperty", "monsterFluff")


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = [inner for name, inner in value.items() if name not in _WITHOUT]
    for inner in value if isinstance(value, list) else ():
        yield from objects(inner)


@pytest.mark.parametrize("path", JSON_FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_unknown_field_is_on_the_page(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    forms = ENTRIES[path.parent.name]
    entries = [entry for entry in objects(content) if any(form <= entry.keys() for form in forms)]
    for number, entry in enumerate(entries):
        entry["glimmer"] = {"hue": f"zq{number}x", "rays": [number]}
    pages = "\n".join(markdown(record) for book in read_file(content).books for record in book.records()[1:])
    assert [number for number in range(len(entries)) if f"hue: zq{number}x" not in pages] == []
