from __future__ import annotations

from pathlib import Path

import pytest
from fastmcp import FastMCP
from filelock import FileLock

from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.owner import LOOPBACK, OwnerCard, listening, publish
from lorekeeper_mcp.sharing.store_member import StoreMember
from lorekeeper_mcp.store.errors import StoreUnavailableError
from lorekeeper_mcp.store.folder import OWNER_LOCK, SHAPE, claim


@pytest.mark.process
async def test_a_silent_owner_whose_store_cannot_be_copied_is_named(tmp_path: Path) -> None:
    """It holds the lock and listens, but never replies, and its folder has no rows yet."""
    store = tmp_path / "x.db"
    claim(store)
    member = StoreMember(Settings(milvus_db_path=store), lambda _: FastMCP("owner"))

    async def name(repository: Repository) -> str:
        return repository.cache.notice

    async def locally() -> str:
        return await member.use(name)

    async def via_owner(_: object) -> str:
        return "a reply"

    with FileLock(store / OWNER_LOCK), listening(LOOPBACK, 0) as port:
        port.listen()
        publish(store, OwnerCard(4242, port.getsockname()[1], token="secret", version="0.1.0", shape=SHAPE))
        with pytest.raises(StoreUnavailableError, match=r"^Process 4242 owns the cache and does not reply\. Quit it"):
            await member.answer(locally, via_owner)
    await member.aclose()
