"""Documents by key and by name."""

from __future__ import annotations

import dataclasses

import pytest

from lorekeeper_mcp.models import Kind, Source
from lorekeeper_mcp.repository.document_list import resolve_documents, summaries
from tests.search.entries import entry

KNOWN = [
    ("srd-2014", "System Reference Document 5.1"),
    ("open5e", "Open5e Originals"),
    ("open5e-2024", "Open5e Originals"),
    ("srd-homebrew", "SRD"),
    ("srd-2014-homebrew", "srd-2014"),
    ("system-reference-document-5-1", "System Reference Document 5.1"),
]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Open5e Originals", {"open5e", "open5e-2024"}),
        ("open5e", {"open5e"}),
        ("SRD", {"srd-2014", "srd-homebrew"}),
        ("system reference document 5.1", {"srd-2014", "system-reference-document-5-1"}),
        ("srd-2014", {"srd-2014"}),
        ("SRD-Homebrew", {"srd-homebrew"}),
    ],
)
def test_a_document_name_selects_all_documents_with_it_and_a_key_exactly_one(name: str, keys: set[str]) -> None:
    assert resolve_documents([name], KNOWN).keys == keys


def test_the_hint_for_an_unknown_name_has_the_nearest() -> None:
    assert "did you mean" in resolve_documents(["Open5e Originls"], KNOWN).hints[0]


def test_a_document_is_one_row_for_all_sources() -> None:
    first, second, third = (entry(name, "srd-2014", Kind.RULE) for name in ("One", "Two", "Three"))
    mixed = [first, second, dataclasses.replace(third, source=Source.SRD)]
    (row,) = summaries(mixed, {}, None)
    assert (row.entity_count, row.document_source) == (3, Source.OPEN5E_V2)
    (row,) = summaries(mixed, {}, Source.SRD)
    assert (row.entity_count, row.document_source) == (1, Source.SRD)
