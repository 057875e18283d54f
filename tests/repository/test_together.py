"""A question to several kinds at once: which it names, and one score over all of them."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.repository.reading import read
from lorekeeper_mcp.repository.together import kinds_named, together


@pytest.mark.parametrize(
    ("search", "kinds"),
    [
        ("feat for archers", {Kind.FEAT}),
        ("class that turns into animals", {Kind.CLASS}),
        ("a spell or a magic item to fly", {Kind.SPELL, Kind.MAGIC_ITEM}),
        ("monster that eats spells", {Kind.CREATURE}),
        ("armor class", set()),
        ("something for spell casters", set()),
        ("how does hiding work", set()),
    ],
)
def test_the_kinds_that_a_question_is_about(search: str, kinds: set[Kind]) -> None:
    assert kinds_named(search) == kinds


def test_scores_of_several_families_stay_as_they_are() -> None:
    assert together([({"a": 0.5}, False), ({"b": 0.7}, False)]) == {"a": 0.5, "b": 0.7}


def test_what_is_unmistakably_asked_for_stands_before_all_but_names() -> None:
    found = together([({"asked": 0.1, "better": 0.8}, True), ({"near": 0.88, "named": 1.0}, False)])
    assert sorted(found, key=lambda id_: -found[id_]) == ["named", "better", "asked", "near"]
    assert all(0 < score <= 1 for score in found.values())


@pytest.mark.parametrize(
    ("family", "search", "unmistakable"),
    [
        (Family.CREATURES, "CR 5 undead", True),
        (Family.CREATURES, "CR 5", True),
        (Family.EQUIPMENT, "legendary ring", True),
        (Family.SPELLS, "3rd level evocation", True),
        (Family.SPELLS, "level 5", False),
        (Family.CREATURES, "AC 18 or higher", False),
        (Family.SPELLS, "level 3 fire spell", False),
    ],
)
def test_one_filter_alone_may_be_meant_of_another_kind(family: Family, search: str, unmistakable: bool) -> None:
    assert read(search, family).unmistakable is unmistakable
