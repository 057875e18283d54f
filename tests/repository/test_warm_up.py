from __future__ import annotations

import asyncio
from pathlib import Path

from lorekeeper_mcp.sharing.store_member import StoreMember
from tests.end_to_end.clients import in_process, over_stdio


async def test_everything_is_loaded_before_the_first_call(seeded: Path) -> None:
    async with in_process(seeded, offline=True) as client:
        member: StoreMember = client.transport.server._lifespan_result["repository_user"]  # type: ignore[attr-defined]
        await client.list_tools()
        lazy = member.repository
        assert lazy is None or lazy._opening is None, "the reply is out before anything is opened"
        repository = await (await member.watch()).get()
        async with asyncio.timeout(60):
            while not repository.cache.store.is_milvus_open:
                await asyncio.sleep(0.05)
        async with asyncio.timeout(60):
            while not repository.cache.searches_by_meaning:
                await asyncio.sleep(0.05)


async def test_a_call_during_warm_up_is_still_ranked_by_meaning(seeded: Path) -> None:
    async with over_stdio(seeded, LOREKEEPER_OFFLINE="true") as client:
        answer = await client.call_tool("search_creature", {"search": "undead that drain life"})
        assert answer.structured_content is not None
        assert "not ready" not in answer.structured_content["hint"]
        assert "Wight" in {result["name"] for result in answer.structured_content["results"][:5]}


async def test_a_missing_model_stops_nothing(own: Path, tmp_path: Path) -> None:
    async with in_process(own, offline=True, embedding_model=str(tmp_path / "none")) as client:
        member: StoreMember = client.transport.server._lifespan_result["repository_user"]  # type: ignore[attr-defined]
        await client.list_tools()
        repository = await (await member.watch()).get()
        async with asyncio.timeout(60):
            while not repository.cache.store.is_milvus_open:
                await asyncio.sleep(0.05)
        assert not repository.cache.embedder.is_loaded
