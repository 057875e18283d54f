"""Promises of every answer: budgets, both channels whole, the model only when needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.precomputed import PrecomputedEmbeddings
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.server import INSTRUCTIONS
from lorekeeper_mcp.settings import load_settings
from tests.end_to_end.clients import ask, every_result, in_process, refused
from tests.srd import srd_records

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("search_spell", {}),
    ("search_spell", {"search": "Wish"}),
    ("search_creature", {"search": "Adult Red Dragon"}),
    ("search_creature", {"type": "dragon", "detail": "full", "limit": 50}),
    ("search_equipment", {"limit": 50}),
    ("search_equipment", {"search": "Deck of Many Things", "detail": "full"}),
    ("search_character_option", {"search": "Wizard", "type": "class"}),
    ("search_character_option", {"type": "class", "detail": "full", "limit": 50}),
    ("search_rule", {"search": "Grappled"}),
    ("search_rule", {"detail": "full", "limit": 50}),
    ("search_all", {"query": "fire"}),
    ("search_all", {"query": "fire", "detail": "full", "limit": 50}),
]


@pytest.fixture(scope="module", params=["embedded", "warm"])
def client(request: pytest.FixtureRequest) -> Client:
    client: Client = request.getfixturevalue(request.param)
    return client


async def test_the_tool_list_stays_within_its_budget(client: Client) -> None:
    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in await client.list_tools()]
    assert len(json.dumps(tools, separators=(",", ":"))) <= 24_000, "as it is sent"
    assert all(tool["icons"] for tool in tools)
    assert len(INSTRUCTIONS) <= 1_500
    for tool in tools:
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["annotations"]["openWorldHint"] is False
        assert "anyOf" not in json.dumps(tool["inputSchema"]) or tool["name"] == "search_creature"


@pytest.mark.parametrize(("tool", "arguments"), QUESTIONS, ids=str)
async def test_an_answer_stays_within_its_budget_in_both_channels(
    client: Client, tool: str, arguments: dict[str, Any]
) -> None:
    answer = await client.call_tool(tool, arguments)
    budgets = (40_000, 40_000) if "limit" in arguments or "detail" in arguments else (5_000, 8_000)
    assert len(answer.content[0].text) <= budgets[0]
    assert len(json.dumps(answer.structured_content, ensure_ascii=False)) <= budgets[1]
    assert answer.structured_content is not None
    assert answer.structured_content["results"]


async def test_a_page_cut_to_its_budget_continues_on_the_next_page(client: Client) -> None:
    dragons = await every_result(client, "search_creature", type="dragon", documents=["srd-2014"], detail="full")
    assert len(dragons) == len({dragon["key"] for dragon in dragons})


async def test_a_cursor_of_another_question_is_refused(client: Client) -> None:
    page = await ask(client, "search_spell", level=1)
    assert "start again without cursor" in await refused(client, "search_spell", level=2, cursor=page["next_cursor"])
    assert "start again without cursor" in await refused(client, "search_rule", cursor=page["next_cursor"])


async def test_detail_selects_brief_lines_or_full_records(client: Client) -> None:
    brief = await ask(client, "search_spell", search="Fireball", detail="brief")
    assert all("text" not in result for result in brief["results"])
    full = await ask(client, "search_spell", search="wall", detail="full", limit=3)
    assert all("text" in result for result in full["results"])


async def test_questions_never_load_the_model_that_embeds_many_texts(own: Path) -> None:
    async with in_process(own, offline=True) as client:
        await ask(client, "search_spell", level=3, search="  ")
        await ask(client, "search_spell", search="fire*")
        await ask(client, "list_documents")
        await ask(client, "search_spell", search="Fireball")
        member = client.transport.server._lifespan_result["repository_user"]  # type: ignore[attr-defined]
        repository: Repository = await (await member.watch()).get()
        await ask(client, "search_spell", search="a light in the dark")
        assert repository.cache.embedder.is_loaded


async def test_without_the_model_names_and_keywords_rank_with_a_hint(own: Path, tmp_path: Path) -> None:
    async with in_process(own, offline=True, embedding_model=str(tmp_path / "no-model")) as client:
        answer = await ask(client, "search_spell", search="protect from fire damage", limit=50)
        assert "embedding model" in answer["hint"]
        names = [result["name"] for result in answer["results"]]
        assert "Fire Shield" in names[:10]


async def test_the_shipped_vectors_match_the_code() -> None:
    texts = [embedding_text(record) for record in srd_records()]
    missing = sum(vector is None for vector in PrecomputedEmbeddings(load_settings().embedding_model).find(texts))
    # A few new texts are embedded where they are stored.
    assert missing <= len(texts) // 100, "run scripts/build_vectors.py"
