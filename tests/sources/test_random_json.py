"""Files with any value replaced: no reader raises, and every item becomes a record or is named."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorekeeper_mcp.sources.fivetools.entries import markdown
from tests.corpus import entries
from tests.corpus.entries import parsed
from tests.example_counts import EXAMPLES
from tests.json_paths import paths, value_at
from tests.sources.fivetools.invented import FILE
from tests.sources.fivetools.test_entries import ENTRIES
from tests.sources.imported_items import items_of, read_file, read_items

ODD = st.sampled_from(
    [None, True, -1, 1e300, 10**30, "", "x", "5", "\ud800", [], [[]], [None], {}, {"x": {}}, {"type": 3}]
)
FILES: dict[str, Any] = {
    "5etools": FILE,
    "foundry": [*parsed("foundry/dusk-moth"), *parsed("foundry/lights")],
    "initiative": [parsed("initiative/dusk-moth")],
    "export": parsed("initiative/export"),
}


PATHS = {name: list(paths(value)) for name, value in FILES.items()}


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_no_reader_raises_and_nothing_is_without_a_record_or_a_reason(name: str, data: st.DataObject) -> None:
    value = copy.deepcopy(FILES[name])
    for path in data.draw(st.lists(st.sampled_from(PATHS[name]), min_size=1, max_size=6)):
        try:
            value_at(value, path[:-1])[path[-1]] = copy.deepcopy(data.draw(ODD))
        except (KeyError, IndexError, TypeError):
            continue
    file = read_file(value)
    items = items_of(file)
    assert file.fault or len(items) >= least_items(name, value)
    assert all(item.record or item.reason for item in items)
    for book in file.books:
        book.records()


def least_items(name: str, value: Any) -> int:
    """The least number of items in a file: no fewer may be reported."""
    if name == "export" or not isinstance(value, list | dict):
        return 0
    if name != "5etools":
        return len(value)
    parts = ("classFeature", "subclassFeature", "legendaryGroup", "itemProperty", "monsterFluff", "foundryMonster")
    return sum(len(items) for section, items in value.items() if isinstance(items, list) and section not in parts)


DAMAGED = st.sampled_from(["", "\n", "  - [\n", "x: {\n", "\x00\n", "- - -\n", "cr: 1/0\n", "stats: x\n"])
NOTE = (entries.FILES / "statblocks" / "note.md").read_text(encoding="utf-8")
NOTE_LINES = NOTE.splitlines(keepends=True)


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_no_block_of_a_damaged_note_is_without_a_record_or_a_reason(data: st.DataObject) -> None:
    lines = list(NOTE_LINES)
    for number in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=5)):
        lines[number] = data.draw(DAMAGED)
    note = "".join(lines)[: data.draw(st.integers(0, len(NOTE)))]
    file = read_file(note)
    items = items_of(file)
    opened = sum(line.lstrip("`~").startswith("statblock") and line[0] in "`~" for line in note.splitlines() if line)
    assert file.fault or bool(items) == bool(opened)
    assert all(item.record or item.reason for item in items)


KINDS = [entry["type"] for _, entry, _ in ENTRIES if "type" in entry]
FIELDS = sorted({field for _, entry, _ in ENTRIES for field in entry})
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-9, 99), st.floats(0, 9), st.sampled_from(["", "a", "{@b x}", "5"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3),
        st.tuples(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)).map(
            lambda pair: {**pair[1], "type": pair[0]}
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=10 * EXAMPLES, deadline=None)
@given(entry=VALUES)
def test_any_tree_of_entries_is_a_text(entry: Any) -> None:
    marked = {"type": "entries", "entries": [entry, "zyxwv"]}
    assert "zyxwv" in markdown(marked)
    assert any(item.record for item in read_items({"feat": [{"name": "A", "source": "B", "entries": [entry]}]}))
