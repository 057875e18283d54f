"""The changes that a second fetch from Open5e finds: new, altered and withdrawn records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import respx
from fastmcp import Client

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from lorekeeper_mcp.sources.open5e.requests import list_request
from tests.end_to_end.clients import ask, in_process, names
from tests.sync.responses import list_response

BASE = "https://open5e.test"
DOCUMENT = {
    "key": "own",
    "name": "Own Book",
    "licenses": [{"name": "Creative Commons Attribution 4.0", "key": "cc-by-40"}],
    "gamesystem": {"key": "5e-2014", "name": "5e"},
    "publisher": {"key": "us", "name": "Us"},
}


def feat(key: str, text: str) -> dict[str, Any]:
    return {"key": f"own_{key}", "name": key.title(), "desc": text, "document": "own", "benefits": []}


def plausible_list(path: str, records: list[dict[str, Any]]) -> httpx.Response:
    """A list of some records among enough others, of another book, to be plausible."""
    record = {**DOCUMENT, "document": "other", "desc": "You wait.", "features": [], "traits": []}
    fillers = [{**record, "key": f"other_{n}", "name": f"Other {n}"} for n in range(BY_PATH[path].size)]
    return list_response([*records, *fillers])


def serve(feats: list[dict[str, Any]]) -> None:
    respx.get(f"{BASE}/v2/documents/").mock(return_value=plausible_list("v2/documents", [DOCUMENT]))
    respx.get(f"{BASE}/v2/feats/").mock(return_value=plausible_list("v2/feats", feats))


async def wait_until(
    client: Client, question: dict[str, Any], is_satisfied: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The answer once it satisfies a condition."""
    for _ in range(100):
        answer = await ask(client, "search_character_option", **question)
        if is_satisfied(answer):
            return answer
        await asyncio.sleep(0.1)
    raise AssertionError(answer)


@respx.mock
async def test_a_refresh_stores_changes_and_drops_withdrawn_records(own: Path) -> None:
    question: dict[str, Any] = {"type": "feat", "documents": ["own"], "detail": "full"}
    everything: dict[str, Any] = {"type": "feat", "limit": 50}
    serve([feat("stout", "You are hard to push."), feat("swift", "You are fast.")])
    async with in_process(own, BASE) as client:
        await ask(client, "search_character_option", **everything)
        before = await ask(client, "search_character_option", **question)
        assert names(before) == ["Stout", "Swift"]
        assert before["complete"] is True
    serve([feat("stout", "You are very hard to push."), feat("sharp", "You see much.")])
    async with in_process(own, BASE, cache_ttl_days=1e-9) as client:
        at_once = await ask(client, "search_character_option", **question)
        assert names(at_once) == ["Stout", "Swift"]
        assert (at_once["complete"], at_once["cache"]) == (True, "stale")
        after = await wait_until(client, question, lambda answer: names(answer) == ["Sharp", "Stout"])
    assert "very hard" in after["results"][1]["text"]


@respx.mock
async def test_an_embedded_record_stands_whatever_open5e_serves_or_withdraws(own: Path) -> None:
    grappler = {**feat("grappler", "You wrestle."), "key": "srd_grappler"}
    question = {"type": "feat", "search": "srd_grappler", "limit": 1, "detail": "full"}
    answers = []
    for served in ([grappler], []):
        serve(served)
        async with in_process(own, BASE, cache_ttl_days=1e-9) as client:
            await ask(client, "search_character_option", type="feat", limit=50)
            answers.append((await ask(client, "search_character_option", **question))["results"][0])
    assert [answer["document_source"] for answer in answers] == ["srd", "srd"]
    assert answers[0]["text"] == answers[1]["text"] != "You wrestle."


@respx.mock
async def test_a_record_that_cannot_be_read_is_counted_and_withdraws_nothing(own: Path) -> None:
    question: dict[str, Any] = {"type": "feat", "documents": ["own"]}
    serve([feat("stout", "You are hard to push."), {"desc": "neither key nor name"}])
    async with in_process(own, BASE) as client:
        await ask(client, "search_character_option", type="feat", limit=50)
        answer = await ask(client, "search_character_option", **question)
        assert (names(answer), answer["complete"]) == (["Stout"], False)
        assert "1 of Open5e's records could not be read" in answer["hint"]
    serve([feat("swift", "You are fast."), {"desc": "neither key nor name"}])
    async with in_process(own, BASE, cache_ttl_days=1e-9) as client:
        await wait_until(client, question, lambda answer: names(answer) == ["Stout", "Swift"])


@respx.mock
async def test_a_list_that_shrank_removes_nothing_until_a_user_accepts_it(own: Path) -> None:
    question: dict[str, Any] = {"type": "feat", "documents": ["own"]}
    serve([feat(name, "You try.") for name in ("stout", "swift", "sharp")])
    async with in_process(own, BASE) as client:
        await ask(client, "search_character_option", type="feat", limit=50)
    respx.get(f"{BASE}/v2/feats/").mock(return_value=list_response([feat("stout", "You try.")]))
    async with in_process(own, BASE, cache_ttl_days=1e-9) as client:
        answer = await wait_until(client, question, lambda answer: "could not be refreshed" in answer["hint"])
        assert (names(answer), answer["cache"]) == (["Sharp", "Stout", "Swift"], "stale")
    settings = load_settings(milvus_db_path=own, open5e_base_url=BASE, cache_ttl_days=1e-9, background_fill=False)
    repository = await Repository.open(settings)
    await repository.load()
    try:
        assert [refused.request.path for refused in repository.fetcher.ledger.refused()] == ["v2/feats"]
        with repository.fetcher.ingestor.syncing(lambda _: None, removals_of=frozenset(Kind)):
            await repository.fetcher.fetch_now(list_request("v2/feats"))
        assert repository.fetcher.ledger.refused() == []
        assert [e.name for e in repository.entries() if e.document_key == "own" and e.kind is Kind.FEAT] == ["Stout"]
    finally:
        await repository.aclose()


def lamplighter(**features: str) -> dict[str, Any]:
    served = [
        {"key": f"own_lamplighter_{key}", "name": key.title(), "desc": text, "feature_type": "CLASS_LEVEL_FEATURE",
         "gained_at": [{"level": 2, "detail": None}]}
        for key, text in features.items()
    ]  # fmt: skip
    return {"key": "own_lamplighter", "name": "Lamplighter", "desc": "", "document": "own", "features": served}


def moth(**traits: str) -> dict[str, Any]:
    served = [{"name": key.title(), "desc": text} for key, text in traits.items()]
    return {"key": "own_moth", "name": "Moth", "desc": "A moth.", "document": "own", "traits": served}


def serve_options(classes: list[dict[str, Any]], species: list[dict[str, Any]]) -> None:
    serve([])
    respx.get(f"{BASE}/v2/classes/").mock(return_value=plausible_list("v2/classes", classes))
    respx.get(f"{BASE}/v2/species/").mock(return_value=plausible_list("v2/species", species))


@respx.mock
async def test_features_are_refreshed_and_withdrawn_only_with_their_owner(own: Path) -> None:
    question: dict[str, Any] = {"type": "feature", "documents": ["own"], "detail": "full"}
    serve_options([lamplighter(wick="Old.", snuff="Out.")], [moth(flutter="You fly.")])
    async with in_process(own, BASE) as client:
        before = await wait_until(client, question, lambda answer: bool(answer["complete"]))
        assert names(before) == ["Flutter", "Snuff", "Wick"]
        documents = (await ask(client, "list_documents"))["documents"]
    types = {document["document_key"]: document["entity_types"] for document in documents}
    assert types["own"] == {"class": 1, "feature": 3, "species": 1}
    serve_options([lamplighter(wick="New.", spark="On.")], [moth(flutter="You fly.")])
    async with in_process(own, BASE, cache_ttl_days=1e-9) as client:
        after = await wait_until(client, question, lambda answer: names(answer) == ["Flutter", "Spark", "Wick"])
    assert "New." in after["results"][2]["text"]
    serve_options([], [moth(glow="You shine.")])
    respx.get(f"{BASE}/v2/classes/").mock(return_value=httpx.Response(404))
    async with in_process(own, BASE, cache_ttl_days=1e-9) as client:
        await wait_until(client, question, lambda answer: names(answer) == ["Glow", "Spark", "Wick"])
