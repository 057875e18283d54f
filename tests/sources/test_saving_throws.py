"""The saving throw that a spell's text requires."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.saving_throws import saving_throw


@pytest.mark.parametrize(
    ("text", "served", "expected"),
    [
        ("Each creature in the area makes a Dexterity saving throw.", "", "dexterity"),
        ("The moth must succeed on a Wisdom save or sleep.", "intelligence", "wisdom"),
        ("It makes a Strength or Dexterity saving throw (its choice).", "dexterity", "dexterity"),
        ("It makes a Strength saving throw. Later it makes a Wisdom saving throw.", "wisdom", "wisdom"),
        ("A lit lantern gives you advantage on Dexterity saving throws.", "dexterity", ""),
        ("It adds the d4 to an initiative roll or a Dexterity saving throw.", "dexterity", ""),
        ("It has disadvantage on Dexterity saving throws, and may make a Wisdom saving throw.", "dexterity", "wisdom"),
        ("Whoever has advantage on checks must make a Charisma saving throw.", "", "charisma"),
        ("You keep your Intelligence score. On a failed save it weeps.", "intelligence", "intelligence"),
        ("Finding it takes an Intelligence (Investigation) check against your spell save DC.", "intelligence", ""),
        ("A lantern lights up.", "", ""),
    ],
)
def test_a_saving_throw_follows_the_text(text: str, served: str, expected: str) -> None:
    assert saving_throw(text, served) == expected
