"""Features are found by name, by class and by level, in every tool that might be used."""

from __future__ import annotations

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ask, every_result

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("search", "name", "owner"),
    [
        ("sneak attack", "Sneak Attack", "Rogue"),
        ("Action Surge", "Action Surge", "Fighter"),
        ("agonizing blast", "Agonizing Blast", "Warlock"),
        ("turn undead", "Turn Undead", "Cleric"),
        ("twinned spell", "Twinned Spell", "Sorcerer"),
        ("wild shape", "Wild Shape", "Druid"),
        ("deflect energy", "Deflect Energy", "Monk"),
    ],
)
async def test_a_feature_is_found_by_its_name(embedded: Client, search: str, name: str, owner: str) -> None:
    for tool, argument in (("search_character_option", "search"), ("search_all", "query")):
        first = (await ask(embedded, tool, **{argument: search}))["results"][0]
        assert (first["kind"], first["name"], first["similarity_score"]) == ("feature", name, 1.0), tool
        assert first["feature_of"] == owner


async def test_features_are_listed_by_class_and_level(embedded: Client) -> None:
    arguments = {"type": "feature", "class_key": "rogue", "level": 5, "documents": ["srd-2014"]}
    assert [r["name"] for r in await every_result(embedded, "search_character_option", **arguments)] == [
        "Uncanny Dodge"
    ]
    subclass = await every_result(embedded, "search_character_option", type="feature", class_key="srd_thief")
    assert {r["feature_of"] for r in subclass} == {"Thief (Rogue)"}
    assert {r["kind"] for r in await every_result(embedded, "search_character_option", level=3)} == {"feature"}


async def test_content_types_and_resources_know_features(embedded: Client) -> None:
    answer = await ask(embedded, "search_all", query="evasion", content_types=["Features"])
    assert {r["kind"] for r in answer["results"]} == {"feature"}
    [page] = await embedded.read_resource("lorekeeper://feature/srd_rogue_evasion")
    assert "*Feature of Rogue, level 7*" in page.text
