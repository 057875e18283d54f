from __future__ import annotations

import httpx
import pytest
import respx

from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError, _tls_context
from lorekeeper_mcp.sources.open5e.requests import Request, by_keys, by_name, ledger_request

BASE = "https://open5e.test"
SPELLS = Request("v2/spells", frozenset({("level", "3")}))


def page(keys: list[str], count: int, following: str | None = None) -> httpx.Response:
    return httpx.Response(200, json={"count": count, "next": following, "results": [{"key": key} for key in keys]})


async def fetched(request: Request = SPELLS) -> list[object]:
    client = Open5eClient(BASE)
    try:
        return [record["key"] async for records, _ in client.pages(request) for record in records]
    finally:
        await client.aclose()


@respx.mock
async def test_all_pages_are_followed_with_the_same_parameters() -> None:
    route = respx.get(f"{BASE}/v2/spells/").mock(
        side_effect=[page(["a", "b"], 3, f"{BASE}/v2/spells/?page=2"), page(["c"], 3)]
    )
    assert await fetched() == ["a", "b", "c"]
    assert [dict(call.request.url.params) for call in route.calls] == [
        {"level": "3", "limit": "500", "page": "1"},
        {"level": "3", "limit": "500", "page": "2"},
    ]
    assert "lorekeeper-mcp/" in route.calls[0].request.headers["User-Agent"]
    assert route.calls[0].request.headers["Accept"] == "application/json"


@respx.mock
@pytest.mark.parametrize(
    "passing",
    [
        httpx.Response(500),
        httpx.Response(503),
        httpx.Response(429, headers={"Retry-After": "0"}),
        httpx.ReadTimeout("late"),
        httpx.ConnectError("refused"),
        httpx.RemoteProtocolError("cut off"),
    ],
)
async def test_a_passing_failure_is_retried(passing: httpx.Response | Exception) -> None:
    respx.get(f"{BASE}/v2/spells/").mock(side_effect=[passing, page(["a"], 1)])
    assert await fetched() == ["a"]


@respx.mock
@pytest.mark.parametrize(
    ("lasting", "requests"),
    [
        (httpx.Response(500), 3),
        (httpx.ConnectError("refused"), 3),
        (httpx.Response(404), 1),
        (httpx.Response(400, json={}), 1),
        (httpx.Response(429, headers={"Retry-After": "3600"}), 1),
        (httpx.Response(200, text="<!doctype html>"), 1),
        (httpx.Response(200, json={"count": "many", "results": {}}), 1),
        (httpx.Response(200, json=[1]), 1),
    ],
)
async def test_a_lasting_failure_is_an_upstream_error(lasting: httpx.Response | Exception, requests: int) -> None:
    route = respx.get(f"{BASE}/v2/spells/").mock(
        side_effect=lasting if isinstance(lasting, Exception) else None,
        return_value=None if isinstance(lasting, Exception) else lasting,
    )
    with pytest.raises(UpstreamError):
        await fetched()
    assert route.call_count == requests


@respx.mock
async def test_a_list_that_serves_fewer_than_it_counts_has_failed() -> None:
    respx.get(f"{BASE}/v2/spells/").mock(return_value=page(["a"], 2))
    with pytest.raises(UpstreamError, match="1 of 2"):
        await fetched()


@respx.mock
async def test_an_endpoint_of_two_lists_is_fetched_whole() -> None:
    route = respx.get(f"{BASE}/v1/magicitems/").mock(
        side_effect=lambda request: page(["c"], 1) if "slug__in" in request.url.params else page(["a", "b"], 2)
    )
    client = Open5eClient(BASE)
    request = Request("v1/magicitems", frozenset({("search", "ring")}))
    try:
        pages = [(records, total) async for records, total in client.pages(request)]
        assert await client.count(request.path) == 3
    finally:
        await client.aclose()
    assert [(len(records), total) for records, total in pages] == [(2, 2), (1, 3)]
    parameters = [dict(call.request.url.params) for call in route.calls]
    assert [params.get("search") for params in parameters] == ["ring", "ring", None, None]
    assert ["document__slug__in" in params for params in parameters] == [True, False, True, False]


def test_a_request_covers_narrower_ones_of_its_endpoint() -> None:
    everything, narrower = Request("v2/spells"), Request("v2/spells", SPELLS.params | {("school__key", "evocation")})
    assert everything.covers(SPELLS) and SPELLS.covers(narrower)
    assert not narrower.covers(SPELLS) and not everything.covers(Request("v2/feats"))


def test_a_request_is_read_back_from_its_name() -> None:
    for request in (SPELLS, Request("v1/planes"), Request("v2/classes", frozenset({("name__contains", "a b")}))):
        assert ledger_request(request.id) == request


def test_requests_by_name_use_the_endpoints_parameter() -> None:
    parameters = {
        "v2/spells": "name__icontains",
        "v2/conditions": "name__contains",
        "v2/weapons": "name__iexact",
        "v1/magicitems": "search",
    }
    for path, name in parameters.items():
        narrowed = by_name(Request(path), "Long Sword")
        assert narrowed is not None and dict(narrowed.params) == {name: "long sword"}
    assert by_name(Request("v2/skills"), "stealth") is None
    for searched, params in {
        "hunter's mark": {"name__icontains": "hunter"},
        "Armor, +1": {"name__icontains": "armor"},
        "tob_brown-bog": {"key__in": "tob_brown-bog"},
    }.items():
        narrowed = by_name(Request("v2/spells"), searched)
        assert narrowed is not None and dict(narrowed.params) == params
    assert by_name(Request("v2/weapons"), "hunter's bow") is None
    assert by_name(Request("v2/spells"), "Élan") is None


def test_requests_by_key_stay_within_a_request_line() -> None:
    keys = {f"srd_{'x' * 40}-{n}" for n in range(300)}
    requests = by_keys("v2/spells", keys)
    assert all(len(dict(request.params)["key__in"]) < 3500 for request in requests)
    assert {key for request in requests for key in dict(request.params)["key__in"].split(",")} == keys


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("all_proxy", "socks://127.0.0.1:9"),
        ("NO_PROXY", "[::1]"),
        ("no_proxy", "fe80::/10"),
        ("SSL_CERT_FILE", "/nonexistent"),
    ],
)
async def test_an_unusable_variable_of_the_environment_is_an_outage(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tls_context.cache_clear()
    monkeypatch.setenv(variable, value)
    client = Open5eClient(BASE)
    with pytest.raises(UpstreamError, match=f"network settings of this process: check .*{variable}"):
        await client.probe()
    await client.aclose()
    _tls_context.cache_clear()
