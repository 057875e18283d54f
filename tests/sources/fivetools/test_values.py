"""Values other than entries: grants and choices, formatted variables, references."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.sources.fivetools.texts.placeholders import fill_variables
from lorekeeper_mcp.sources.fivetools.texts.values import choice_text, value_text
from lorekeeper_mcp.sources.imported import ItemError
from lorekeeper_mcp.text import label

FORMS = [
    ("{=x/v}", 0.5, "½"),
    ("{=x/v}", 2.25, "2¼"),
    ("{=x/v}", 0.1, "0.1"),
    ("{=x/x}", 3, "three"),
    ("{=x/x}", 40, "40"),
    ("{=x/r} {=x/f} {=x/c}", 2.5, "3 2 3"),
    ("{=x/l}", "Long Sword", "long sword"),
    ("{=x/t}", "long sword", "Long Sword"),
    ("{=x/u}", "ash", "ASH"),
    ("{=x/a} {=x}", "axe", "an axe"),
    ("{=x/lt}", "LONG SWORD", "Long Sword"),
    ("{=x}", ["cold", "fire"], "cold and fire"),
    ("{=x/v}", "ash", "ash"),
    ("{=x/zq}", 2, "2"),
    ("{=y/v}", 2, "{=y/v}"),
]


@pytest.mark.parametrize(("text", "value", "shown"), FORMS, ids=[f"{row[0]} {row[1]}" for row in FORMS])
def test_a_variable_is_formatted_by_its_suffix(text: str, value: Any, shown: str) -> None:
    assert fill_variables(text, {"x": value}) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"choose": {"from": ["str", "dex"], "amount": 2}}, "choose 1 from Strength, Dexterity (+2)"),
        ([{"str": 2, "dex": -1}], "Strength +2, Dexterity -1"),
        ([{"longsword|phb": True, "light": True}], "Longsword, Light"),
        ({"choose": {"fromFilter": "type=martial weapon|page=3"}}, "choose 1 (type martial weapon, page 3)"),
    ],
)
def test_choices_are_printed_whole(value: Any, text: str) -> None:
    assert choice_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("torch|xphb", "torch"),
        ("torch|xphb|torches", "torches"),
        ("a | b", "a | b"),
        ("One.|Two", "One."),
        ({"item": "rope|xphb", "quantity": 2}, "2 rope"),
        ({"name": "Ki", "source": "X", "amountMin": 1}, "Ki (amount min 1)"),
        ({"a": {"b": {"c": 1}}}, "a: b: c 1"),
        (["One sentence.", "Another."], "One sentence.\nAnother."),
        ({"type": "dicePool", "name": "Zeal", "count": "<$pb$>"}, "Zeal (type dicePool, count proficiency bonus)"),
        ("<$level$> / 2 + <$int_mod$>", "level / 2 + Intelligence modifier"),
        ({"type": {"choose": ["beast", "fey"]}}, "type: choose 1 from Beast, Fey"),
        (None, ""),
        (False, "no"),
    ],
)
def test_a_value_is_printed_in_words(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_a_value_nested_too_deep_is_refused() -> None:
    value: Any = "x"
    for _ in range(100):
        value = {"a": value}
    with pytest.raises(ItemError, match="deeper than"):
        value_text(value)


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("summonedBySpell", "Summoned by Spell"),
        ("vehAc", "Vehicle AC"),
        ("hit points", "Hit Points"),
        ("Lore", "Lore"),
        ("", ""),
        ("dmg2", "Dmg2"),
    ],
)
def test_the_name_of_a_field_becomes_a_heading(name: str, heading: str) -> None:
    assert label(name) == heading
