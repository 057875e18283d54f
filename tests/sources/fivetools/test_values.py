"""Values other than entries: grants and choices, formatted variables, references."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.sources.fivetools.context import grants
from lorekeeper_mcp.sources.fivetools.entries import fill
from lorekeeper_mcp.sources.html_markdown import html_markdown


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("{=x}", 2.5, "2.5"),
        ("{=x/l}", "Long Sword", "long sword"),
        ("{=x/a} {=x}", "axe", "an axe"),
        ("{=x}", ["cold", "fire"], "cold and fire"),
        ("{=y/v}", 2, "{=y/v}"),
    ],
)
def test_a_variable_is_formatted_by_its_suffix(text: str, value: Any, shown: str) -> None:
    assert fill(text, {"x": value}.get) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"choose": {"from": ["str", "dex"], "amount": 2}}, "choose 1 from Strength, Dexterity (amount: 2)"),
        ([{"str": 2, "dex": -1}], "Strength +2, Dexterity -1"),
        ([{"longsword|phb": True, "light": True}], "Longsword, Light"),
        ([{"choose": {"from": ["arcana", "sleight of hand"], "count": 2}}], "choose 2 from Arcana, Sleight of Hand"),
        ([{"any": 2}], "any: 2"),
    ],
)
def test_grants_and_choices_are_printed_whole(value: Any, text: str) -> None:
    assert grants(value) == text


def test_html_becomes_markdown() -> None:
    text = html_markdown("<p>It <b>burns</b>.</p><ul><li>one</li><li>two &amp; three</li></ul><p>x<br/>y</p>")
    assert text == "It **burns**.\n\n- one\n- two & three\n\nx\ny"
