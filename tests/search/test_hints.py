"""Hints about a search that found little."""

from __future__ import annotations

from lorekeeper_mcp.search.hints import missing_names_hint


def test_an_unknown_name_is_reported_with_its_shorthand_expanded() -> None:
    assert missing_names_hint(["Beholder"], 40) == 'No entry is called "Beholder" in the 40 stored books.'
    assert missing_names_hint(["GWM"], 40) == 'No entry is called "Great Weapon Master" (GWM) in the 40 stored books.'
    assert missing_names_hint(["One", "Two"], 40) == 'No entry is called "One" or "Two" in the 40 stored books.'
