"""Editions that questions name in words."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.name_index import build_name_index
from lorekeeper_mcp.search.question import EDITION_WORDS, compared_editions, extract_edition
from tests.search.entries import entry


@pytest.mark.parametrize(
    ("search", "rest", "edition"),
    [
        ("grappling in 2024", "grappling", "2024"),
        ("how does surprise work in the 2014 rules?", "how does surprise work ?", "2014"),
        ("2024 counterspell", "counterspell", "2024"),
        ("two spells in one turn (2024 rules)", "two spells in one turn", "2024"),
        ("exhaustion, 5.5e", "exhaustion", "2024"),
        ("stealth by the a5e rules", "stealth", "a5e"),
        ("difference between 2014 and 2024 grappling", "difference between 2014 and 2024 grappling", None),
        ("srd-2024_grappled", "srd-2024_grappled", None),
        ("2024", "2024", None),
        ("items that cost 2014 gp", "items that cost 2014 gp", None),
    ],
)
def test_an_edition_in_a_question_is_extracted(search: str, rest: str, edition: str | None) -> None:
    assert extract_edition(search) == (rest, edition)


def test_a_year_in_a_name_is_no_edition() -> None:
    names = build_name_index([entry("Armistice 2014", kind=Kind.SPELL), entry("2024", kind=Kind.SPELL)])
    assert names.has_name_in("does armistice 2014 stop opportunity attacks", EDITION_WORDS)
    assert not names.has_name_in("does armistice stop opportunity attacks 2014", EDITION_WORDS)
    assert not names.has_name_in("grappled in 2024", EDITION_WORDS)


@pytest.mark.parametrize(
    ("search", "several"),
    [
        ("human, 2014 or 2024?", True),
        ("grappling by the old and the new rules", True),
        ("surprise 5.5e vs 2014", True),
        ("grappling in 2024", False),
        ("the new rules for grappling", False),
    ],
)
def test_a_question_may_compare_editions(search: str, several: bool) -> None:
    assert bool(compared_editions(search)) is several
