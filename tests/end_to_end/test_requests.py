"""The requests to Open5e: those that filter, each once, and none for stored data."""

from __future__ import annotations

import asyncio
import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.clients import ask, in_process, names, until_complete
from tests.open5e.parameters import applied
from tests.replay import Replay
from tests.served_open5e import load

NO_FILTERS = {"limit", "page", "ordering", "fields"}


def sent(replay: Replay, path: str) -> list[dict[str, Any]]:
    """The queries sent to an endpoint, without pages, requests by key, and requests for a list's length."""
    return [
        {k: v for k, v in request["query"].items() if k not in NO_FILTERS}
        for request in replay.log()
        if request["path"] == path and "key__in" not in request["query"] and request["query"].get("limit") != "1"
    ]


QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {"level_min": 3, "level_max": 4, "school": "illusion", "concentration": False, "ritual": True}),
    ("search_spell", {"class_key": "paladin", "casting_time": "bonus action", "damage_type": "fire"}),
    ("search_spell", {"casting_time": "3 rounds", "documents": ["srd-2014", "toh"], "edition": "2014"}),
    ("search_creature", {"cr": "1/4", "type": "Beast", "size": "Tiny", "hit_points_min": 1, "environment": "forest"}),
    (
        "search_creature",
        {"cr_min": 5, "cr_max": 7, "armor_class_min": 15, "ability_min": {"str": 18}, "edition": "a5e"},
    ),
    ("search_equipment", {"category": "ring", "rarity": "very rare", "requires_attunement": True, "is_magic": True}),
    (
        "search_equipment",
        {"type": "weapon", "is_finesse": False, "is_light": True, "damage_dice": "1d6", "cost_max": 10},
    ),
    ("search_equipment", {"type": "item", "cost_min": 5, "weight_max": 3, "category": "tools"}),
    ("search_equipment", {"search": "ring of*", "type": "magic-item"}),
    ("search_character_option", {"type": "subclass", "class_key": "wizard", "search": "evocation"}),
    ("search_character_option", {"type": "subrace", "documents": ["toh"]}),
    ("search_rule", {"rule_type": "condition", "search": "blinded", "edition": "2024"}),
    ("search_rule", {"rule_type": "all", "search": "falling", "documents": ["srd-2014"]}),
    ("search_all", {"query": "dragon's breath", "content_types": ["Spell", "Creature", "MagicItem", "Plane"]}),
]


@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS, ids=lambda value: str(value)[:40])
async def test_only_parameters_that_filter_are_sent(
    tool: str, arguments: dict[str, Any], replay: Replay, own: Path
) -> None:
    async with in_process(own, replay.url) as client:
        await until_complete(client, tool, **arguments)  # so that no request is given up
    assert replay.log()
    for request in (r for r in replay.log() if not r["fault"]):  # a slow answer of an earlier test may end now
        path = request["path"].strip("/")
        parameters = applied(path)
        searchable = {"search"} if path.startswith("v1/") else set()
        # Open5e before 2.0.0 knows the challenge rating by its second name.
        ratings = {name for name in request["query"] if name.startswith("challenge_rating_decimal")}
        assert set(request["query"]) <= parameters | searchable | NO_FILTERS | ratings, request
        assert not any(v == "false" for k, v in request["query"].items() if k in ("is_finesse", "is_light")), request
        assert request["status"] == 200, request


async def test_the_challenge_rating_is_sent_under_both_names(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        await ask(client, "search_creature", cr_min=30)
    parameters = {"challenge_rating__gte": "30.0", "challenge_rating_decimal__gte": "30.0"}
    assert parameters in sent(replay, "/v2/creatures/")  # the whole list follows


async def test_both_editions_of_a_class_are_requested_together_without_duplicates(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        answer = await until_complete(client, "search_spell", class_key="wizard", level=9, limit=50)
    assert sent(replay, "/v2/spells/")[0]["classes__key__in"] == "srd_wizard,srd-2024_wizard"
    keys = [r["key"] for r in answer["results"]]
    assert len(keys) == len(set(keys))


async def test_a_fetched_list_is_not_requested_again(replay: Replay, own: Path) -> None:
    question = {"type": "ooze", "cr_max": 5}
    async with in_process(own, replay.url) as client:
        first = await until_complete(client, "search_creature", **question)
    replay.reset()
    async with in_process(own, replay.url) as client:
        again = await ask(client, "search_creature", **question)
        narrower = await ask(client, "search_creature", **question, size="large")
    assert again == first
    assert narrower["complete"]
    assert replay.log() == []


async def test_equal_parallel_questions_send_one_request(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        await asyncio.gather(*(ask(client, "search_creature", type="ooze", cr=5) for _ in range(5)))
    filtered = [query for query in sent(replay, "/v2/creatures/") if query]
    assert len(filtered) == 1


@pytest.mark.parametrize(
    ("tool", "pattern", "endpoints"),
    [
        ("search_spell", "*bolt", ["v2/spells"]),
        ("search_equipment", "long*", ["v2/items", "v2/weapons", "v2/armor", "v2/magicitems"]),
        ("search_character_option", "%dragon%", ["v2/classes", "v2/species", "v2/backgrounds", "v2/feats"]),
        ("search_rule", "*common*", ["v2/rules", "v2/languages", "v2/skills", "v2/conditions"]),
    ],
)
async def test_a_pattern_finds_every_name_from_an_empty_cache(
    tool: str, pattern: str, endpoints: list[str], replay: Replay, own: Path
) -> None:
    async with in_process(own, replay.url) as client:
        answer = await until_complete(client, tool, search=pattern, limit=50)
    expected = {
        r["name"] for e in endpoints for r in load(e) if fnmatch.fnmatch(r["name"].lower(), pattern.replace("%", "*"))
    }
    assert expected
    assert expected <= {*names(answer), *(name for r in answer["results"] for name in r.get("variants", []))}


async def test_empty_documents_send_no_request(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        await ask(client, "search_spell", documents=[], search="fire")
    assert replay.log() == []
