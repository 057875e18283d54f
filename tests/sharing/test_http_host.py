"""The owner's side of a command."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest
from fastmcp import FastMCP

from lorekeeper_mcp.repository.lazy_repository import IdleTracker, LazyRepository
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.sharing.command import CommandError
from lorekeeper_mcp.sharing.http_host import add_commands, hosting
from lorekeeper_mcp.sharing.owner import OwnerCard, ask
from lorekeeper_mcp.sharing.store_commands import Status


class FaultyRepository(LazyRepository):
    """One that fails in a way that nobody foresaw."""

    openings = 0

    async def get(self) -> Repository:
        self.openings += 1
        raise ZeroDivisionError


async def test_an_unforeseen_error_is_a_sentence_and_the_command_is_not_repeated(tmp_path: Path) -> None:
    server, repository = FastMCP("owner"), FaultyRepository(Settings(milvus_db_path=tmp_path / "x.db"), IdleTracker())
    add_commands(server, repository)
    card = OwnerCard(pid=1, port=0, token="token-of-the-test", version="0", shape="")
    async with hosting(server, card.token) as port:
        with pytest.raises(CommandError, match="internal error"):
            await asyncio.to_thread(ask, dataclasses.replace(card, port=port), Status(), lambda _: None)
    assert repository.openings == 1
