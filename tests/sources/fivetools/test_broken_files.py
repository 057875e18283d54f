"""Broken 5etools files: every broken item is named, and the rest is imported."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Kind
from tests.sources.fivetools.invented import FILE, SOURCE, data, item
from tests.sources.imported_items import items_of, read_file, read_items, records_by_name, skip_reasons

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"spell": [item("X", school="V")]}, "no spell level"),
    ({"spell": ["X"]}, "not an object"),
    ({"monster": [{"source": SOURCE}]}, "no name"),
    ({"monster": "x"}, "not a list"),
    ({"monster": [item("X", _copy={"name": "X", "source": SOURCE})]}, "not in these files"),
    ({"feat": [item("X", _copy={"name": "Y"}), item("Y", _copy={"name": "X"})]}, "copy of itself"),
]  # fmt: skip


@pytest.mark.parametrize(("sections", "reason"), BROKEN, ids=[reason for _, reason in BROKEN])
def test_a_broken_item_is_named_and_the_rest_imported(sections: dict[str, Any], reason: str) -> None:
    items = read_items({"_meta": FILE["_meta"], "language": FILE["language"], **sections})
    assert any(reason in skip_reason for skip_reason in skip_reasons(items)), skip_reasons(items)
    assert [record.name for record in records_by_name(items).values() if record.kind is Kind.LANGUAGE] == ["Flicker"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (data()[:-200], "line 1"),
        (b'{"a": ' * 100_000, "deep"),
        (b'{"_meta": {"sources": []}, "feat": [' + b"[" * 900 + b"]" * 900 + b"]}", ""),
        (b'{"name": "package", "version": "1"}', "The file is JSON, but not in a known homebrew format: OrcBrew"),
        (b"name: Ash\ntype: npc\n", "The file is YAML, but not in a known"),
        (b"a: 1\nb: [x\n", "The file is YAML, but not in a known"),
        (b"Once upon a time.", "The file is text, but not in a known"),
    ],
    ids=["cut off", "nested", "nested item", "other JSON", "other YAML", "broken YAML", "text"],
)
def test_a_file_that_cannot_be_read_is_one_sentence(content: bytes, fault: str) -> None:
    file = read_file(content)
    assert fault in file.fault
    assert file.fault or items_of(file)
