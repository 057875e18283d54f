"""A question to several kinds at once: the kinds it names, and one score over all of them."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.search.grammar import parse_query
from lorekeeper_mcp.search.question import asks_for_all, asks_for_rules, kinds_mentioned


@pytest.mark.parametrize(
    ("search", "kinds"),
    [
        ("feat for archers", {Kind.FEAT}),
        ("class that turns into animals", {Kind.CLASS}),
        ("a spell or a magic item to fly", {Kind.SPELL, Kind.MAGIC_ITEM}),
        ("monster that eats spells", {Kind.CREATURE}),
        ("which monsters are vulnerable to light", {Kind.CREATURE}),
        ("armor class", set()),
        ("something for spell casters", set()),
        ("how does hiding work", set()),
        ("spell slots of a skill check", set()),
        ("which weapon mastery trips people", {Kind.WEAPON_PROPERTY}),
        ("weapon properties that need two hands", {Kind.WEAPON_PROPERTY}),
        ("spell mastery of a level 18 wizard", {Kind.SPELL}),
    ],
)
def test_kinds_mentioned_in_a_question_are_found(search: str, kinds: set[Kind]) -> None:
    assert kinds_mentioned(search) == kinds


@pytest.mark.parametrize(
    "search",
    ["what conditions are there", "list all feats", "which skills are there?", "what are the weapon masteries"],
)
def test_a_question_may_ask_for_all_of_a_kind(search: str) -> None:
    assert asks_for_all(search)


@pytest.mark.parametrize("search", ["conditions", "all the feats of a fighter", "is there a spell", "list the spells"])
def test_other_questions_do_not_ask_for_all(search: str) -> None:
    assert asks_for_all(search) is (search == "list the spells")


@pytest.mark.parametrize("search", ["how far do you jump", "can I hide behind an ally", "what happens if I fall"])
def test_a_question_about_what_somebody_may_do_asks_for_rules(search: str) -> None:
    assert asks_for_rules(search)


@pytest.mark.parametrize("search", ["a spell with which you jump", "how does a lich come back", "jumping monsters"])
def test_a_question_for_things_asks_for_no_rules(search: str) -> None:
    assert not asks_for_rules(search)


@pytest.mark.parametrize(
    ("family", "search", "is_unambiguous"),
    [
        (Family.CREATURES, "CR 5 undead", True),
        (Family.CREATURES, "CR 5", True),
        (Family.EQUIPMENT, "legendary ring", True),
        (Family.SPELLS, "3rd level evocation", True),
        (Family.SPELLS, "level 5", False),
        (Family.CREATURES, "AC 18 or higher", False),
        (Family.SPELLS, "level 3 fire spell", True),
    ],
)
def test_a_single_filter_may_apply_to_another_kind(family: Family, search: str, is_unambiguous: bool) -> None:
    assert parse_query(search, family).is_unambiguous is is_unambiguous


def test_a_creature_in_a_question_for_a_ruling_is_anybody() -> None:
    assert kinds_mentioned("Can a creature swim in armor?") == frozenset()
    assert kinds_mentioned("a creature that swims") == {Kind.CREATURE}
