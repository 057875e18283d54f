"""Filters accept one value or several, in everyday forms, over the embedded records."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError

from tests.end_to_end.clients import ask, every_result
from tests.recorded import needs_recorded

pytestmark = pytest.mark.asyncio(loop_scope="module")
SPELL, CREATURE, EQUIPMENT, OPTION = (
    f"search_{name}" for name in ("spell", "creature", "equipment", "character_option")
)


async def names(client: Client, tool: str, **arguments: Any) -> set[str]:
    return {result["name"] for result in await every_result(client, tool, documents=["srd-2024"], **arguments)}


@pytest.mark.parametrize("levels", [[1, 2], "1,2", "[1, 2]", ["1st", "level 2"], "1st, 2nd-level"])
async def test_several_levels_select_the_records_of_each(embedded: Client, levels: object) -> None:
    first = await names(embedded, "search_spell", level=1)
    second = await names(embedded, "search_spell", level="2nd")
    assert first and second and not first & second
    assert await names(embedded, "search_spell", level=levels) == first | second


@pytest.mark.parametrize(
    ("tool", "arguments", "meant"),
    [
        (SPELL, {"level": "third"}, {"level": 3}),
        (SPELL, {"school": "evoc"}, {"school": "evocation"}),
        (SPELL, {"damage_type": "fire damage or cold"}, {"damage_type": ["fire", "cold"]}),
        (SPELL, {"condition": "blind, charm"}, {"condition": ["blinded", "charmed"]}),
        (SPELL, {"range_min": "1 mile"}, {"range_min": 5280}),
        (SPELL, {"range_min": "500 ft."}, {"range_min": 500}),
        (CREATURE, {"type": "undead or fiends"}, {"type": ["undead", "fiend"]}),
        (CREATURE, {"subtype": "Goblinoids"}, {"subtype": "goblinoid"}),
        (CREATURE, {"alignment": ["NG, LG", "evil"]}, {"alignment": ["neutral good", "lawful good", "evil"]}),
        (CREATURE, {"alignment": "LE, CE"}, {"alignment": ["lawful evil", "chaotic evil"]}),
        (CREATURE, {"speed": "fly 60 ft."}, None),
        (CREATURE, {"speed": "swims", "speed_min": "60 feet"}, {"speed": "swim", "speed_min": 60}),
        (CREATURE, {"armor_class_min": "AC 20"}, {"armor_class_min": 20}),
        (CREATURE, {"hit_points_min": "200 hp"}, {"hit_points_min": 200}),
        (CREATURE, {"sense": "blind sight"}, {"sense": "blindsight"}),
        (CREATURE, {"casts": "Bigby's Fireball"}, {"casts": "fireball"}),
        (EQUIPMENT, {"type": "magic items"}, {"type": "magic-item"}),
        (EQUIPMENT, {"category": "staves"}, {"category": "staff"}),
        (EQUIPMENT, {"category": "wondrous"}, {"category": "wondrous-item"}),
        (EQUIPMENT, {"rarity": "rare or very rare"}, {"rarity": ["rare", "very-rare"]}),
        (EQUIPMENT, {"weight_max": "2 lbs."}, {"weight_max": 2}),
        (OPTION, {"ability": "cha", "type": "feats"}, {"ability": "charisma", "type": "feat"}),
        (SPELL, {"level": "many"}, None),
        (SPELL, {"material_cost_min": "30 feet"}, None),
        (CREATURE, {"speed": "teleport"}, None),
        (EQUIPMENT, {"category": "gem"}, None),
    ],
)
async def test_values_are_accepted_in_everyday_forms(
    embedded: Client, tool: str, arguments: dict[str, Any], meant: dict[str, Any] | None
) -> None:
    if meant is None:
        with pytest.raises(ToolError, match="cannot be"):
            await names(embedded, tool, **arguments)
    else:
        results = await names(embedded, tool, **arguments)
        assert results and results == await names(embedded, tool, **meant)


async def test_several_kinds_select_the_records_of_each(embedded: Client) -> None:
    assert await names(embedded, "search_rule", rule_type=["conditions", "skill"]) == (
        await names(embedded, "search_rule", rule_type="condition")
        | await names(embedded, "search_rule", rule_type="skill")
    )


@pytest.mark.parametrize("kinds", ["Spell or Feat", "spells, feats", ["Spell or Feat"]], ids=str)
async def test_content_types_are_joined_like_values(embedded: Client, kinds: object) -> None:
    expected = await ask(embedded, "search_all", query="fire", content_types=["Spell", "Feat"])
    assert expected["total"] > 0
    answer = await ask(embedded, "search_all", query="fire", content_types=kinds)
    assert answer["total"] == expected["total"]
    assert answer["results"] == expected["results"]


async def test_true_neutral_is_not_neutral_evil(embedded: Client) -> None:
    true = await names(embedded, CREATURE, alignment="true neutral")
    assert true and not true & await names(embedded, CREATURE, alignment="neutral evil")


async def test_telepathy_is_found_as_a_language(embedded: Client) -> None:
    assert {"Aboleth", "Balor"} <= await names(embedded, CREATURE, language="telepathy")


async def test_an_unknown_spell_names_only_spells_near_it(embedded: Client) -> None:
    answer = await embedded.call_tool(CREATURE, {"casts": "firball"})
    hint = answer.structured_content["hint"]
    suggestions = hint.partition("similar values: ")[2].rstrip(".").split(", ")
    slugs = {re.sub(r"[^a-z]+", "-", name.lower()) for name in await names(embedded, SPELL)}
    assert "fireball" in suggestions and set(suggestions) <= slugs


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("life domain spells", {"class_key": "life domain"}),
        ("3rd level spells of the Life Domain", {"class_key": "life domain", "level": 3}),
        ("what spells does the oath of devotion get", {"class_key": "oath of devotion"}),
    ],
)
async def test_spells_of_a_subclass_are_found_in_plain_words(
    embedded: Client, question: str, arguments: dict[str, Any]
) -> None:
    assert await names(embedded, SPELL, search=question) == await names(embedded, SPELL, **arguments)


@pytest.mark.parametrize("question", ["champion spells", "spells against a life domain cleric", "the life domain"])
async def test_other_words_of_a_subclass_name_are_no_filter(embedded: Client, question: str) -> None:
    answer = await embedded.call_tool(SPELL, {"search": question})
    assert "class_key" not in (answer.structured_content["hint"] or "")


async def test_a_list_of_options_has_only_the_mentioned_kind(embedded: Client) -> None:
    feats = await every_result(embedded, OPTION, search="feats that raise dexterity")
    assert "Grappler" in {result["name"] for result in feats}
    assert {result["kind"] for result in feats} == {"feat"}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("monsters vulnerable to fire", "creature"),
        ("spells without verbal components", "spell"),
        ("druid rituals", "spell"),
        ("epic boon feats", "feat"),
        ("backgrounds with stealth", "background"),
    ],
)
async def test_in_search_all_a_list_of_the_mentioned_kind_comes_first(
    embedded: Client, question: str, kind: str
) -> None:
    answer = await embedded.call_tool("search_all", {"query": question})
    assert {result["kind"] for result in answer.structured_content["results"][:5]} == {kind}


async def test_a_subtype_given_as_type_selects_the_subtype(embedded: Client) -> None:
    devils = await names(embedded, "search_creature", type="devil")
    assert {"Pit Fiend", "Imp"} <= devils
    assert devils == await names(embedded, "search_creature", subtype="Devil")
    assert "Balor" not in devils


@pytest.mark.parametrize(("name", "edition"), [("5e", "2014"), ("5.5e", "2024"), (2024, "2024")])
async def test_editions_are_accepted_by_their_common_names(embedded: Client, name: object, edition: str) -> None:
    spells = await every_result(embedded, "search_spell", level=9, edition=name)
    assert spells and {result["edition"] for result in spells} == {edition}


async def test_a_minimum_speed_applies_to_the_given_movement_mode(embedded: Client) -> None:
    flying = await names(embedded, "search_creature", speed="fly", speed_min=100)
    assert "Air Elemental" not in flying
    either = await names(embedded, "search_creature", speed=["fly", "swim"], speed_min=90)
    assert flying <= either
    assert {"Solar", "Djinni"} & either == {"Solar", "Djinni"}


async def test_casters_of_a_spell_are_found_by_its_name_and_key(embedded: Client) -> None:
    casters = await names(embedded, "search_creature", casts="Fireball")
    assert {"Lich", "Mage"} <= casters
    assert casters == await names(embedded, "search_creature", casts="srd-2024_fireball")
    assert "Goblin Warrior" not in casters


@needs_recorded
async def test_no_filter_offers_a_category_that_nothing_has(warm: Client) -> None:
    tools = {tool.name: tool for tool in await warm.list_tools()}
    for category in tools["search_equipment"].input_schema["properties"]["category"]["enum"]:
        answer = await warm.call_tool("search_equipment", {"category": category, "limit": 1})
        assert answer.structured_content["total"], category


async def test_a_value_outside_the_list_is_refused_with_the_nearest_values(embedded: Client) -> None:
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
    """The cost of a thing in its line, or its value by rarity; what has a value for each of several kinds has none."""
    price = re.match(r"([\d.,]+) ([csg]p)(?! \()", result.get("cost") or result.get("value") or "")
    return float(price[1].replace(",", "")) * {"cp": 0.01, "sp": 0.1, "gp": 1}[price[2]] if price else None


@pytest.mark.parametrize("sort", ["cost", "-cost"])
async def test_results_are_sorted_by_cost_over_all_pages_without_cost_last(embedded: Client, sort: str) -> None:
    results = await every_result(embedded, "search_equipment", documents=["srd-2024"], sort=sort)
    costs = [in_gold(result) for result in results]
    priced = [cost for cost in costs if cost is not None]
    assert len(costs) > 150 and len(set(priced)) > 20 and None in costs
    assert priced == sorted(priced, reverse=sort == "-cost")
    assert costs == [*priced, *[None] * (len(costs) - len(priced))]
    assert len({result["key"] for result in results}) == len(results)


async def test_names_sort_in_descending_order_and_relevance_ranks(embedded: Client) -> None:
    falling = [r["name"] for r in await every_result(embedded, "search_spell", documents=["srd-2024"], sort="-name")]
    rising = [r["name"] for r in await every_result(embedded, "search_spell", documents=["srd-2024"], sort="name")]
    assert falling == rising[::-1]
    answer = await embedded.call_tool("search_spell", {"search": "set things on fire", "sort": "relevance"})
    assert answer.structured_content["results"][0]["similarity_score"] > 0
