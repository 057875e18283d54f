"""Questions as people ask them: filters in words, families of variants, and what they are answered with."""

from __future__ import annotations

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result, names
from tests.recorded import needs_recorded

pytestmark = [pytest.mark.asyncio(loop_scope="module"), needs_recorded]


async def test_a_range_in_words_restricts_and_the_hint_says_so(warm: Client) -> None:
    found = await every_result(warm, "search_creature", search="undead between CR 5 and 8")
    assert {result["name"] for result in found} >= {"Wraith", "Vampire Spawn"}
    assert all(5 <= result["challenge_rating"] <= 8 and "undead" in result["type"] for result in found)
    hint = (await ask(warm, "search_creature", search="undead between CR 5 and 8"))["hint"]
    assert all(name in hint for name in ("cr_min=5", "cr_max=8", "type=undead"))


async def test_a_question_of_filters_gives_what_the_arguments_give(warm: Client) -> None:
    asked = await every_result(warm, "search_spell", search="3rd level evocation")
    given = await every_result(warm, "search_spell", level=3, school="evocation")
    assert {result["key"] for result in asked} == {result["key"] for result in given}


async def test_a_value_in_passing_hides_nothing(warm: Client) -> None:
    answer = await ask(warm, "search_creature", search="undead wizard who hides his soul in a phylactery")
    everything = await ask(warm, "search_creature")
    assert names(answer)[0] == "Lich"
    assert answer["total"] == everything["total"]


async def test_a_name_with_a_filters_word_is_a_name(warm: Client) -> None:
    answer = await ask(warm, "search_equipment", search="ring mail")
    assert names(answer)[0] == "Ring Mail"
    assert "Read from the question" not in (answer["hint"] or "")


async def test_near_copies_are_one_result_and_other_things_follow(warm: Client) -> None:
    answer = await ask(warm, "search_equipment", search="dancing sword")
    first, second = answer["results"][:2]
    assert "Dancing Longsword" in first["variants"]
    assert first["variant_count"] == len(first["variants"])
    assert second["name"] not in first["variants"]


async def test_a_variant_that_is_named_stands_for_its_family(warm: Client) -> None:
    first = (await ask(warm, "search_equipment", search="Longsword (+1)"))["results"][0]
    assert first["name"] == "Longsword (+1)"
    assert first["variant_count"] > len(first["variants"]) == 40


async def test_naming_a_document_gives_each_variant_for_itself(warm: Client) -> None:
    answer = await ask(warm, "search_equipment", search="holy avenger", documents=["srd-2014"], limit=50)
    assert {"Holy Avenger (Longsword)", "Holy Avenger (Rapier)"} <= set(names(answer))
    assert not any("variants" in result for result in answer["results"])


@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [
        ("search_spell", "Bigby's hand", "Arcane Hand"),
        ("search_creature", "lziard", "Lizard"),
        ("search_creature", "black dragon adult", "Adult Black Dragon"),
    ],
)
async def test_names_as_players_know_them(warm: Client, tool: str, search: str, name: str) -> None:
    assert names(await ask(warm, tool, search=search))[0] == name
