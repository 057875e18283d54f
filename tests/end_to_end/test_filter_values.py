"""Filters take one value or several, as people say them, over the embedded records."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from tests.end_to_end.clients import every_result
from tests.recorded import needs_recorded

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def names(client: Client, tool: str, **arguments: Any) -> set[str]:
    return {result["name"] for result in await every_result(client, tool, documents=["srd-2024"], **arguments)}


@pytest.mark.parametrize("given", [[1, 2], "1,2", "[1, 2]", ["1st", "level 2"], "1st, 2nd-level"])
async def test_several_levels_are_those_of_each(embedded: Client, given: object) -> None:
    first = await names(embedded, "search_spell", level=1)
    second = await names(embedded, "search_spell", level="2nd")
    assert first and second and not first & second
    assert await names(embedded, "search_spell", level=given) == first | second


async def test_several_schools_and_types(embedded: Client) -> None:
    found = await names(embedded, "search_creature", type="ooze,plant", cr_max=2)
    assert {"Gray Ooze", "Shrieker Fungus"} <= found
    assert not found & {"Goblin Warrior", "Black Pudding"}


async def test_a_cantrip_is_level_zero(embedded: Client) -> None:
    assert "Fire Bolt" in await names(embedded, "search_spell", level="cantrip")


async def test_a_subtype_given_as_type_is_read_as_the_subtype(embedded: Client) -> None:
    devils = await names(embedded, "search_creature", type="devil")
    assert {"Pit Fiend", "Imp"} <= devils
    assert devils == await names(embedded, "search_creature", subtype="Devil")
    assert "Balor" not in devils


@pytest.mark.parametrize(("said", "edition"), [("5e", "2014"), ("5.5e", "2024"), (2024, "2024")])
async def test_editions_as_people_call_them(embedded: Client, said: object, edition: str) -> None:
    found = await every_result(embedded, "search_spell", level=9, edition=said)
    assert found and {result["edition"] for result in found} == {edition}


async def test_a_least_speed_is_of_the_given_way_of_moving(embedded: Client) -> None:
    flying = await names(embedded, "search_creature", speed="fly", speed_min=100)
    assert "Air Elemental" not in flying
    either = await names(embedded, "search_creature", speed=["fly", "swim"], speed_min=90)
    assert flying <= either
    assert {"Solar", "Djinni"} & either == {"Solar", "Djinni"}


async def test_who_casts_a_spell_is_found_by_name_and_key(embedded: Client) -> None:
    casters = await names(embedded, "search_creature", casts="Fireball")
    assert {"Lich", "Mage"} <= casters
    assert casters == await names(embedded, "search_creature", casts="srd-2024_fireball")
    assert "Goblin Warrior" not in casters


async def test_defenses_senses_languages_and_legends(embedded: Client) -> None:
    assert {"Treant"} <= await names(embedded, "search_creature", damage_vulnerability="fire", type="plant")
    assert {"Aboleth"} <= await names(embedded, "search_creature", language="Deep Speech", legendary=True)
    assert {"Purple Worm"} <= await names(embedded, "search_creature", sense="tremorsense", speed="burrow")
    assert {"Unicorn"} <= await names(embedded, "search_creature", alignment="lawful good", type="celestial")


async def test_components_cost_and_conditions_of_spells(embedded: Client) -> None:
    silent = await names(embedded, "search_spell", verbal=False)
    assert {"Counterspell", "Minor Illusion"} <= silent
    assert "Fireball" not in silent
    dear = await names(embedded, "search_spell", material_cost_min=1000)
    assert {"Resurrection", "Clone"} <= dear
    assert "Revivify" not in dear
    charming = await names(embedded, "search_spell", condition="charmed")
    assert {"Charm Person", "Suggestion"} <= charming
    assert not charming & {"Lesser Restoration", "Fireball"}


@needs_recorded
async def test_no_filter_offers_a_category_that_nothing_has(warm: Client) -> None:
    tools = {tool.name: tool for tool in await warm.list_tools()}
    for category in tools["search_equipment"].input_schema["properties"]["category"]["enum"]:
        answer = await warm.call_tool("search_equipment", {"category": category, "limit": 1})
        assert answer.structured_content["total"], category


async def test_a_value_outside_the_list_is_refused_with_what_is_near(embedded: Client) -> None:
    with pytest.raises(ToolError, match="dragon"):
        await embedded.call_tool("search_creature", {"type": ["undead", "dragn"]})


@pytest.mark.parametrize(
    ("tool", "sort", "fact"),
    [
        ("search_spell", "level", "level"),
        ("search_spell", "-level", "level"),
        ("search_creature", "CR", "challenge_rating"),
        ("search_creature", "-cr", "challenge_rating"),
    ],
)
async def test_results_come_in_the_order_asked_for(embedded: Client, tool: str, sort: str, fact: str) -> None:
    results = await every_result(embedded, tool, documents=["srd-2024"], sort=sort)
    values = [result[fact] for result in results]
    assert len(set(values)) > 5
    assert values == sorted(values, reverse=sort.startswith("-"))
    assert all("similarity_score" not in result for result in results)


def in_gold(result: dict[str, Any]) -> float | None:
    """What a line says that a thing costs, or is worth by its rarity."""
    told = re.match(r"([\d.,]+) ([csg]p)", result.get("cost") or result.get("value") or "")
    return float(told[1].replace(",", "")) * {"cp": 0.01, "sp": 0.1, "gp": 1}[told[2]] if told else None


@pytest.mark.parametrize("sort", ["cost", "-cost"])
async def test_costs_come_in_order_over_all_pages_and_what_has_none_last(embedded: Client, sort: str) -> None:
    results = await every_result(embedded, "search_equipment", documents=["srd-2024"], sort=sort)
    costs = [in_gold(result) for result in results]
    known = [cost for cost in costs if cost is not None]
    assert len(costs) > 150 and len(set(known)) > 20 and None in costs
    assert known == sorted(known, reverse=sort == "-cost")
    assert costs == [*known, *[None] * (len(costs) - len(known))]
    assert len({result["key"] for result in results}) == len(results)


async def test_names_can_fall_and_relevance_ranks(embedded: Client) -> None:
    falling = [r["name"] for r in await every_result(embedded, "search_spell", documents=["srd-2024"], sort="-name")]
    rising = [r["name"] for r in await every_result(embedded, "search_spell", documents=["srd-2024"], sort="name")]
    assert falling == rising[::-1]
    found = await embedded.call_tool("search_spell", {"search": "set things on fire", "sort": "relevance"})
    assert found.structured_content["results"][0]["similarity_score"] > 0
