"""Questions as people ask them: filters in words, families of variants, and their answers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result, names
from tests.recorded import needs_recorded

pytestmark = [pytest.mark.asyncio(loop_scope="module"), needs_recorded]


async def test_a_range_in_words_restricts_and_the_hint_says_so(warm: Client) -> None:
    creatures = await every_result(warm, "search_creature", search="undead between CR 5 and 8")
    assert {result["name"] for result in creatures} >= {"Wraith", "Vampire Spawn"}
    assert all(5 <= result["challenge_rating"] <= 8 and "undead" in result["type"] for result in creatures)
    hint = (await ask(warm, "search_creature", search="undead between CR 5 and 8"))["hint"]
    assert all(name in hint for name in ("cr_min=5", "cr_max=8", "type=undead"))


async def test_a_question_of_filters_equals_the_same_arguments(warm: Client) -> None:
    by_text = await every_result(warm, "search_spell", search="3rd level evocation")
    by_filters = await every_result(warm, "search_spell", level=3, school="evocation")
    assert {result["key"] for result in by_text} == {result["key"] for result in by_filters}


async def test_a_value_mentioned_in_passing_excludes_nothing(warm: Client) -> None:
    answer = await ask(warm, "search_creature", search="undead wizard who hides his soul in a phylactery")
    everything = await ask(warm, "search_creature", type="undead")
    assert names(answer)[0] == "Lich"
    assert 0 < answer["total"] < everything["total"], "what has nothing to do with the question is not counted"
    page = await ask(
        warm, "search_creature", search="undead wizard who hides his soul in a phylactery", limit=50, detail="brief"
    )
    assert {result["type"] for result in page["results"] if "type" in result} > {"undead"}


async def test_denied_values_are_excluded_from_what_is_found_by_meaning(warm: Client) -> None:
    search = "creatures that drain life, not undead"
    results = await every_result(warm, "search_creature", search=search, detail="brief")
    assert results
    assert not [result["name"] for result in results if result.get("type") == "undead"]


async def test_a_name_that_contains_a_filter_word_is_a_name(warm: Client) -> None:
    answer = await ask(warm, "search_equipment", search="ring mail")
    assert names(answer)[0] == "Ring Mail"
    assert "Interpreted as" not in (answer["hint"] or "")


async def test_near_duplicates_are_one_result_before_the_others(warm: Client) -> None:
    answer = await ask(warm, "search_equipment", search="dancing sword")
    first, second = answer["results"][:2]
    assert "Dancing Longsword" in first["variants"]
    assert first["variant_count"] == len(first["variants"])
    assert second["name"] not in first["variants"]


async def test_a_named_variant_represents_its_family(warm: Client) -> None:
    first = (await ask(warm, "search_equipment", search="Longsword (+1)"))["results"][0]
    assert first["name"] == "Longsword (+1)"
    assert first["variant_count"] > len(first["variants"]) == 40


@pytest.mark.parametrize("narrowed", [{"documents": ["srd-2014"]}, {"edition": "2014"}], ids=str)
async def test_variants_stay_one_result_within_a_book_and_an_edition(warm: Client, narrowed: dict[str, Any]) -> None:
    answer = await ask(warm, "search_equipment", search="holy avenger (longsword)", **narrowed, limit=50)
    assert names(answer)[0] == "Holy Avenger (Longsword)"
    assert "Holy Avenger (Rapier)" in answer["results"][0]["variants"]
    assert not any(name.startswith("Holy Avenger") for name in names(answer)[1:])


@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [
        ("search_spell", "Bigby's hand", "Arcane Hand"),
        ("search_creature", "lziard", "Lizard"),
        ("search_creature", "black dragon adult", "Adult Black Dragon"),
    ],
)
async def test_players_names_are_found(warm: Client, tool: str, search: str, name: str) -> None:
    assert names(await ask(warm, tool, search=search))[0] == name


FOREIGN = [
    "how do I change a tyre",
    "weather tomorrow in Berlin",
    "asdkjh qwepoi zxcm",
    "blorptang",
    "who won the world cup 2018",
    "wie wird das Wetter morgen",
    "install docker on ubuntu",
    "what is quantum entanglement",
]
REAL = [
    ("search_spell", "make someone fall asleep", "Sleep"),
    ("search_creature", "woman with snakes for hair", "Medusa"),
    ("search_equipment", "bag bigger on the inside", "Bag of Holding"),
    ("search_character_option", "background for a criminal", "Criminal"),
    ("search_rule", "turned to stone", "Petrified"),
    ("search_all", "class that turns into animals", "Druid"),
]


async def test_questions_about_something_else_find_little_and_a_hint(warm: Client) -> None:
    for question in FOREIGN:
        answer = await ask(warm, "search_all", query=question, detail="brief")
        assert answer["total"] <= 30, question  # of thousands
        assert re.search(
            r"Only a few records relate to this question|No record relates to this question", answer["hint"]
        ), question


async def test_questions_about_the_game_find_the_right_records(warm: Client) -> None:
    for tool, question, name in REAL:
        arguments = {"query" if tool == "search_all" else "search": question}
        assert name in names(await ask(warm, tool, **arguments, detail="brief")), question


async def test_a_question_made_of_filters_lists_exactly_their_matches(warm: Client) -> None:
    results = await every_result(warm, "search_all", query="legendary ring")
    listed = await every_result(warm, "search_equipment", type="magic-item", category="ring", rarity="legendary")
    assert {result["key"] for result in results} == {result["key"] for result in listed}
    assert len(results) > 5


@pytest.mark.parametrize("question", ["list all oozes", "what oozes are there", "which oozes exist"])
async def test_asking_for_all_of_a_type_lists_only_that_type(embedded: Client, question: str) -> None:
    results = await every_result(embedded, "search_all", query=question)
    listed = await every_result(embedded, "search_creature", type="ooze")
    assert {result["key"] for result in results} == {result["key"] for result in listed}
    assert results


async def test_a_question_for_a_kind_returns_no_other_kind(embedded: Client) -> None:
    subclasses = await every_result(embedded, "search_character_option", search="fighter subclasses")
    assert {result["kind"] for result in subclasses} == {"subclass"}
    assert names(await ask(embedded, "search_all", query="fighter subclasses"))[0] == "Champion"
    assert names(await ask(embedded, "search_all", query="Fighter Subclass"))[0] == "Fighter Subclass"


@pytest.mark.parametrize("tool", ["search_spell", "search_all"])
async def test_filter_words_are_not_corrected_to_a_name(embedded: Client, tool: str) -> None:
    """One more letter makes "reaction" the spell Creation, and the rules have a reaction of their own."""
    arguments = {"query" if tool == "search_all" else "search": "reaction spells"}
    results = await every_result(embedded, tool, **arguments)
    listed = await every_result(embedded, "search_spell", casting_time="reaction")
    assert {result["key"] for result in results} == {result["key"] for result in listed}
    assert results


async def test_a_filter_of_one_kind_does_not_exclude_the_others(warm: Client) -> None:
    answer = await ask(warm, "search_all", query="level 5", detail="brief", limit=20)
    kinds = {result["kind"] for result in answer["results"]}
    assert {"spell", "rule"} <= kinds
    assert all(result["level"] == 5 for result in answer["results"] if result["kind"] == "spell")
    assert "Interpreted as a filter for spells: level=5." in answer["hint"]


@pytest.mark.parametrize("arguments", [{}, {"edition": "2014"}])
async def test_filters_with_a_named_kind_return_only_that_kind(warm: Client, arguments: dict[str, Any]) -> None:
    spells = await ask(warm, "search_spell", level=3, school="evocation", detail="brief", limit=50, **arguments)
    answer = await ask(
        warm, "search_all", query="which spells are 3rd level evocation", detail="brief", limit=50, **arguments
    )
    assert {result["key"] for result in answer["results"]} == {result["key"] for result in spells["results"]}
    assert answer["total"] == spells["total"]


async def test_the_total_with_an_edition_counts_only_related_records(warm: Client) -> None:
    everything = await ask(warm, "search_spell", edition="2014", limit=1)
    answer = await ask(warm, "search_spell", search="a wall that burns who comes near", edition="2014")
    assert 0 < answer["total"] < everything["total"]
    assert {result["edition"] for result in answer["results"]} == {"2014"}


@pytest.mark.parametrize("search", ["it drains life", "a friendly cook who bakes bread"])
async def test_filters_and_meaning_together_reach_every_record_at_any_limit(warm: Client, search: str) -> None:
    filters = {"type": "undead", "cr_min": 12, "edition": "2014"}
    scanned = {result["key"] for result in await every_result(warm, "search_creature", **filters)}
    assert len(scanned) > 20
    for limit in (7, 20, 50):
        ranked = await every_result(warm, "search_creature", search=search, **filters, limit=limit)
        assert len(ranked) == len(scanned)
        assert {result["key"] for result in ranked} == scanned, limit
