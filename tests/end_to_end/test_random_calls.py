"""Hundreds of random calls on all of Open5e and on the embedded SRD: budgets, order, sentences.

A usual run makes 50 valid calls, ``LOREKEEPER_TEST_RANDOM_CALLS=500`` makes 500, the same each time.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
from typing import Any

import pytest
from fastmcp import Client

from tests.end_to_end.clients import ERAS, Era, ask, over_stdio
from tests.end_to_end.random_calls import hostile_arguments, valid_arguments

pytestmark = pytest.mark.asyncio(loop_scope="module")
CALLS = int(os.environ.get("LOREKEEPER_TEST_RANDOM_CALLS", "50"))
HOSTILE_CALLS = 203  # as many for each of the seven tools
STEERS = re.compile(r"must be|llowed values are|its arguments are|did you mean|go in|needs|swap the two|start again")
INSIDES = ("Traceback", "pydantic", "milvus", "Milvus", "sqlite", "httpx", "validation error", "fastmcp", "Error:")


def within_budget(answer: Any, arguments: dict[str, Any], named_size: bool) -> None:
    text = answer.content[0].text
    if answer.is_error:
        assert 10 < len(text) <= 600, (arguments, text)
        assert not any(inside in text for inside in INSIDES), (arguments, text)
        return
    budget = 40_000 if named_size else 8_000
    assert len(text) <= budget, arguments
    assert len(json.dumps(answer.structured_content, ensure_ascii=False)) <= budget, arguments


async def test_random_calls_stay_within_their_budgets(warm: Client) -> None:
    chance = random.Random(6)
    tools = [tool for tool in await warm.list_tools() if tool.name.startswith("search")]
    count = 0
    for number in range(CALLS):
        tool = tools[number % len(tools)]
        arguments = valid_arguments(tool, chance)
        answer = await warm.call_tool(tool.name, arguments, raise_on_error=False)
        within_budget(answer, arguments, "limit" in arguments or "detail" in arguments)
        count += not answer.is_error and bool(answer.structured_content["results"])
    assert count > CALLS // 4
    documents = await warm.call_tool("list_documents", {})
    within_budget(documents, {}, named_size=True)


WALKS: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {"level": 2}),
    ("search_spell", {"search": "fire*", "detail": "full", "limit": 7}),
    ("search_creature", {"cr_min": 8, "type": "dragon", "detail": "full", "limit": 50}),
    ("search_equipment", {"type": "magic-item", "rarity": "legendary", "limit": 50}),
    ("search_character_option", {"type": "subclass", "detail": "full", "limit": 50}),
    ("search_rule", {"rule_type": "rule", "edition": "2014", "limit": 50}),
    ("search_creature", {"search": "dragon", "cr": 10, "limit": 5}),
]


@pytest.mark.chaos
@pytest.mark.parametrize(("tool", "arguments"), WALKS, ids=str)
async def test_a_walk_by_cursor_returns_each_match_once_in_order(
    warm: Client, tool: str, arguments: dict[str, Any]
) -> None:
    results: list[dict[str, Any]] = []
    cursor = None
    totals = set()
    while True:
        answer = await warm.call_tool(tool, {**arguments, "cursor": cursor})
        within_budget(answer, arguments, "limit" in arguments or "detail" in arguments)
        page = answer.structured_content
        assert page["results"], "a page that leads nowhere"
        results += page["results"]
        totals.add(page["total"])
        cursor = page["next_cursor"]
        if cursor is None:
            break
    ids = [(result["kind"], result["key"]) for result in results]
    assert len(ids) == len(set(ids))
    assert totals == {len(ids)}
    scores = [result["similarity_score"] for result in results if "similarity_score" in result]
    assert scores == sorted(scores, reverse=True)
    if not scores:
        names = [result["name"].casefold() for result in results]
        assert sum(a > b for a, b in itertools.pairwise(names)) <= len(names) // 20  # folded, not plain


@pytest.mark.chaos
@pytest.mark.parametrize("mode", ERAS)
async def test_two_hundred_hostile_calls_in_either_era_get_sentences_and_the_next_works(mode: Era, seeded: Any) -> None:
    chance = random.Random(f"hostile {mode}")
    async with over_stdio(seeded, mode=mode, LOREKEEPER_OFFLINE="true") as client:
        tools = await client.list_tools()
        refused = 0
        for number in range(HOSTILE_CALLS):
            tool = tools[number % len(tools)]
            arguments = hostile_arguments(tool, chance)
            answer = await client.call_tool(tool.name, arguments, raise_on_error=False)
            within_budget(answer, {name: str(value)[:80] for name, value in arguments.items()}, named_size=True)
            if answer.is_error:
                refused += 1
                sentence = answer.content[0].text
                assert sentence[-1] in ".?", sentence
                assert STEERS.search(sentence), sentence
                assert "cursor" in sentence or any(name in sentence for name in tool.input_schema["properties"])
            if number % 20 == 0:
                assert (await ask(client, "search_spell", level=3, limit=1))["results"]
        assert refused >= 180
        assert (await ask(client, "search_spell", search="Fireball", limit=1))["results"]
