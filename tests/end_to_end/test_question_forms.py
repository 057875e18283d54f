"""Questions of a certain form: for a fact, a superlative, a whole kind, a comparison, a denial, a ruling."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result, names

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what are the components of revivify", "Revivify"),
        ("what's the AC of mage armor", "Mage Armor"),
        ("hit points of the tarrasque", "Tarrasque"),
        ("how heavy is a greatsword", "Greatsword"),
        ("what spell level is haste", "Haste"),
        ("what CR is an orc", "Orc"),
        ("how many hit points does a goblin have", "Goblin Warrior"),
        ("what is the AC of a goblin", "Goblin Warrior"),
        ("how fast is an ogre", "Ogre"),
    ],
)
async def test_a_question_about_a_fact_of_one_record_returns_the_record(
    client: Client, question: str, name: str
) -> None:
    text = (await client.call_tool("search_all", {"query": question})).content[0].text
    assert [line.split(" (")[0] for line in text.splitlines() if line.startswith("# ")] == [f"# {name}"]


@pytest.mark.parametrize(
    ("question", "name"),
    [("does invisibility end if I attack", "Invisibility"), ("does fly need concentration", "Fly")],
)
async def test_the_subject_of_a_question_is_a_name_however_common_the_word(
    client: Client, question: str, name: str
) -> None:
    assert names(await ask(client, "search_all", query=question))[0] == name


@pytest.mark.parametrize(
    ("tool", "question", "name"),
    [
        ("search_spell", "hold person without verbal components", "Hold Person"),
        ("search_creature", "tarrasque below 100 hp", "Tarrasque"),
    ],
)
async def test_the_subject_is_shown_although_it_lacks_what_is_asked(
    client: Client, tool: str, question: str, name: str
) -> None:
    assert names(await ask(client, tool, search=question))[0] == name


@pytest.mark.parametrize("question", ["protection ring", "does the elvenkind cloak need attunement"])
async def test_a_name_turned_around_shows_the_thing_whole(client: Client, question: str) -> None:
    text = (await client.call_tool("search_equipment", {"search": question})).content[0].text
    assert text.count("\n# ") == 1


async def test_a_superlative_sorts_a_list(client: Client) -> None:
    answer = await ask(client, "search_all", query="the strongest undead")
    ratings = [result["challenge_rating"] for result in answer["results"]]
    assert ratings == sorted(ratings, reverse=True)
    assert answer["total"] > 10
    assert "Sorted by challenge rating" in answer["hint"]
    cheapest = await ask(client, "search_equipment", search="cheapest martial weapon")
    by_cost = await ask(client, "search_equipment", is_simple=False, sort="cost")
    assert names(cheapest) == names(by_cost)
    heaviest = await ask(client, "search_equipment", search="heaviest armor")
    assert names(heaviest)[0] == "Plate Armor"


async def test_the_top_result_is_on_the_page(client: Client) -> None:
    for question in ("how do I make a group stealth check", "how can I turn invisible", "how do I craft a potion"):
        answer = await ask(client, "search_all", query=question)
        text = (await client.call_tool("search_all", {"query": question})).content[0].text
        assert f"## {answer['results'][0]['name']} (" in text, question


async def test_the_less_certain_of_two_filters_is_dropped_if_nothing_matches_both(client: Client) -> None:
    answer = await ask(client, "search_creature", search="lawful good oozes of CR 2", detail="brief")
    assert {result["challenge_rating"] for result in answer["results"]} == {2}
    assert "Interpreted as a filter: cr=2, type=ooze. No result also matches alignment=lawful-good" in answer["hint"]


async def test_a_question_about_a_condition_returns_the_condition(client: Client) -> None:
    answer = await ask(client, "search_all", query="what does stunned do to me")
    assert names(answer)[0] == "Stunned"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what conditions are there", "condition"),
        ("list all feats", "feat"),
        ("which skills are there?", "skill"),
        ("what backgrounds are there", "background"),
    ],
)
async def test_a_question_for_all_of_a_kind_returns_the_list(client: Client, question: str, kind: str) -> None:
    answer = await ask(client, "search_all", query=question, limit=50)
    assert {result["kind"] for result in answer["results"]} == {kind}
    assert answer["total"] > 1


@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [("search_equipment", "quaterstaf", "Quarterstaff"), ("search_spell", "cure wonds", "Cure Wounds")],
)
async def test_a_misspelt_name_is_shown_whole(client: Client, tool: str, search: str, name: str) -> None:
    answer = await ask(client, tool, search=search)
    assert [result["name"] for result in answer["results"] if "text" in result] == [name]
    assert f'Interpreted as "{name.lower()}".' in answer["hint"]


async def test_a_comparison_of_editions_shows_the_thing_in_both(client: Client) -> None:
    answer = await ask(client, "search_all", query="what changed about exhaustion between 2014 and 2024")
    first = answer["results"][0]
    assert first["name"] == "Exhaustion"
    assert "2014 edition, whole" in first["text"]


@pytest.mark.parametrize(
    ("tool", "search", "filters", "excluded"),
    [
        ("search_creature", "dragons that can not fly", {"type": "dragon"}, {"speed": "fly"}),
        ("search_creature", "undead without darkvision", {"type": "undead"}, {"sense": "darkvision"}),
        (
            "search_spell",
            "wizard cantrips that aren't evocation",
            {"class_key": "wizard", "level": 0},
            {"school": "evocation"},
        ),
    ],
)
async def test_a_question_lists_what_lacks_something(
    client: Client, tool: str, search: str, filters: dict[str, Any], excluded: dict[str, Any]
) -> None:
    by_question = {result["key"] for result in await every_result(client, tool, search=search)}
    by_filters = {result["key"] for result in await every_result(client, tool, **filters)}
    unwanted = {result["key"] for result in await every_result(client, tool, **filters, **excluded)}
    assert by_question >= by_filters - unwanted
    assert by_question
    assert "Excluded: " in (await ask(client, tool, search=search))["hint"]


@pytest.mark.parametrize(
    ("tool", "search"),
    [
        ("search_equipment", "price of a healing potion"),
        ("search_spell", "smallest area fire spell"),
        ("search_character_option", "feats without prerequisites"),
    ],
)
async def test_a_description_is_not_called_a_missing_name(client: Client, tool: str, search: str) -> None:
    assert "No entry is called" not in ((await ask(client, tool, search=search))["hint"] or "")


async def test_a_ruling_about_any_creature_shows_the_rule(client: Client) -> None:
    answer = await ask(client, "search_all", query="Can a Medium creature grapple a Huge giant?")
    assert "Grappling" in {result["name"] for result in answer["results"] if result.get("passages")}
