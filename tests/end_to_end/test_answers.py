"""Typical first questions, on a fresh install and on all of Open5e."""

from __future__ import annotations

from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result, names
from tests.recorded import needs_recorded

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module", params=["embedded", pytest.param("warm", marks=needs_recorded)])
def client(request: pytest.FixtureRequest) -> Client:
    """The same questions to the embedded SRD alone and to everything."""
    found: Client = request.getfixturevalue(request.param)
    return found


def place(answer: dict[str, Any], name: str) -> int:
    """The index of a name in an answer; beyond the end if it is missing."""
    found = [*names(answer), name]
    return found.index(name)


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
    ("tool", "question", "named"),
    [
        ("search_spell", "healing word vs cure wounds", ["Healing Word", "Cure Wounds"]),
        ("search_all", "difference between restrained and grappled", ["Restrained", "Grappled"]),
        ("search_equipment", "longsword vs rapier", ["Longsword", "Rapier"]),
    ],
)
async def test_every_named_record_is_shown_whole(client: Client, tool: str, question: str, named: list[str]) -> None:
    answer = await ask(client, tool, **{"query" if tool == "search_all" else "search": question})
    assert {one["name"] for one in answer["results"] if "text" in one} == set(named)


CASES = [
    ("The barbarian is prone and an archer far away shoots at him. The archer claims advantage.", "Prone"),
    ("She hides behind a wall, then shoots. Is she still hidden?", "Hide"),
    ("A grappled fighter tries to walk away. The grappler says that he cannot.", "Grappled"),
]


@pytest.mark.parametrize(("case", "rule"), CASES)
async def test_a_described_situation_shows_the_deciding_rule(client: Client, case: str, rule: str) -> None:
    answer = await ask(client, "search_all", query=case, edition="2024")
    assert rule in {one["name"] for one in answer["results"] if one.get("passages")}
    assert "Read as" not in (answer["hint"] or ""), "a case is no list of filters"


async def test_a_key_returns_only_its_record(client: Client) -> None:
    answer = await ask(client, "search_spell", search="srd_fireball")
    assert [(r["key"], r["document_key"]) for r in answer["results"]] == [("srd_fireball", "srd-2014")]


async def test_meaning_ranks_protection_from_fire_over_a_spell_that_deals_damage(client: Client) -> None:
    answer = await ask(client, "search_spell", search="protect from fire damage", limit=50)
    assert place(answer, "Fire Shield") < place(answer, "Ice Storm")


async def test_undead_that_drain_life(client: Client) -> None:
    answer = await ask(client, "search_creature", search="undead that drain life", type="undead", limit=10)
    found = set(names(answer))
    assert {"Wraith", "Specter"} <= found


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
    found = names(answer)
    assert any("Heal" in name or "Cure" in name for name in found[:3])
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
    arguments: dict[str, Any] = {"type": "dragon", "edition": "2014", "search": "breathes fire", "limit": 7}
    found, cursor, total = [], None, None
    while cursor is not None or total is None:
        page = await ask(client, "search_creature", **arguments, cursor=cursor, detail="brief")
        found += [r["key"] for r in page["results"]]
        cursor, total = page["next_cursor"], page["total"]
    assert len(found) == len(set(found)) == total


async def test_stored_records_are_counted_by_document(client: Client) -> None:
    answer = await ask(client, "list_documents")
    counts = [one["entity_count"] for one in answer["documents"]]
    assert counts == sorted(counts, reverse=True)
    assert all(sum(one["entity_types"].values()) == one["entity_count"] for one in answer["documents"])
    assert any(one["document_key"] == "srd-2014" and "CC-BY-4.0" in one["license"] for one in answer["documents"])


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


async def test_a_superlative_sorts_a_list(client: Client) -> None:
    answer = await ask(client, "search_all", query="the strongest undead")
    ratings = [result["challenge_rating"] for result in answer["results"]]
    assert ratings == sorted(ratings, reverse=True)
    assert answer["total"] > 10
    assert "Sorted by challenge rating" in answer["hint"]
    cheapest = await ask(client, "search_equipment", search="cheapest martial weapon")
    given = await ask(client, "search_equipment", is_simple=False, sort="cost")
    assert names(cheapest) == names(given)
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
    assert "Read as a filter: cr=2, type=ooze. No result also matches alignment=lawful-good" in answer["hint"]


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
    assert [one["name"] for one in answer["results"] if "text" in one] == [name]
    assert f'Read as "{name.lower()}".' in answer["hint"]


async def test_a_comparison_of_editions_shows_the_thing_in_both(client: Client) -> None:
    answer = await ask(client, "search_all", query="what changed about exhaustion between 2014 and 2024")
    first = answer["results"][0]
    assert first["name"] == "Exhaustion"
    assert "2014 edition, where it differs" in first["text"]


@pytest.mark.parametrize(
    ("tool", "search", "given", "excluded"),
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
    client: Client, tool: str, search: str, given: dict[str, Any], excluded: dict[str, Any]
) -> None:
    found = {result["key"] for result in await every_result(client, tool, search=search)}
    every = {result["key"] for result in await every_result(client, tool, **given)}
    without = {result["key"] for result in await every_result(client, tool, **given, **excluded)}
    assert found >= every - without
    assert found
    assert "Left out: " in (await ask(client, tool, search=search))["hint"]


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
    assert "Grappling" in {one["name"] for one in answer["results"] if one.get("passages")}
