"""One task per request, and no request without one: failures, odd values, refreshes, cancelled callers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.open5e.client import Open5eClient
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH
from lorekeeper_mcp.sources.open5e.requests import Request, list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.fetch_ledger import FetchLedger, FetchState
from lorekeeper_mcp.sync.fetcher import Fetcher
from tests.sync.responses import list_response

BASE = "https://open5e.test"
FEATS, PLANES = list_request("v2/feats"), list_request("v1/planes")


def whole_list(path: str) -> httpx.Response:
    """A whole list of an endpoint, with invented records."""
    names = [f"{path.rpartition('/')[2]}-{number}" for number in range(BY_PATH[path].size)]
    records = [{"key": name, "slug": name, "name": name, "desc": "Own text.", "document": "own"} for name in names]
    return list_response(records)


class Upstream:
    """An Open5e that answers whole lists, or the entry of ``replies`` for a path; it records every requested URL."""

    def __init__(self) -> None:
        self.requested_urls: list[str] = []
        self.replies: dict[str, Callable[[httpx.Request], Any]] = {}

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.strip("/")
        self.requested_urls.append(f"{path}?{request.url.query.decode()}")
        reply = self.replies.get(path)
        answer = whole_list(path) if reply is None else reply(request)
        return await answer if asyncio.iscoroutine(answer) else answer

    def count(self, path: str) -> int:
        return sum(url.startswith(f"{path}?") for url in self.requested_urls)


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@pytest_asyncio.fixture
async def cache(own: Path) -> AsyncIterator[Cache]:
    cache = await Cache.open(load_settings(milvus_db_path=own))
    yield cache
    await cache.aclose()


@pytest_asyncio.fixture
async def fetcher(cache: Cache, upstream: Upstream) -> AsyncIterator[Fetcher]:
    client = Open5eClient(BASE, httpx.MockTransport(upstream))
    fetcher = Fetcher(client, cache, FetchLedger(ttl_seconds=3600, error_ttl_seconds=300))
    yield fetcher
    await fetcher.aclose()


async def test_one_rejected_value_does_not_mark_the_endpoint_as_failed(fetcher: Fetcher, upstream: Upstream) -> None:
    """Open5e answers 400 to it: the whole list is fetched instead, and has the answer."""

    def reply(request: httpx.Request) -> httpx.Response:
        return httpx.Response(400, json={}) if "type" in request.url.params else whole_list("v2/feats")

    upstream.replies["v2/feats"] = reply
    rejected = Request("v2/feats", frozenset({("type", "odd")}))
    (status,) = await fetcher.ensure([rejected], 30)
    assert status.state is FetchState.FRESH
    assert (await fetcher.ensure([FEATS], 30))[0].state is FetchState.FRESH


async def test_failures_are_kept_for_each_request(fetcher: Fetcher, upstream: Upstream) -> None:
    def reply(request: httpx.Request) -> httpx.Response:
        return httpx.Response(500 if "type" in request.url.params else 200, json=whole_list("v2/feats").json())

    upstream.replies["v2/feats"] = reply
    rejected = Request("v2/feats", frozenset({("type", "odd")}))
    assert (await fetcher.ensure([rejected], 30))[0].state is FetchState.FAILED
    count = len(upstream.requested_urls)
    assert (await fetcher.ensure([rejected], 30))[0].state is FetchState.FAILED
    assert len(upstream.requested_urls) == count, "a failed request rests"
    assert (await fetcher.ensure([FEATS], 30))[0].state is FetchState.FRESH


async def test_every_kind_of_failure_is_recorded(
    fetcher: Fetcher, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError

    upstream.replies["v2/feats"] = fail
    with caplog.at_level(logging.ERROR):
        (status,) = await fetcher.ensure([FEATS], 30)
    assert status.state is FetchState.FAILED
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("body", [b'{"count": 1, "results": [', b"\xff\xfe", b"[]", b'{"count":1,"results":[7]}'])
async def test_a_response_that_is_not_a_list_fails_at_once(fetcher: Fetcher, upstream: Upstream, body: bytes) -> None:
    upstream.replies["v2/feats"] = lambda _: httpx.Response(200, content=body)
    assert (await fetcher.ensure([FEATS], 30))[0].state is FetchState.FAILED


async def test_redirect_loops_and_broken_encodings_are_failures(fetcher: Fetcher, upstream: Upstream) -> None:
    upstream.replies["v2/feats"] = lambda request: httpx.Response(302, headers={"Location": str(request.url)})
    upstream.replies["v2/skills"] = lambda _: httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=b"no")
    for path in ("v2/feats", "v2/skills"):
        (status,) = await fetcher.ensure([list_request(path)], 30)
        assert (status.state, "cannot be used" in status.reason) == (FetchState.FAILED, True)


async def test_a_failed_page_loses_only_its_own_records(fetcher: Fetcher, upstream: Upstream, cache: Cache) -> None:
    records = [{"key": f"f-{n}", "name": f"Feat {n}", "desc": "", "document": "own"} for n in range(1200)]

    def reply(request: httpx.Request) -> httpx.Response:
        page = int(request.url.params["page"])
        if page == 2:
            return httpx.Response(404)
        body = {"count": 1200, "next": "more" if page < 3 else None, "results": records[(page - 1) * 500 : page * 500]}
        return httpx.Response(200, json=body)

    upstream.replies["v2/feats"] = reply
    (status,) = await fetcher.ensure([FEATS], 60)
    assert (status.state, "one page of 3" in status.reason) == (FetchState.FAILED, True)
    stored = {entry.key for entry in cache.catalog}
    assert {"f-0", "f-499", "f-1000", "f-1199"} <= stored
    assert "f-500" not in stored


async def test_a_cancelled_caller_cancels_fetches_that_only_it_awaits(fetcher: Fetcher, upstream: Upstream) -> None:
    async def never(_: httpx.Request) -> httpx.Response:
        await asyncio.sleep(3600)
        raise AssertionError

    upstream.replies["v2/feats"] = never
    callers = [
        asyncio.create_task(fetcher.ensure([FEATS], 3600)),
        asyncio.create_task(fetcher.look_up([Request("v2/feats", frozenset({("name__icontains", "x")}))], 3600)),
    ]
    while upstream.count("v2/feats") < 2:
        await asyncio.sleep(0.02)
    before = asyncio.all_tasks()
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    async with asyncio.timeout(30):
        while {task for task in before & asyncio.all_tasks() if "fetch" in task.get_name() or task in callers}:
            await asyncio.sleep(0.02)
        while len(asyncio.all_tasks()) > len(before) - len(callers) - 2:
            await asyncio.sleep(0.02)


async def test_a_new_caller_does_not_join_a_fetch_that_is_being_cancelled(fetcher: Fetcher, upstream: Upstream) -> None:
    async def hang(_: httpx.Request) -> httpx.Response:
        upstream.replies.clear()
        await asyncio.sleep(3600)
        raise AssertionError

    upstream.replies["v2/feats"] = hang
    first = asyncio.create_task(fetcher.ensure([FEATS], 3600))
    while upstream.count("v2/feats") == 0:
        await asyncio.sleep(0.02)
    first.cancel()
    await asyncio.sleep(0)
    (status,) = await fetcher.ensure([FEATS], 30)
    assert status.state is FetchState.FRESH


async def test_reloading_the_ledger_keeps_what_is_fetched_meanwhile(
    fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reading of the store that began before another fetch was noted does not have it."""
    read = fetcher._cache.ledger

    async def read_then_fetch() -> dict[str, dict[str, object]]:
        monkeypatch.undo()
        stored = await read()
        await fetcher.ensure([list_request("v2/documents")], 30)
        return stored

    monkeypatch.setattr(fetcher._cache, "ledger", read_then_fetch)
    await fetcher.reload_ledger()
    assert not fetcher.missing([list_request("v2/documents")])


async def test_a_refused_list_is_reported_at_once(fetcher: Fetcher, upstream: Upstream) -> None:
    """By this process too, which `status` asks, and after the ledger is loaded again."""
    upstream.replies["v2/feats"] = lambda _: list_response([])
    (status,) = await fetcher.ensure([FEATS], 30)
    assert status.state is FetchState.FAILED
    assert [refusal.request for refusal in fetcher.ledger.refused()] == [FEATS]
    await fetcher.reload_ledger()
    assert [refusal.request for refusal in fetcher.ledger.refused()] == [FEATS]


async def test_an_outage_logs_one_warning(
    fetcher: Fetcher, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    upstream.replies = {path: lambda _: httpx.Response(404) for path in BY_PATH}
    with caplog.at_level(logging.WARNING):
        await fetcher.ensure([list_request(path) for path in BY_PATH], 30)
    assert len(caplog.records) == 1, caplog.text


async def test_an_archive_is_fetched_once(fetcher: Fetcher, upstream: Upstream) -> None:
    await fetcher.ensure([PLANES], 30)
    fetch = fetcher.ledger.covering_fetch(PLANES)
    assert fetch is not None
    fetcher.ledger.record_fetch(type(fetch)(request=PLANES, at=1.0, count=fetch.count))
    assert (await fetcher.fetch_now(PLANES)).state is FetchState.FRESH
    assert upstream.count("v1/planes") == 1


@pytest.mark.parametrize("code", [404, 410])
async def test_an_archive_that_is_gone_is_complete(fetcher: Fetcher, upstream: Upstream, code: int) -> None:
    upstream.replies["v1/planes"] = lambda _: httpx.Response(code)
    (status,) = await fetcher.ensure([PLANES], 30)
    assert status.state is FetchState.FRESH
    again = FetchLedger(3600, 300)
    again.load(await fetcher._cache.ledger())
    fetch = again.covering_fetch(PLANES)
    assert fetch is not None
    assert fetch.retired


async def test_an_archive_is_not_retired_during_an_outage(fetcher: Fetcher, upstream: Upstream) -> None:
    await fetcher.ensure([list_request("v2/documents")], 30)
    upstream.replies = {path: lambda _: httpx.Response(404) for path in BY_PATH}
    assert (await fetcher.ensure([PLANES], 30))[0].state is FetchState.FAILED


async def test_a_nearly_empty_filtered_answer_is_accepted_only_for_a_plausible_list(
    fetcher: Fetcher, upstream: Upstream
) -> None:
    short = httpx.Response(200, json={"count": 0, "next": None, "results": []})
    narrow = Request("v2/feats", frozenset({("document__key__in", "own")}))
    upstream.replies["v2/feats"] = lambda _: short
    (status,) = await fetcher.ensure([narrow], 30)
    assert (status.state, status.reason[:21]) == (FetchState.FAILED, "lists only 0 of about")
    filtered = Request("v2/skills", frozenset({("name__contains", "none")}))
    upstream.replies["v2/skills"] = lambda request: (
        short if "name__contains" in request.url.params else whole_list("v2/skills")
    )
    assert (await fetcher.ensure([filtered], 30))[0].state is FetchState.FRESH
