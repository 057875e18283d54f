"""Broken 5etools files: every broken item is named, and the rest is imported."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

import json
from typing import Any

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources import formats
from tests.sources.fivetools.invented import FILE, SOURCE, data, item

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"spell": [item("X", school="V")]}, "no level"),
    ({"spell": ["X"]}, "not an object"),
    ({"monster": [{"source": SOURCE}]}, "no name"),
    ({"monster": "x"}, "not a list"),
    ({"monster": [item("X", _copy={"name": "X", "source": SOURCE})]}, "not in these files"),
    ({"feat": [item("X", _copy={"name": "Y"}), item("Y", _copy={"name": "X"})]}, "copy of itself"),
    ({"feat": [item("X", _copy={"name": "Y", "_mod": {"entries": {"mode": "melt"}}}), item("Y", entries=["a"])]}, "not known"),
    (
        {"feat": [item("X", _copy={"name": "Y", "_mod": {"entries": {"mode": "replaceTxt", "replace": "(a+)+$", "with": ""}}}),
                  item("Y", entries=["a" * 50])]},
        "too complex",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("sections", "reason"), BROKEN, ids=[reason for _, reason in BROKEN])
def test_a_broken_item_is_named_and_the_rest_imported(sections: dict[str, Any], reason: str) -> None:
    read = formats.read(json.dumps({"_meta": FILE["_meta"], "language": FILE["language"], **sections}).encode(), "x")
    items = [outcome for book in read.books for outcome in book.items]
    assert any(reason in outcome.reason for outcome in items), [outcome.reason for outcome in items]
    assert [outcome.record.name for outcome in items if outcome.record and outcome.record.kind is Kind.LANGUAGE] == [
        "Flicker"
    ]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (data()[:-200], "line 1"),
        (b'{"a": ' * 100_000, "deep"),
        (b'{"_meta": {"sources": []}, "feat": [' + b"[" * 900 + b"]" * 900 + b"]}", ""),
        (b'{"name": "package", "version": "1"}', "not in a known"),
    ],
    ids=["cut off", "nested", "nested item", "other JSON"],
)
def test_a_file_that_cannot_be_read_is_one_sentence(given: bytes, told: str) -> None:
    read = formats.read(given, "x")
    assert told in read.fault
    assert read.fault or [outcome.reason for book in read.books for outcome in book.items]
