"""Typical first questions, on a fresh install and on all of Open5e."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result, names

pytestmark = pytest.mark.asyncio(loop_scope="module")


def place(answer: dict[str, Any], name: str) -> int:
    """The index of a name in an answer; beyond the end if it is missing."""
    return [*names(answer), name].index(name)


async def test_a_named_record_comes_first_and_whole(client: Client) -> None:
    answer = await ask(client, "search_spell", search="Fireball")
    first = answer["results"][0]
    assert first["name"] == "Fireball"
    assert first["similarity_score"] == 1.0
    assert "8d6" in first["text"]
    assert {book["document_key"]: bool(book["license"]) for book in answer["documents"]}[first["document_key"]]


@pytest.mark.parametrize("search", ["fireball", "FIREBALL", " Fireball! ", "firebal", "fire-ball"])
async def test_a_name_is_found_however_it_is_typed(client: Client, search: str) -> None:
    assert names(await ask(client, "search_spell", search=search))[0] == "Fireball"


@pytest.mark.parametrize(
    ("tool", "question", "record_names"),
    [
        ("search_spell", "healing word vs cure wounds", ["Healing Word", "Cure Wounds"]),
        ("search_all", "difference between restrained and grappled", ["Restrained", "Grappled"]),
        ("search_equipment", "longsword vs rapier", ["Longsword", "Rapier"]),
    ],
)
async def test_every_named_record_is_shown_whole(
    client: Client, tool: str, question: str, record_names: list[str]
) -> None:
    answer = await ask(client, tool, **{"query" if tool == "search_all" else "search": question})
    assert {result["name"] for result in answer["results"] if "text" in result} == set(record_names)


CASES = [
    ("The barbarian is prone and an archer far away shoots at him. The archer claims advantage.", "Prone"),
    ("She hides behind a wall, then shoots. Is she still hidden?", "Hide"),
    ("A grappled fighter tries to walk away. The grappler says that he cannot.", "Grappled"),
]


@pytest.mark.parametrize(("case", "rule"), CASES)
async def test_a_described_situation_shows_the_deciding_rule(client: Client, case: str, rule: str) -> None:
    answer = await ask(client, "search_all", query=case, edition="2024")
    assert rule in {result["name"] for result in answer["results"] if result.get("passages")}
    assert "Interpreted as" not in (answer["hint"] or ""), "a case is no list of filters"


async def test_a_key_returns_only_its_record(client: Client) -> None:
    answer = await ask(client, "search_spell", search="srd_fireball")
    assert [(r["key"], r["document_key"]) for r in answer["results"]] == [("srd_fireball", "srd-2014")]


async def test_meaning_ranks_protection_from_fire_over_a_spell_that_deals_damage(client: Client) -> None:
    answer = await ask(client, "search_spell", search="protect from fire damage", limit=50)
    assert place(answer, "Fire Shield") < place(answer, "Ice Storm")


async def test_undead_that_drain_life(client: Client) -> None:
    answer = await ask(client, "search_creature", search="undead that drain life", type="undead", limit=10)
    assert {"Wraith", "Specter"} <= set(names(answer))


async def test_a_weapon_that_returns(client: Client) -> None:
    answer = await ask(client, "search_equipment", search="weapon that returns when thrown", limit=10)
    assert any(name.startswith("Dwarven Thrower") for name in names(answer))


@pytest.mark.parametrize(
    ("search", "above", "below"),
    [
        ("masters of arcane magic", ("Wizard", "Sorcerer"), "Fighter"),
        ("divine warrior", ("Paladin", "Cleric"), "Rogue"),
    ],
)
async def test_classes_are_found_by_description(
    client: Client, search: str, above: tuple[str, ...], below: str
) -> None:
    answer = await ask(client, "search_character_option", search=search, type="class", limit=50)
    assert all(place(answer, name) < place(answer, below) for name in above)


@pytest.mark.parametrize(
    ("tool", "search", "name"),
    [
        ("search_rule", "AoO when someone walks out of my reach", "Opportunity Attacks"),
        ("search_spell", "prestidigitaion cantrip", "Prestidigitation"),
        ("search_rule", "crits", "Critical Hits"),
    ],
)
async def test_players_terms_are_found(client: Client, tool: str, search: str, name: str) -> None:
    assert place(await ask(client, tool, search=search), name) < 5


async def test_rules_are_found_by_situation(client: Client) -> None:
    hidden = await ask(client, "search_rule", search="attacking while hidden", limit=5)
    assert any("hid" in str(r).lower() or "unseen" in str(r).lower() for r in hidden["results"])
    fall = await ask(client, "search_rule", search="what happens when I fall", limit=5)
    assert any("fall" in r["name"].lower() for r in fall["results"])


async def test_healing_comes_before_damage(client: Client) -> None:
    answer = await ask(client, "search_all", query="spells that heal wounds", limit=10)
    assert any("Heal" in name or "Cure" in name for name in names(answer)[:3])
    assert place(answer, "Cure Wounds") < place(answer, "Inflict Wounds")


@pytest.mark.parametrize("search", ["", "  ", "?!", "…"])
async def test_without_a_text_filters_select_in_order_of_names(client: Client, search: str) -> None:
    answer = await ask(client, "search_spell", search=search, level=9, school="evocation", edition="2014")
    assert names(answer) == sorted(names(answer))
    assert all("similarity_score" not in r for r in answer["results"])


async def test_a_pattern_matches_names_and_nothing_else(client: Client) -> None:
    answer = await ask(client, "search_spell", search="*fire*", documents=["srd-2014"], limit=50)
    assert "Fireball" in names(answer)
    assert all("fire" in name.lower() for name in names(answer))


async def test_scores_decrease_and_stay_in_range(client: Client) -> None:
    answer = await ask(client, "search_spell", search="a wall that keeps enemies out", limit=50)
    scores = [r["similarity_score"] for r in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


async def test_gibberish_finds_nothing_and_says_so(client: Client) -> None:
    answer = await ask(client, "search_spell", search="xqzzt vvrpk wwqj")
    assert len(answer["results"]) < 5
    assert answer["hint"]


async def test_an_empty_list_of_documents_selects_nothing(client: Client) -> None:
    answer = await ask(client, "search_spell", documents=[])
    assert (answer["results"], answer["total"]) == ([], 0)


@pytest.mark.parametrize(
    "spelling", ["srd-2014", "SRD-2014", "wotc-srd", "srd", "srd-5e", "System Reference Document 5.1"]
)
async def test_documents_by_key_by_name_and_by_old_spellings(client: Client, spelling: str) -> None:
    answer = await ask(client, "search_spell", search="Fireball", documents=[spelling])
    assert {r["document_key"] for r in answer["results"]} == {"srd-2014"}


async def test_an_unknown_document_gives_nothing_and_names_the_nearest(client: Client) -> None:
    answer = await ask(client, "search_spell", search="Fireball", documents=["srd-2041"])
    assert answer["results"] == []
    assert "srd-2014" in answer["hint"]


async def test_paging_gives_every_match_once(client: Client) -> None:
    dragons = await every_result(
        client, "search_creature", type="dragon", edition="2014", search="breathes fire", limit=7
    )
    assert len(dragons) == len({dragon["key"] for dragon in dragons})


async def test_stored_records_are_counted_by_document(client: Client) -> None:
    answer = await ask(client, "list_documents")
    documents = answer["documents"]
    counts = [document["entity_count"] for document in documents]
    assert counts == sorted(counts, reverse=True)
    assert counts == [sum(document["entity_types"].values()) for document in documents]
    assert any(document["document_key"] == "srd-2014" and "CC-BY-4.0" in document["license"] for document in documents)


@pytest.mark.parametrize(
    ("tool", "question", "facts"),
    [
        ("search_character_option", "which class has the biggest hit die", ["hit die d12", "hit die d6"]),
        ("search_character_option", "which classes get Extra Attack", ["Monk level 5", "Ranger level 5"]),
        ("search_character_option", "rogue 5 / fighter 2", ["| 5 | +3 | Cunning Strike", "| 2 | +2 | Action Surge"]),
        ("search_all", "cleric 3 wizard 4: which spell slots", ["| 7 | 4 | 3 | 3 | 1 |"]),
        ("search_character_option", "human species 2014 or 2024, what do I get", ["Origin feat", "increase by 1"]),
        ("search_rule", "nat 1 on a saving throw, auto fail?", ["the attack misses regardless"]),
        (
            "search_all",
            "enemy is restrained by web, how do my attacks roll",
            ["Attack rolls against you have Advantage"],
        ),
        ("search_rule", "inspiration vs heroic inspiration", ["## Using Inspiration"]),
        ("search_creature", "can a werewolf be hurt by a normal sword?", ["not made with silvered weapons"]),
    ],
)
async def test_the_first_answer_states_the_facts(embedded: Client, tool: str, question: str, facts: list[str]) -> None:
    arguments = {"query" if tool == "search_all" else "search": question}
    (content, *_) = (await embedded.call_tool(tool, arguments)).content
    plain = content.text.replace("**", "").replace("’", "'")
    assert [fact for fact in facts if fact not in plain] == []
