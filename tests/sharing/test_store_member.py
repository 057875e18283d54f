from __future__ import annotations

from pathlib import Path

import pytest
from fastmcp import FastMCP

from lorekeeper_mcp.repository.idle_tracker import IdleTracker
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.owner_file import OwnerCard, publish
from lorekeeper_mcp.sharing.store_member import StoreMember
from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.store.lite.folder_marker import claim


async def test_a_silent_owner_makes_a_call_fail_with_its_process_id(tmp_path: Path) -> None:
    store = tmp_path / "x.db"
    claim(store)
    publish(store, OwnerCard(pid=4242, port=2, token="secret", version="0.1.0", shape="a"))
    member = StoreMember(Settings(milvus_db_path=store), IdleTracker(), lambda _: FastMCP("owner"), answer_seconds=0)

    async def answer(*_: object) -> str:
        return "an answer"

    with pytest.raises(StoreUnavailableError, match=r"^Process 4242 owns the cache and does not reply: end it"):
        await member.answer(answer, answer)
    await member.aclose()
