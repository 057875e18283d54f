"""Dashes, lists and names of paragraphs are set as in the book, and nothing else is changed."""

from __future__ import annotations

from srd_converter.book2014.typesetting import with_lists, with_names
from tests.srd import srd_records


def test_dashes_are_restored_as_in_the_book() -> None:
    records = {record.id: record for record in srd_records()}
    assert "one category—from Medium to Large" in records["spell:srd_enlargereduce"].text
    assert not any("two—handed" in record.text for record in records.values())


def test_a_line_after_a_list_introduction_becomes_a_list_item() -> None:
    text = "You gain these:\n\nYou can breathe lamp light.\n\nYou have resistance to lightning damage."
    assert with_lists(text) == text.replace("You have", "- You have")
    assert with_lists("- You have resistance to lightning damage.") == "- You have resistance to lightning damage."


def test_a_paragraph_begins_where_the_book_begins_one_with_a_name() -> None:
    text = "It costs no charges. Tree Form. You can use a lamp. Lamp Form. You can use a tree."
    assert with_names(text) == text.replace(" Tree Form. ", "\n\n**Tree Form.** ")
