from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.open5e.stat_blocks.spell_lists import with_commas, with_lines


@pytest.mark.parametrize(
    ("served", "expected"),
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
def test_lists_without_commas_are_split_at_the_names_of_spells(served: str, expected: str) -> None:
    assert with_commas(served) == expected


@pytest.mark.parametrize(
    ("served", "set_as"),
    [
        (
            "It casts:\nAt will: light\n1/day each: fog, hex",
            "It casts:\n\n- **At Will:** light\n- **1/Day Each:** fog, hex",
        ),
        ("It casts:\n\n3/day: a\n\n1/week: b", "It casts:\n\n- **3/Day:** a\n- **1/Week:** b"),
        (
            "It casts:constant: a (its own) at will: hex3/day each: c",
            "It casts:\n\n- **Constant:** a (its own)\n- **At Will:** hex\n- **3/Day Each:** c",
        ),
        (
            "It has:\n\n- **7th-Level** (1 slot): b, 8th-level (1 slot): c\n\n*Its own.",
            "It has:\n\n- **7th-Level** (1 slot): b\n- **8th-Level** (1 slot): c\n\n*Its own.",
        ),
        ("- **5 years old, at will:** light\n- **10 years old, 1/Day**: fog", None),
        ("It casts fly at will, or hex 3/day as at 5th level: it is old.", None),
    ],
)
def test_each_spell_list_has_its_own_line(served: str, set_as: str | None) -> None:
    expected = set_as or served
    assert with_lines(served) == expected
    assert with_lines(expected) == expected, "setting it twice changes nothing"
