"""Values that are only in a spell's text."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.spell_form import needs_attack_roll, saving_throw


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Make a ranged spell attack against the target.", True),
        ("It is making a melee spell attack that stings.", True),
        ("With a successful ranged spell attack, the lamp goes out.", True),
        ("You must succeed on a melee spell attack roll against the moth.", True),
        ("When you are the target of a ranged spell attack, the moth takes it.", False),
        ("Spell attacks against you have disadvantage.", False),
    ],
)
def test_an_attack_roll_is_needed_if_the_caster_attacks(text: str, expected: bool) -> None:
    assert needs_attack_roll(text) is expected


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
