"""Journals, tables, adventures and packs of Foundry, and documents without records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorekeeper_mcp.sources.imported import ImportedItem
from tests.corpus.entries import parsed
from tests.sources.imported_items import read_file, read_items

NPC, SPELL, *_, JOURNAL, ROLL_TABLE = parsed("foundry/lights")


def read(*documents: dict[str, Any]) -> list[ImportedItem]:
    return read_items(documents)


def test_journals_and_tables_are_chapters_of_rules() -> None:
    journal, table = (item.record for item in read(JOURNAL, ROLL_TABLE))
    assert journal is not None
    assert journal.text == "## Dusk\n\nIt is dim.\n\n## Map\n\nThe fens"
    assert table is not None
    assert table.text == "| 1d2 | Result |\n|---|---|\n| 1 | ash |\n| 2–4 | rain |"


@pytest.mark.parametrize("field", ["command", "walls", "sounds", "cards", "combatants"])
def test_documents_without_a_text_are_skipped(field: str) -> None:
    macro, spell = read({"name": "Roll", "_stats": {}, field: []}, SPELL)
    assert (macro.record, macro.reason) == (None, "it has no text of the game")
    assert spell.record is not None


def test_an_adventure_is_read_as_its_documents() -> None:
    items = read({"name": "Fens", "_id": "x", "description": "<p>Go.</p>", "actors": [NPC], "journal": [JOURNAL]})
    assert {item.record.name for item in items if item.record} == {"Fens", "Marsh Moth", "Fen Notes"}


def test_a_pack_with_a_document_in_each_line_is_read_and_a_broken_line_is_named() -> None:
    pack = "\n".join([json.dumps(NPC), '{"name": ', json.dumps(SPELL)])
    items = read_items(pack)
    assert sorted(item.record.name for item in items if item.record) == ["Marsh Moth", "Moth Burst"]
    assert [item.reason for item in items if item.reason] == ["it is not a document of the dnd5e system"]


def test_a_source_says_the_edition_and_the_licence() -> None:
    revised = {"book": "Fens", "rules": "2024", "license": "CC-BY-4.0"}
    [book] = read_file([{**SPELL, "system": {**SPELL["system"], "source": revised}}]).books
    assert [item.record.editions for item in book.items if item.record] == [("2024",)]
    assert (book.document.license, book.document.editions) == ("CC-BY-4.0", ("2024",))
