"""A call that comes while a new store is being loaded is answered in time, and says what it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lorekeeper_mcp.repository import deadline
from tests.end_to_end.clients import ask, in_process, names


async def test_an_answer_does_not_wait_for_all_books(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(deadline, "LOADING_SECONDS", 0.0)
    async with in_process(tmp_path / "new.db", offline=True) as client:
        early = (await client.call_tool("search_spell", {"search": "Fireball"})).structured_content
        listed = (await client.call_tool("list_documents")).structured_content
        with pytest.raises(Exception, match="still being loaded"):
            await client.read_resource("lorekeeper://feat/no-such-feat")
        monkeypatch.setattr(deadline, "LOADING_SECONDS", 60.0)
        later = await ask(client, "search_spell", search="Fireball")
    assert early is not None and listed is not None
    assert (early["complete"], early["cache"]) == (False, "partial")
    assert early["hint"].startswith("The stored books are still being loaded: ask again in a moment")
    assert "Open5e" not in early["hint"], "it was not asked"
    assert "still being loaded" in listed["hint"]
    assert names(later)[0] == "Fireball"
    assert "being loaded" not in later["hint"]
