"""Hints about a search that found little."""

from __future__ import annotations

from lorekeeper_mcp.search.hints import missing_names_hint


def test_a_name_that_nothing_has_is_said_with_its_shorthand_spelled_out() -> None:
    assert missing_names_hint(["Beholder"], 40) == 'No entry is called "Beholder" in the 40 books here.'
    assert missing_names_hint(["GWM"], 40) == 'No entry is called "Great Weapon Master" (GWM) in the 40 books here.'
    assert missing_names_hint(["One", "Two"], 40) == 'No entry is called "One" or "Two" in the 40 books here.'
