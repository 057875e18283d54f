"""Values that are only in a spell's text."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.spell_texts import needs_attack_roll


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
