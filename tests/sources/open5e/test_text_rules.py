"""The general rules for texts: each still has something to repair, and what they make of a few."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from lorekeeper_mcp.sources.open5e.text_rules import PROSE, RULES, clean_fields, clean_text
from tests.recorded import load, needs_recorded


def prose(value: object, field: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from prose(entry, name)
    elif isinstance(value, list):
        for entry in value:
            yield from prose(entry, field)
    elif isinstance(value, str) and field in PROSE:
        yield value


@needs_recorded
def test_every_rule_changes_a_recorded_text() -> None:
    unused = dict(enumerate(RULES))
    for text in (text for endpoint in ADAPTERS for record in load(endpoint) for text in prose(record)):
        for number, rule in enumerate(RULES):
            before, text = text, rule(text)  # noqa: PLW2901 - each rule sees what the ones before it made
            if number in unused and text != before:
                del unused[number]
        if not unused:
            return
    assert list(unused) == []


@pytest.mark.parametrize(
    ("served", "cleaned"),
    [
        ("a lamp<br>A moth &amp; <b>dust</b>", "a lamp\n\nA moth & **dust**"),
        ("see [light](https://x.test/light) there", "see light there"),
        ("one-\u00ad\u2010\u2011handed", "one-handed"),
        ("When it glows  the moth sees 30' for 10minutes", "When it glows, the moth sees 30 ft. for 10 minutes"),
        ("It doesnt glow with o wax, w/wick", "It doesn't glow without wax, with wick"),
        ("thieves' cant", "thieves' cant"),
        ("Doesn't require air food drink or sleep.", "Doesn't require air, food, drink, or sleep."),
        ("as _light_ , or __wax_ .", "as _light_, or _wax_."),
        ("It glows.\n  A moth comes.", "It glows.\n\nA moth comes."),
        ("- One.\n- Two.", "- One.\n- Two."),
        ("Roll: | d4 | Glow |\n|---|---|\n| 1 | Red |", "Roll:\n\n| d4 | Glow |\n|---|---|\n| 1 | Red |"),
        ("<table><tr><th>A</th></tr><tr><td>1</td></tr></table>", "A\n\n1"),
    ],
)
def test_a_text_is_clean(served: str, cleaned: str) -> None:
    assert clean_text(served) == cleaned
    assert clean_text(cleaned) == cleaned


def test_only_prose_is_cleaned() -> None:
    served = {"key": "a  b", "desc": "a  b", "attacks": [{"name": "a  b"}], "traits": [{"desc": "a  b"}]}
    assert clean_fields(served) == {
        "key": "a  b",
        "desc": "a, b",
        "attacks": [{"name": "a  b"}],
        "traits": [{"desc": "a, b"}],
    }
