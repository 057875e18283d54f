from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.open5e.stat_blocks.spell_lists import with_commas


@pytest.mark.parametrize(
    ("lost", "found"),
    [
        (
            "Wis (DC 19) no material components: At will: bane bless3/day ea: invisibility (self only) healing word",
            "Wis (DC 19) no material components:\n\n- **At Will:** bane, bless\n"
            "- **3/Day Each:** invisibility (self only), healing word",
        ),
        (
            "Cha (DC 16): At will: fog cloud • 1/day: cause fear",
            "Cha (DC 16):\n\n- **At Will:** fog cloud\n- **1/Day:** cause fear",
        ),
        ("Int (DC 13): 1/day: detect evil and good light", "Int (DC 13):\n\n- **1/Day:** detect evil and good, light"),
        ("The hag is a caster: At will: bane, bless", "The hag is a caster: At will: bane, bless"),
        ("It bites.", "It bites."),
    ],
)
def test_lists_without_commas_are_split_at_the_names_of_spells(lost: str, found: str) -> None:
    assert with_commas(lost) == found
