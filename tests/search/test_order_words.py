"""Phrases for an order of results, and phrases that ask for none."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.query import Sort
from lorekeeper_mcp.search.grammar import parse_query

DANGEROUS, CHEAP = Sort("challenge_rating", is_descending=True), Sort("cost")


@pytest.mark.parametrize(
    ("search", "family", "sort", "filters"),
    [
        ("the strongest giants", Family.CREATURES, DANGEROUS, {"type"}),
        ("deadliest fiends of CR 10 or less", Family.CREATURES, DANGEROUS, {"type", "cr_max"}),
        ("the weakest undead in the book", Family.CREATURES, Sort("challenge_rating"), {"type"}),
        ("the most expensive armor", Family.EQUIPMENT, Sort("cost", is_descending=True), {"category"}),
        ("the lightest martial weapon", Family.EQUIPMENT, Sort("weight"), {"is_simple"}),
        ("which spell has the longest range", Family.SPELLS, Sort("range", is_descending=True), set()),
        ("monster with the most hit points", Family.CREATURES, Sort("hit_points", is_descending=True), set()),
        ("whats the smartest undead", Family.CREATURES, Sort("intelligence", is_descending=True), {"type"}),
        ("giants with the lowest AC", Family.CREATURES, Sort("armor_class"), {"type"}),
        ("slowest beasts", Family.CREATURES, Sort("fastest_speed"), {"type"}),
        (
            "cleric spells with the most expensive components",
            Family.SPELLS,
            Sort("material_cost", is_descending=True),
            {"class_key"},
        ),
        ("rogue features by level", Family.OPTIONS, Sort("levels"), {"class_key"}),
        ("cheapest mount", Family.EQUIPMENT, CHEAP, {"category"}),
    ],
)
def test_an_order_in_words_is_parsed(search: str, family: Family, sort: Sort, filters: set[str]) -> None:
    parsed = parse_query(search, family)
    assert parsed.sort == sort
    assert {applied.filter.argument for applied in parsed.filters} == filters
    assert any("Sorted by" in hint for hint in parsed.hints())


@pytest.mark.parametrize(
    ("search", "family"),
    [
        ("giant that throws the strongest rocks", Family.CREATURES),
        ("strongest giants", Family.SPELLS),
        ("the cheapest way to cross a river", Family.EQUIPMENT),
        ("spell of the lightest rain", Family.EQUIPMENT),
        ("upcast to the highest level slot", Family.SPELLS),
        ("undead", Family.CREATURES),
    ],
)
def test_sort_words_inside_a_longer_question_are_ignored(search: str, family: Family) -> None:
    assert parse_query(search, family).sort is None
