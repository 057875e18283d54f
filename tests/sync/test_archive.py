"""Records of version 2 are completed by version 1 whenever its list arrives, and stay so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import respx

from lorekeeper_mcp.filters import FILTERS, ActiveFilter
from lorekeeper_mcp.models import Creature, Edition, Family, Kind
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.open5e.client import Open5eClient
from lorekeeper_mcp.sources.open5e.requests import Request, list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.ingest import FetchProgress, Ingestor
from lorekeeper_mcp.sync.planner import required_requests
from tests.sync.responses import list_response

BASE = "https://open5e.test"
_RATING = next(row for row in FILTERS[Family.CREATURES] if row.argument == "cr")
NEW, OLD = list_request("v2/creatures"), list_request("v1/monsters")


def moth_with(*actions: str) -> dict[str, Any]:
    entries = [{"name": name, "desc": f"It {name}s.", "action_type": "ACTION"} for name in actions]
    return {"key": "tob3_lamp-moth", "name": "Lamp Moth", "document": "tob3", "type": "beast", "actions": entries}


ARCHIVED = {
    "slug": "lamp-moth", "name": "Lamp Moth", "document__slug": "tob3", "desc": "It likes lamps.",
    "v2_converted_path": "/v2/creatures/tob3_lamp-moth/", "legendary_desc": "It takes 2 legendary actions.",
    "actions": [{"name": "bite", "desc": "It bites hard."}, {"name": "dust", "desc": "It dusts."}],
}  # fmt: skip


async def no_wait() -> None:
    """Yield to nobody."""


def ignore_progress(_: FetchProgress) -> None:
    """Ignore progress."""


async def stored_moth(cache: Cache) -> Creature:
    entries = cache.catalog.of(Family.CREATURES)
    [record] = (await cache.records(entries.values())).values()
    assert isinstance(record, Creature)
    return record


@respx.mock
async def test_version_1_completes_stored_records_and_a_refresh_keeps_it(tmp_path: Path) -> None:
    settings = load_settings(milvus_db_path=tmp_path / "x.db", open5e_base_url=BASE)
    cache = await Cache.open(settings)
    client = Open5eClient(BASE)
    ingestor = Ingestor(client, cache)
    respx.get(f"{BASE}/v1/monsters/").mock(return_value=list_response([ARCHIVED]))
    respx.get(f"{BASE}/v2/creatures/").mock(return_value=list_response([moth_with("bite")]))
    try:
        await ingestor.add(OLD)
        assert not list(cache.catalog), "version 1 alone makes no record"
        await ingestor.add(NEW)
        assert [action.name for action in (await stored_moth(cache)).actions] == ["bite"]
        await ingestor.add(OLD)
        first = await stored_moth(cache)
        assert [(action.name, action.text) for action in first.actions] == [
            ("bite", "It bites hard."),
            ("dust", "It dusts."),
        ]
        assert (first.text, first.legendary_text) == ("It likes lamps.", "It takes 2 legendary actions.")
        assert {note.field for note in first.corrections} == {"text", "legendary_text", "actions"}
        respx.get(f"{BASE}/v2/creatures/").mock(return_value=list_response([moth_with("bite", "howl")]))
        await ingestor.add(NEW)
        assert {action.name for action in (await stored_moth(cache)).actions} == {"bite", "howl", "dust"}
        assert (await stored_moth(cache)).text == "It likes lamps."
    finally:
        await client.aclose()
        await cache.aclose()


@respx.mock
async def test_traits_from_version_1_are_features_and_a_refresh_keeps_them(tmp_path: Path) -> None:
    settings = load_settings(milvus_db_path=tmp_path / "x.db", open5e_base_url=BASE)
    cache = await Cache.open(settings)
    client = Open5eClient(BASE)
    ingestor = Ingestor(client, cache)
    moth = {"key": "toh_moth", "name": "Moth", "document": "toh", "desc": "A moth.", "traits": []}
    old = {"slug": "moth", "name": "Moth", "document__slug": "toh", "traits": "***Dust.*** You dust."}
    respx.get(f"{BASE}/v2/species/").mock(return_value=list_response([moth]))
    respx.get(f"{BASE}/v1/races/").mock(return_value=list_response([old]))
    species, races = list_request("v2/species"), list_request("v1/races")
    ids = {"species:toh_moth", "feature:toh_moth_dust"}
    try:
        await ingestor.add(species)
        assert {entry.id for entry in cache.catalog} == {"species:toh_moth"}
        await ingestor.add(races)
        assert {entry.id for entry in cache.catalog} == ids
        with ingestor.syncing(ignore_progress, removals_of=frozenset(Kind)):
            await ingestor.store(species, no_wait, is_known=True)
            assert {entry.id for entry in cache.catalog} == ids
    finally:
        await client.aclose()
        await cache.aclose()


@pytest.mark.parametrize(
    ("restriction", "is_requested"),
    [
        ({}, True),
        ({"filters": (ActiveFilter(_RATING, 5.0),)}, True),
        ({"search": "*dragon*"}, True),
        ({"documents": frozenset({"tob", "srd-2024"})}, True),
        ({"documents": frozenset({"srd-2024"})}, False),  # version 1 has none of these
        ({"editions": frozenset({Edition.E2014})}, True),
        ({"editions": frozenset({Edition.E2024})}, False),
    ],
)
def test_version_1_is_requested_with_the_lists_that_it_completes(
    restriction: dict[str, Any], is_requested: bool
) -> None:
    query = FamilyQuery(family=Family.CREATURES, kinds=frozenset({Kind.CREATURE}), **restriction)
    assert (Request("v1/monsters") in required_requests(query)) is is_requested


@pytest.mark.parametrize("kind", [Kind.SPECIES, Kind.FEATURE])
def test_traits_of_version_1_are_requested_with_species_and_with_features(kind: Kind) -> None:
    query = FamilyQuery(family=Family.OPTIONS, kinds=frozenset({kind}))
    assert {Request("v2/species"), Request("v1/races")} <= set(required_requests(query))
    newest = FamilyQuery(family=Family.OPTIONS, kinds=frozenset({kind}), editions=frozenset({Edition.E2024}))
    assert Request("v1/races") not in required_requests(newest)
