"""Italics that only Open5e's text has."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.sources.open5e.emphasis import with_italics


@pytest.mark.parametrize(
    ("text", "served", "result"),
    [
        ("You cast light at will.", "You cast _light_ at will.", "You cast *light* at will."),
        ("You cast light by light.", "You cast light by *light*.", "You cast light by *light*."),
        ("A moth casts light.", "You cast _light_ at will.", "A moth casts light."),  # other words around it
        ("You cast *light* or dim.", "You cast light or _dim_.", "You cast *light* or dim."),  # has italics of its own
        ("**Light.** You glow.", "**Light.** You glow.", "**Light.** You glow."),
        ("A lamp_post glows.", "A _lamp_post glows.", "A lamp_post glows."),
    ],
)
def test_a_phrase_has_italics_where_the_same_words_surround_it(text: str, served: str, result: str) -> None:
    assert with_italics(text, served) == result
