"""A Milvus server gives the same answers as Milvus Lite, one by one; only run if a server is named.

``LOREKEEPER_TEST_MILVUS_URI=http://127.0.0.1:19530`` names a server for this alone: our collections on it are dropped.
Everything else is as usual: the real model, the embedded SRD, a client of the protocol.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from fastmcp import Client

from lorekeeper_mcp.models import FAMILIES, Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.open5e.endpoints import endpoints_of
from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.ledger import encode
from lorekeeper_mcp.store.rows import PREFIX
from lorekeeper_mcp.sync.fetch_ledger import Fetch
from tests.end_to_end.clients import ask, every_result, in_process, names
from tests.own_records import spell

if TYPE_CHECKING:
    from pymilvus import MilvusClient

URI = os.environ.get("LOREKEEPER_TEST_MILVUS_URI", "")
pytestmark = [
    pytest.mark.skipif(not URI, reason="LOREKEEPER_TEST_MILVUS_URI names no server"),
    pytest.mark.asyncio(loop_scope="module"),
]
BRIEF = {"detail": "brief", "limit": 50}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_documents", {}),
    ("search_spell", {"search": "Fireball"}),
    ("search_spell", {"search": "fire*", **BRIEF}),
    ("search_spell", {"search": "srd_fireball"}),
    ("search_spell", {"level": 3, "school": "evocation", **BRIEF}),
    ("search_spell", {"class_key": "wizard", "ritual": True, **BRIEF}),
    ("search_spell", {"damage_type": "fire", "concentration": False, **BRIEF}),
    ("search_spell", {"search": "a light in the dark", "edition": "2014", **BRIEF}),
    ("search_spell", {"search": "protect from fire", "documents": ["srd-2024"], **BRIEF}),
    ("search_creature", {"search": "undead that drain life", **BRIEF}),
    ("search_creature", {"cr_min": 5, "cr_max": 8, "type": "undead", **BRIEF}),
    ("search_creature", {"search": "Adult Red Dragon", "detail": "full"}),
    ("search_creature", {"environment": "forest", "size": "large", **BRIEF}),
    ("search_equipment", {"type": "weapon", "property": "finesse", **BRIEF}),
    ("search_equipment", {"rarity": "rare", "requires_attunement": True, **BRIEF}),
    ("search_equipment", {"search": 'o\'neill "quoted" 100%_', **BRIEF}),
    ("search_character_option", {"type": "subclass", "class_key": "wizard", **BRIEF}),
    ("search_rule", {"search": "Grappled", "rule_type": "condition"}),
    ("search_rule", {"search": "how does cover work", **BRIEF}),
    ("search_rule", {"documents": ["srd-2014"], **BRIEF}),
    ("search_all", {"query": "Goblin"}),
    ("search_all", {"query": "something that guards a tomb", **BRIEF}),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory, embedded: Client) -> AsyncIterator[Client]:
    """Our server on an empty Milvus server. Both are warm: a name would not wait for a model that is still loading."""
    clear()
    folder = tmp_path_factory.mktemp("server")
    async with in_process(folder / "unused.db", offline=True, milvus_uri=URI) as client:
        for one in (embedded, client):
            await ask(one, "search_spell", search="a light in the dark")
        yield client
    assert not (folder / "unused.db").exists()
    clear()


def connected() -> MilvusClient:
    from pymilvus import MilvusClient

    return MilvusClient(URI)


def clear() -> None:
    """Drop our collections on the server."""
    client = connected()
    for name in client.list_collections():
        if name.startswith(PREFIX):
            for alias in client.list_aliases(name)["aliases"]:
                client.drop_alias(alias)
            client.drop_collection(name)
    client.close()


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[f"{tool} {given}" for tool, given in CALLS])
async def test_a_milvus_server_gives_the_same_answer(
    tool: str, arguments: dict[str, Any], server: Client, embedded: Client
) -> None:
    expected, found = await ask(embedded, tool, **arguments), await ask(server, tool, **arguments)
    if "results" not in expected:
        assert found == expected
        return
    assert names(found) == names(expected)
    for one, other in zip(found["results"], expected["results"], strict=True):
        assert one.pop("score", None) == pytest.approx(other.pop("score", None), abs=1e-3)
        assert one == other
    del found["results"], expected["results"]
    assert found == expected


async def test_every_page_of_a_ranked_question_is_the_same(server: Client, embedded: Client) -> None:
    pages = [
        await every_result(client, "search_creature", search="undead that drain life") for client in (embedded, server)
    ]
    assert [one["key"] for one in pages[0]] == [one["key"] for one in pages[1]]


async def test_another_client_sees_stored_records_without_loading_them(server: Client, tmp_path: Path) -> None:
    await ask(server, "list_documents")
    before = sorted(connected().list_collections())
    async with in_process(tmp_path / "unused.db", offline=True, milvus_uri=URI) as client:
        assert names(await ask(client, "search_spell", search="Fireball"))[0] == "Fireball"
    assert sorted(connected().list_collections()) == before


async def test_changes_by_one_process_are_in_the_next_answers_of_others(server: Client, tmp_path: Path) -> None:
    """Including names, words and the list of documents, which each process has in its memory."""

    async def asked() -> list[Any]:
        named = await ask(server, "search_spell", search="Zapping Zap")
        worded = await ask(server, "search_spell", search="zaps quizzical lanterns")
        books = await ask(server, "list_documents")
        return [
            names(named)[:1] == ["Zapping Zap"],
            "Zapping Zap" in names(worded),
            "'own'" in str(books),
            named["complete"],
        ]

    assert await asked() == [False, False, False, False]
    zap = spell(1, "Zaps quizzical lanterns.").model_copy(update={"name": "Zapping Zap"})
    other = await Cache.open(load_settings(milvus_db_path=tmp_path / "unused.db", milvus_uri=URI))
    await other.put([zap])
    assert await asked() == [True, True, True, False]
    assert await asked() == [True, True, True, False]
    endpoints = endpoints_of(frozenset(FAMILIES[Family.SPELLS]))
    fetched = [Fetch(request=list_request(endpoint.path), at=time.time(), count=1) for endpoint in endpoints]
    await other.note(encode({one.request.id: one for one in fetched}))
    assert await asked() == [True, True, True, True]
    await other.delete([entry for entry in other.catalog if entry.id == zap.id])
    assert await asked() == [False, False, False, True]
    await other.aclose()
