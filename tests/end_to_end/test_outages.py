"""Every fault of Open5e, on a store with the embedded SRD alone and on a full one whose data is stale.

No answer claims what it cannot know, no record is lost, and the next good answer restores everything.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastmcp import Client

from lorekeeper_mcp.models import Source
from lorekeeper_mcp.repository import deadline
from lorekeeper_mcp.repository.background import fetch_lists
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.fetch_ledger import FetchState
from tests.cached_stores import copy_store
from tests.end_to_end.clients import ask, in_process, names, over_stdio, until_complete
from tests.end_to_end.test_faults import EVERY_MODE, MODES
from tests.recorded import needs_recorded
from tests.replay import Replay
from tests.served_open5e import load

CALLS = 3000


@pytest.mark.parametrize("mode", EVERY_MODE)
async def test_an_empty_store_never_claims_completeness(
    mode: str, replay: Replay, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "UPSTREAM_SECONDS", 2.0)  # the wait itself is tested in test_faults
    replay.fault(mode, seconds=30)
    async with in_process(own, replay.url) as client:
        await ask(client, "list_documents")  # opening the store is not part of this test
        answers = await asyncio.gather(
            ask(client, "search_spell", search="Fireball", level=3),
            ask(client, "search_spell", documents=["deepm"]),
            ask(client, "search_creature", documents=["Tome of Beasts"], cr=5),
            ask(client, "search_equipment", documents=["a5e"], rarity="rare"),
            ask(client, "search_all", query="frost", documents=["srd-2014"]),
        )
    assert names(answers[0])[0] == "Fireball"
    assert {result["document_source"] for result in answers[0]["results"]} == {"srd"}
    for answer in answers:
        assert answer["complete"] is False, answer["hint"]
        assert "Open5e" in answer["hint"]
        assert "No stored document is called" not in answer["hint"], "Open5e may have it"


@pytest.mark.parametrize(
    "mode", ["empty", *(pytest.param(mode, marks=pytest.mark.chaos) for mode in ("shrunk", "slow"))]
)
async def test_the_real_command_finds_fireball_first(mode: str, replay: Replay, own: Path) -> None:
    replay.fault(mode, seconds=30)
    async with over_stdio(own, replay.url) as client:
        await ask(client, "list_documents")
        answer = await ask(client, "search_spell", search="Fireball")
    assert (names(answer)[0], answer["complete"]) == ("Fireball", False)


async def test_a_failed_list_is_reported_only_in_answers_that_need_it(replay: Replay, own: Path) -> None:
    for mode, path in (("shrunk", "/v2/services"), ("empty", "/v2/licenses"), ("gone", "/v1/")):
        replay.fault(mode, path=path)
    async with in_process(own, replay.url) as client:
        assert (await ask(client, "search_all", query="*", content_types=["License"]))["complete"] is False
        assert (await ask(client, "search_all", query="*", content_types=["Service"]))["complete"] is False
        assert (await until_complete(client, "search_rule", rule_type="plane"))["results"] == []


async def test_an_answer_waits_for_a_slow_list_of_documents(replay: Replay, own: Path) -> None:
    replay.fault("slow", path="/v2/documents", seconds=2.5)
    async with in_process(own, replay.url) as client:
        answer = await ask(client, "search_spell", documents=["Deep Magic for 5th Edition"], level=9)
    assert {result["document_key"] for result in answer["results"]} == {"deepm"}


async def test_a_document_that_only_version_1_has_is_known_from_the_start(replay: Replay, own: Path) -> None:
    async with in_process(own, replay.url) as client:
        answer = await until_complete(client, "search_equipment", documents=["a5e"], limit=50)
        assert answer["total"] == sum(r["document__slug"] == "a5e" for r in load("v1/magicitems"))
        by_name = await until_complete(client, "search_equipment", documents=["Level Up Advanced 5e"])
        assert by_name["total"] == answer["total"]
    assert {request["path"] for request in replay.log()} == {"/v2/documents/", "/v1/magicitems/"}


async def test_a_missing_record_is_not_denied_while_open5e_is_unreachable(replay: Replay, own: Path) -> None:
    replay.fault("500")
    async with in_process(own, replay.url) as client:
        with pytest.raises(Exception, match="but Open5e may have one") as caught:
            await client.read_resource("lorekeeper://spell/deepm_abhorrent-apparition")
        assert "Open5e answered 500" in str(caught.value)


async def test_creatures_have_the_parts_that_only_version_1_serves(replay: Replay, own: Path) -> None:
    replay.fault("500", path="/v1/monsters")
    async with in_process(own, replay.url) as client:
        for arguments in ({"cr": 30}, {"search": "tarrasque*"}, {"documents": ["tob"], "type": "giant"}):
            answer = await ask(client, "search_creature", **arguments)
            assert answer["results"] or "documents" in arguments  # only Open5e has these
            assert answer["complete"] is False
            assert "monsters (older API)" in answer["hint"]
        # Version 1 has none of these.
        assert (await until_complete(client, "search_creature", edition="2024", cr=30))["results"]
        assert (await until_complete(client, "search_creature", documents=["srd-2024"], cr=30))["results"]
    async with in_process(own, replay.url, error_cache_ttl_seconds=0) as client:
        replay.reset()
        assert (await until_complete(client, "search_creature", cr=30))["results"]


def stored_ids(repository: Repository) -> set[str]:
    """The ids of the records that came from Open5e."""
    return {e.id for e in repository.entries() if e.source in (Source.OPEN5E_V1, Source.OPEN5E_V2)}


REFRESHED = ("v2/documents", "v2/conditions", "v2/languages", "v2/licenses", "v2/feats")
LISTS = (*REFRESHED, "v1/planes")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stale(
    seeded: Path, replay_server: Replay, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Repository]:
    """A store with some whole lists, all of them stale."""
    replay_server.reset()
    db = copy_store(seeded, tmp_path_factory.mktemp("stale") / "stale.db")
    settings = load_settings(
        milvus_db_path=db, open5e_base_url=replay_server.url, cache_ttl_days=1e-9, error_cache_ttl_seconds=0
    )
    repository = await Repository.open(settings)
    await repository.load()
    for path in LISTS:
        assert (await repository.fetcher.fetch_now(list_request(path))).is_answered
    yield repository
    await repository.aclose()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("mode", EVERY_MODE)
async def test_a_store_with_stale_data_loses_nothing_and_recovers(mode: str, stale: Repository, replay: Replay) -> None:
    before = stored_ids(stale)
    replay.fault(mode, seconds=0.3)
    for path in REFRESHED:
        assert (await stale.fetcher.fetch_now(list_request(path))).is_answered, path
    assert stored_ids(stale) == before
    replay.reset()
    start = time.time()
    for path in REFRESHED:
        await stale.fetcher.fetch_now(list_request(path))
    for status in [stale.fetcher.status(list_request(path)) for path in LISTS]:
        assert status.at is not None
        assert status.request.endpoint.is_archive or status.at >= start, status
        assert not status.unreadable, status
    assert stored_ids(stale) == before


LARGEST = ("v2/spells", "v2/creatures", "v2/items", "v2/feats", "v2/rules")  # one list of each family


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def expired(
    filled: Path, replay_server: Replay, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Repository]:
    """A copy of the full store with all data stale."""
    settings = load_settings(
        milvus_db_path=copy_store(filled, tmp_path_factory.mktemp("expired") / "expired.db"),
        open5e_base_url=replay_server.url,
        cache_ttl_days=1e-9,
        error_cache_ttl_seconds=0,
    )
    repository = await Repository.open(settings)
    await repository.load()
    yield repository
    await repository.aclose()


@needs_recorded
@pytest.mark.chaos
@pytest.mark.timeout(3000)
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("mode", MODES)
async def test_a_full_store_with_expired_data_loses_nothing_and_recovers(
    mode: str, expired: Repository, replay: Replay
) -> None:
    before = stored_ids(expired)
    assert len(before) > 10_000
    lists = [request for e in ENDPOINTS if expired.fetcher.status(request := list_request(e.path)).at is not None]
    assert len(lists) > 30
    replay.fault(mode, seconds=0.3)
    for path in LARGEST:
        assert (await expired.fetcher.fetch_now(list_request(path))).is_answered, path
    assert stored_ids(expired) == before
    replay.reset()
    start = time.time()
    for path in LARGEST:
        await expired.fetcher.fetch_now(list_request(path))
    for status in map(expired.fetcher.status, lists):
        assert status.at is not None, status
        assert status.request.endpoint.is_archive or status.at >= start, status
        assert not status.unreadable, status
    assert stored_ids(expired) == before


@pytest.mark.chaos
@pytest.mark.timeout(3000)
async def test_intermittent_faults_leave_no_list_unfetched(replay: Replay, own: Path, filled: Path) -> None:
    """Thousands of questions, four at a time, while faults change; then Open5e recovers and everything is fetched."""
    rng = random.Random(13)  # the same faults and questions in every run
    spells = [record["name"] for record in load("v2/spells")]
    questions: list[tuple[str, dict[str, Any]]] = [
        ("search_spell", {"level": 3}),
        ("search_spell", {"documents": ["deepm", "toh"]}),
        ("search_creature", {"cr": 5, "type": "dragon"}),
        ("search_equipment", {"documents": ["a5e"], "rarity": "rare"}),
        ("search_character_option", {"type": "feat"}),
        ("search_rule", {"rule_type": "condition"}),
        ("list_documents", {}),
    ]

    async def caller(client: Client, rounds: int) -> None:
        for _ in range(rounds):
            tool, arguments = rng.choice(questions)
            if rng.random() < 0.3:
                tool, arguments = "search_spell", {"search": rng.choice(spells)}
            await ask(client, tool, **arguments, **({} if tool == "list_documents" else {"limit": 3}))

    undisturbed = await Cache.open(load_settings(milvus_db_path=filled))
    older = {entry.id for entry in undisturbed.catalog if entry.source is Source.OPEN5E_V1}
    await undisturbed.aclose()
    settings: dict[str, Any] = {"error_cache_ttl_seconds": 1}
    async with in_process(own, replay.url, **settings) as client:
        member = client.transport.server._lifespan_result["repository_user"]  # type: ignore[attr-defined]
        for _ in range(CALLS // 100):
            replay.reset()
            for _ in range(rng.randrange(3)):
                path = rng.choice(["/", "/v1/", "/v2/documents", "/v2/spells", "/v2/feats", "/v2/magicitems"])
                replay.fault(rng.choice(MODES), path=path, times=rng.randrange(1, 8), seconds=0.5)
            await asyncio.gather(*(caller(client, 25) for _ in range(4)))
        replay.reset()
        await asyncio.sleep(1.1)
        repository: Repository = await (await member.watch()).get()
        for _ in range(2):  # a list with an unreadable record is fetched again after twelve seconds
            await fetch_lists(repository)
            await asyncio.sleep(12)
        await fetch_lists(repository)
        statuses = [repository.fetcher.status(list_request(endpoint.path)) for endpoint in ENDPOINTS]
        assert {s.request.path: s.state for s in statuses if not s.is_answered} == {}
        assert {s.request.path: s.state for s in statuses if s.state is FetchState.FAILED or s.unreadable} == {}
        counts = {path: len({r["key"] for r in load(path)}) for path in ("v2/spells", "v2/feats", "v2/creatures")}
        kinds = {"v2/spells": "spell", "v2/feats": "feat", "v2/creatures": "creature"}
        entries = [entry for entry in repository.entries() if entry.source is Source.OPEN5E_V2]
        assert {path: sum(e.kind == kinds[path] for e in entries) for path in kinds} == counts
        assert {entry.id for entry in repository.entries() if entry.source is Source.OPEN5E_V1} == older
        assert len(asyncio.all_tasks()) < 40
