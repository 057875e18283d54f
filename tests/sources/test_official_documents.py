"""No book can pose as an official document."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.imported import book_key, document
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.official_documents import OFFICIAL_KEYS, own_name
from lorekeeper_mcp.text import fold
from tests.recorded import load, needs_recorded


@needs_recorded
def test_every_document_of_open5e_is_known() -> None:
    served = load("v2/documents")
    assert {document["key"] for document in served} <= OFFICIAL_KEYS
    assert {document["slug"] for document in load("v1/documents")} <= OFFICIAL_KEYS
    assert all(fold(own_name(document["name"])) != fold(document["name"]) for document in served)


@pytest.mark.parametrize(
    "name",
    [
        "srd-2014", "SRD 2014", "Srd_2024!", "System Reference Document 5.2", "Tome of Beasts",
        "\u0405ystem Reference D\u043ecument 5.2", "\uff33\uff32\uff24 5.1", "T\u03bfme of Beasts",
        "System Reference Document 5.2.1", "System Reference Document v5.2 by Wizards of the Coast",
        "The Official SRD 5.2.1", "S.R.D. 5.2", "The Tome of Beasts (Official)",
        "System Reference Doc\u03c5ment 5.2", "\u13daystem Reference Document", "S\U0001044eystem of Beasts",
        "B\u043eok of Moths", "D&D 5.2 SRD (official)", "System Reference Doc 5.2", "Player's Handbook (2024)",
        "Core Rules", "D&D Basic Rules", "Monster Manual, 5th Edition", "Monster Manual (2025)", "PHB",
    ],
)  # fmt: skip
def test_a_book_with_an_official_name_is_marked_as_homebrew(name: str) -> None:
    book = document(name)
    assert book.key.endswith("-homebrew")
    assert book.key == book_key(name) == book_key(book.name)
    assert book.key not in OFFICIAL_KEYS
    assert book.name.endswith("(homebrew)")


def test_an_escape_sequence_hides_no_name() -> None:
    assert document(str(visible("\x1b[31mSRD 5.2\x1b[0m")[0])).name == "SRD 5.2 (homebrew)"


def test_other_books_keep_their_names() -> None:
    others = ("Vell's Book", "Книга мотыльков", "Σκόρος", "Moths of Москва", "Moths (homebrew)", "New Monsters", "2024")
    for name in others:
        assert document(name).name == name
