"""The XP budget of a party: parsing its description, the sums, and the suggested calls."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from fastmcp import Client

from lorekeeper_mcp.models import Edition
from lorekeeper_mcp.models.vocabulary import EXPERIENCE
from lorekeeper_mcp.prompts.encounters import (
    BUDGET_RULE,
    THRESHOLDS_2014,
    budgets_in,
    encounter_calls,
    encounter_sums,
    levels_of,
)
from lorekeeper_mcp.sources.srd.records_file import record_of


@pytest.mark.parametrize(
    ("party", "levels"),
    [
        ("four characters of level 5", [5] * 4),
        ("4 level 5 characters", [5] * 4),
        ("5 players, level 3", [3] * 5),
        ("party of four, level 7", [7] * 4),
        ("Four adventurers at 3rd level", [3] * 4),
        ("six level-10 characters", [10] * 6),
        ("4x level 5", [5] * 4),
        ("a level 5 wizard, two level 4 fighters and a 3rd-level rogue", [5, 4, 4, 3]),
        ("levels 5, 5, 4 and 4", [5, 5, 4, 4]),
        ("Fighter 5, Cleric 5, Wizard 4", [5, 5, 4]),
        ("a single 3rd-level rogue", [3]),
        ("3 level 4s and a level 6", [6, 4, 4, 4]),
        ("Lvl 9 x5", [9] * 5),
        ("three players at level three", [3] * 3),
        ("4 fifth-level characters", [5] * 4),
        ("level twelve party of eight", [12] * 8),
        ("Wizard 5/Fighter 2, Cleric 7", [7, 7]),
        ("one level 20 wizard", [20]),
        ("some friends", []),
        ("a level 5 party", []),
        ("four characters of level 50", []),
        ("99 characters of level 3", []),
    ],
)
def test_party_levels_are_parsed(party: str, levels: list[int]) -> None:
    assert list(levels_of(party)) == levels


def test_the_2024_budget_is_that_of_the_srd() -> None:
    rule = record_of(f"rule:{BUDGET_RULE}")
    assert rule is not None
    budgets = budgets_in(rule.text)
    assert sorted(budgets) == list(range(1, 21))
    assert all(len(row) == 3 and sorted(row) == list(row) for row in budgets.values())
    assert encounter_sums((5, 5, 5, 5), Edition.E2024, budgets) == (
        "- Low: 4 × 500 = 2,000 XP\n- Moderate: 4 × 750 = 3,000 XP\n- High: 4 × 1,100 = 4,400 XP"
    )
    assert "- Low: 2 × 500 + 250 = 1,250 XP" in encounter_sums((5, 5, 4), Edition.E2024, budgets)


def test_the_2014_thresholds_come_with_the_multipliers_of_the_party_s_size() -> None:
    sums = encounter_sums((3,) * 4, Edition.E2014, THRESHOLDS_2014)
    assert "- Deadly: 4 × 400 = 1,600 XP" in sums
    assert "1 monster × 1, 2 monsters × 1.5, 3–6 × 2" in sums
    assert "1 monster × 1.5, 2 monsters × 2" in encounter_sums((3, 3), Edition.E2014, THRESHOLDS_2014)
    assert "1 monster × 0.5, 2 monsters × 1," in encounter_sums((3,) * 6, Edition.E2014, THRESHOLDS_2014)


@pytest.mark.parametrize("edition", [Edition.E2014, Edition.E2024])
def test_the_calls_stay_within_the_budget(edition: Edition) -> None:
    budgets = {4: (125, 250, 375, 500)} if edition is Edition.E2014 else {4: (250, 375, 500)}
    calls = encounter_calls((4,) * 4, edition, budgets, 'a "haunted" fen')
    assert r'search="a \"haunted\" fen"' in calls
    ratings = [float(Fraction(rating)) for rating in re.findall(r'cr_max="([\d/]+)"', calls)]
    shared = 1000 / 2 if edition is Edition.E2014 else 1500
    assert [4 * EXPERIENCE[ratings[0]] <= shared, EXPERIENCE[ratings[1]] <= 4 * budgets[4][1]] == [True, True]
    assert EXPERIENCE[ratings[2]] <= 4 * budgets[4][-1] < EXPERIENCE[ratings[2] + 1]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_prompt_has_the_budget_and_working_calls(embedded: Client) -> None:
    session = {"party": "four characters of level 5", "theme": "undead"}
    for edition, budget in (("2024", "Moderate: 4 × 750 = 3,000 XP"), ("2014", "Medium: 4 × 500 = 2,000 XP")):
        text = (await embedded.get_prompt("prepare_session", {**session, "edition": edition})).messages[0].content.text
        assert budget in text
        calls = re.findall(r"search_creature\((.+)\)", text)
        assert len(calls) == 3
        for call in calls:
            arguments = dict(re.findall(r'(\w+)="([^"]*)"', call))
            answer = (await embedded.call_tool("search_creature", arguments)).structured_content
            assert {creature["type"] for creature in answer["results"][:5]} == {"undead"}
            assert all(creature["xp"].endswith(" XP") for creature in answer["results"])


@pytest.mark.asyncio(loop_scope="module")
async def test_without_an_edition_both_budgets_are_given(embedded: Client) -> None:
    text = (await embedded.get_prompt("prepare_session", {"party": "4 level 5 heroes"})).messages[0].content.text
    assert "3,000 XP" in text and "2,000 XP" in text


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("arguments", [{"party": "friends"}, {"party": "four of level 5", "edition": "a5e"}])
async def test_without_a_known_budget_the_prompt_refers_to_the_rule(
    embedded: Client, arguments: dict[str, str]
) -> None:
    text = (await embedded.get_prompt("prepare_session", arguments)).messages[0].content.text
    assert 'search_rule(search="combat encounter XP budget")' in text
    for call in re.findall(r"search_(?:creature|rule)\((.+)\)", text):
        tool = "search_creature" if "detail=" in call else "search_rule"
        await embedded.call_tool(tool, dict(re.findall(r'(\w+)="([^"]*)"', call)))
