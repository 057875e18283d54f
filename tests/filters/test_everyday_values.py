"""Amounts in everyday forms."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters.argument_types import FEET, GP, POINTS, parse_amount


@pytest.mark.parametrize(
    ("text", "units", "value"),
    [("1,000 gp", GP, 1000), ("5 sp", GP, 0.5), ("60 ft.", FEET, 60), ("1 mile", FEET, 5280), ("AC 18", POINTS, 18)],
)
def test_an_amount_is_read_in_its_unit(text: str, units: dict[str, float], value: float) -> None:
    assert parse_amount(text, units) == value


@pytest.mark.parametrize("text", ["under 50 gp", "50 gp or less", "50 feet", "not 50 gp", "50 to 60 gp"])
def test_an_amount_with_other_words_is_refused(text: str) -> None:
    assert parse_amount(text, GP) is None
