"""Dashes and lists are set as in the book, and nothing else is changed."""

from __future__ import annotations

from srd_converter.book2014.typesetting import with_dashes, with_lists


def test_a_dash_stands_where_the_book_has_one() -> None:
    assert with_dashes("one category-from Medium to Large") == "one category—from Medium to Large"
    assert with_dashes("a two-handed lamp-post") == "a two-handed lamp-post"


def test_an_item_of_a_list_is_one() -> None:
    text = "You gain these:\n\nYou can breathe lamp light.\n\nYou have resistance to lightning damage."
    assert with_lists(text) == text.replace("You have", "- You have")
    assert with_lists("- You have resistance to lightning damage.") == "- You have resistance to lightning damage."
