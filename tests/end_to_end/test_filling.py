"""The cache fills itself in the background; answers meanwhile are complete or say that they are not."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from lorekeeper_mcp.sharing.owner import read_owner_card
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from lorekeeper_mcp.store.folder import is_locked
from tests.cached_stores import copy_store
from tests.conftest import Processes
from tests.end_to_end.clients import ask, in_process, names, over_stdio
from tests.end_to_end.test_filters import SINGLE, names_in_results, names_of_ids
from tests.oracle import Case, document, expected, records
from tests.replay import Replay
from tests.store.killed_processes import fill_from

QUESTIONS = 200


def one_page_cases() -> list[tuple[str, Case]]:
    """Filters of all tools whose matches fit on one page."""
    return [(tool, case) for tool, case in SINGLE if 0 < len(names_of_ids(expected(tool, case), tool)) <= 40]


async def is_right(client: Client, tool: str, case: Case) -> bool:
    """Whether an answer is complete; checks that it has every match if it says so, and gives a reason if not."""
    documents = sorted({document(record) for record in records(tool)})
    answer = await ask(client, tool, **{case.argument: case.value}, documents=documents, limit=1, detail="brief")
    if not answer["complete"]:
        assert "ask again" in answer["hint"].casefold(), (tool, case, answer["hint"])
        return False
    assert await names_in_results(client, tool, case) == names_of_ids(expected(tool, case), tool), (tool, case)
    return True


@pytest.mark.chaos
async def test_questions_are_answered_while_everything_is_being_fetched(
    tmp_path: Path, replay: Replay, processes: Processes
) -> None:
    """Another process fills the store; this one gets questions all the time."""
    cases = one_page_cases()
    db = tmp_path / "x.db"
    with processes(fill_from, db, replay.url) as (_, messages):
        assert messages.recv() == ("open", 0)
        async with in_process(db, replay.url) as client:
            complete = [await is_right(client, *cases[number % len(cases)]) for number in range(QUESTIONS)]
            assert any(complete)
            while not await asyncio.to_thread(messages.poll, 60):
                raise AssertionError("the fill does not end")
            replay.reset()
            for tool, case in cases[::3]:
                assert await is_right(client, tool, case), (tool, case)
            assert replay.log() == [], "what the other has fetched is known"


async def filled(replay: Replay) -> list[dict[str, Any]]:
    """The request log once every endpoint has been requested."""
    paths = {f"/{endpoint.path}/" for endpoint in ENDPOINTS}
    for _ in range(600):
        log = replay.log()
        if paths <= {request["path"] for request in log}:
            return log
        await asyncio.sleep(0.2)
    raise AssertionError(paths - {request["path"] for request in log})


@pytest.mark.chaos
async def test_a_server_fetches_in_the_background_and_the_next_one_continues(own: Path, replay: Replay) -> None:
    db = own
    async with over_stdio(db, replay.url, LOREKEEPER_BACKGROUND_FILL="true"):
        while len(replay.log()) < 8:
            await asyncio.sleep(0.05)
        server = read_owner_card(db)
    assert server is not None
    with pytest.raises(ProcessLookupError):
        os.kill(server.pid, 0)
    assert not is_locked(db)
    async with over_stdio(db, replay.url, LOREKEEPER_BACKGROUND_FILL="true") as client:
        log = await filled(replay)
        count = len(log)
        answer = await ask(client, "search_creature", search="Tarrasque")
        assert (names(answer)[0], answer["complete"]) == ("Tarrasque", True)
        assert len(replay.log()) == count, "what the fill has brought is not asked for again"
    pages = Counter((request["path"], str(request["query"])) for request in log)
    again = {page for page, times in pages.items() if times > 1}
    assert len({path for path, _ in again}) <= 1, "only the endpoint that was cut short is fetched again"


async def test_without_background_fill_nothing_is_fetched_unasked(seeded: Path, replay: Replay, tmp_path: Path) -> None:
    first, second = (copy_store(seeded, tmp_path / name) for name in ("first.db", "second.db"))
    fills = {"LOREKEEPER_BACKGROUND_FILL": "true"}
    async with (
        over_stdio(first, replay.url, **fills | {"LOREKEEPER_BACKGROUND_FILL": "false"}) as fetching,
        over_stdio(second, replay.url, **fills | {"LOREKEEPER_OFFLINE": "true"}) as offline,
    ):
        for client in (fetching, offline):
            await ask(client, "list_documents")
        await asyncio.sleep(5)
    assert replay.log() == []
