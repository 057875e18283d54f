"""Hints for arguments that exclude each other."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("tool", "arguments", "phrases"),
    [
        ("search_equipment", {"type": "weapon", "rarity": "rare"}, ["without type there are", "magic-item"]),
        ("search_rule", {"rule_type": "plane", "edition": "2024"}, ["without rule_type"]),
        ("search_character_option", {"type": "subrace", "documents": ["srd-2024"]}, ["without type"]),
        ("search_all", {"query": "", "content_types": ["Plane"], "edition": "2024"}, ["without content_types"]),
    ],
    ids=str,
)
async def test_an_impossible_combination_of_filters_gets_a_hint(
    embedded: Client, tool: str, arguments: dict[str, Any], phrases: list[str]
) -> None:
    answer = await ask(embedded, tool, **arguments)
    assert answer["total"] == 0
    assert all(part in answer["hint"] for part in ["No record matches all filters", *phrases]), answer["hint"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search_spell", {"search": "fireball", "class_key": "cleric"}, '"Fireball" (spell)…class_key=cleric.'),
        (
            "search_spell",
            {"search": "srd_fireball", "level": [1, 2], "ritual": True},
            "(spell)…level=1, 2, ritual=true.",
        ),
        ("search_creature", {"search": "Lich", "cr_max": 5}, '"Lich" (creature)…cr_max=5.'),
        ("search_equipment", {"search": "Longsword", "type": "armor"}, '"Longsword" (weapon)…type=armor.'),
        ("search_character_option", {"search": "Rage", "level": 5}, '"Rage" (feature)…level=5.'),
        ("search_rule", {"search": "grappled", "rule_type": "skill"}, '"Grappled" (condition)…rule_type=skill.'),
        ("search_rule", {"search": "Impeded Weapons", "edition": "2014"}, '"Impeded Weapons" (rule)…edition=2014.'),
        ("search_spell", {"search": "Starry Wisp", "documents": ["srd-2014"]}, "(spell)…documents=srd-2014."),
        ("search_all", {"query": "fireball", "content_types": ["Creature"]}, "(spell)…content_types=creature."),
    ],
    ids=str,
)
async def test_a_named_record_that_the_other_arguments_exclude_is_mentioned(
    embedded: Client, tool: str, arguments: dict[str, Any], told: str
) -> None:
    hint = (await ask(embedded, tool, **arguments))["hint"]
    assert told.replace("…", " is stored, but does not match ") in hint


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_spell", {"search": "fireball", "class_key": "wizard"}),
        ("search_spell", {"search": "a ball of fire", "class_key": "cleric"}),
        ("search_creature", {"search": "fireball"}),
        ("search_all", {"query": "fire", "content_types": ["Creature"]}),
    ],
    ids=str,
)
async def test_nothing_is_called_excluded_that_is_found_or_not_named(
    embedded: Client, tool: str, arguments: dict[str, Any]
) -> None:
    assert "does not match" not in ((await ask(embedded, tool, **arguments))["hint"] or "")


async def test_a_number_that_no_record_has_is_named(embedded: Client) -> None:
    assert "No stored record matches cr=0.3." in (await ask(embedded, "search_creature", cr=0.3))["hint"]


async def test_nothing_near_an_unknown_value_is_suggested_unless_it_is_similar(embedded: Client) -> None:
    hint = (await ask(embedded, "search_creature", language="klingon"))["hint"]
    assert 'No stored record has language "klingon"; known values include ' in hint
    assert "10 minutes" in (await ask(embedded, "search_spell", casting_time="two moons"))["hint"]
    assert "similar values: fireball" in (await ask(embedded, "search_creature", casts="fierball"))["hint"]
    hint = (await ask(embedded, "search_spell", documents=["wholly unlike"]))["hint"]
    assert 'Whether Open5e has "wholly unlike" is not known' in hint
    assert "Did you mean" not in hint


async def test_a_pattern_gives_no_hint_about_families_without_a_match(embedded: Client) -> None:
    answer = await ask(embedded, "search_all", query="fireb*")
    assert answer["total"] > 0
    assert "pattern" not in (answer["hint"] or "")
    nothing = await ask(embedded, "search_all", query="zzxq*")
    assert nothing["total"] == 0
    assert nothing["hint"].count("No name matches the pattern") == 1
