"""Two real servers over stdio: the first owns the store, the second asks it."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastmcp import Client
from fastmcp.exceptions import McpError
from mcp.types import ResourceTemplateReference

from lorekeeper_mcp.sharing.owner import OwnerCard, publish, read_owner_card
from tests.cached_stores import copy_store
from tests.cli.test_commands import run
from tests.end_to_end.clients import PYTHON, Era, ask, environment, names, over_stdio, refused
from tests.owner_process import running_owner


@pytest.fixture(scope="module")
def owned(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store whose owner runs, for tests that only read."""
    with running_owner(copy_store(seeded, tmp_path_factory.mktemp("owned") / "own.db")) as db:
        yield db


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HOMEBREW = (
    '{:orcpub.dnd.e5/spells {:zap {:option-pack "My Book" :name "Zapping Zap" :key :zap :school "evocation" :level 1 '
    ':description "Zaps a lantern."}}}'
)


async def owner_of(db: Path) -> OwnerCard:
    """The card of the process that owns a store, once it exists."""
    for _ in range(600):
        if (card := read_owner_card(db)) is not None:
            return card
        await asyncio.sleep(0.05)
    raise AssertionError("nobody owns the store")


async def next_owner(db: Path, after: OwnerCard) -> OwnerCard:
    for _ in range(600):
        if (card := read_owner_card(db)) not in (None, after):
            assert card is not None
            return card
        await asyncio.sleep(0.05)
    raise AssertionError("nobody took over")


def memory_maps(pid: int) -> str:
    return Path(f"/proc/{pid}/maps").read_text()


def relay_pids(store: Path, owner: OwnerCard) -> list[int]:
    """The other server processes on a store that this process started."""
    threads = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    started = {int(pid) for children in threads for pid in children.read_text().split()} - {owner.pid}
    return [pid for pid in started if str(store) in Path(f"/proc/{pid}/environ").read_text()]


@pytest.mark.parametrize("era", ["auto", pytest.param("legacy", marks=pytest.mark.chaos)])
async def test_a_relay_answers_everything_as_the_owner_does(own: Path, era: Era) -> None:
    async with over_stdio(own, mode=era, start=PYTHON, LOREKEEPER_OFFLINE="true") as first:
        answer = await ask(first, "search_spell", search="fire", limit=5)
        owner = await owner_of(own)
        async with over_stdio(own, mode=era, start=PYTHON, LOREKEEPER_OFFLINE="true") as second:
            assert await second.list_tools() == await first.list_tools()
            assert await second.list_resource_templates() == await first.list_resource_templates()
            assert await second.list_prompts() == await first.list_prompts()
            assert await ask(second, "search_spell", search="fire", limit=5) == answer
            assert await refused(second, "search_spell", level=77) == await refused(first, "search_spell", level=77)
            assert await refused(second, "search_spel") == await refused(first, "search_spel")
            for uri in ("lorekeeper://spell/srd_fireball", "lorekeeper://documents"):
                assert await second.read_resource(uri) == await first.read_resource(uri)
            with pytest.raises(McpError, match="No stored spell"):
                await second.read_resource("lorekeeper://spell/no-such-spell")
            template = ResourceTemplateReference(type="ref/resource", uri="lorekeeper://{kind}/{key}")
            typed = {"name": "key", "value": "fireb"}
            assert await second.complete(template, typed) == await first.complete(template, typed)
            assert read_owner_card(own) == owner
            [relay] = relay_pids(own, owner)
            assert "_multiarray_umath" not in memory_maps(relay)  # numpy, which pymilvus also needs


async def test_each_relay_returns_its_configured_channels(own: Path) -> None:
    async with over_stdio(own, LOREKEEPER_OFFLINE="true", LOREKEEPER_OUTPUT="text") as first:
        assert (await first.call_tool("search_spell", {"search": "Wish"})).structured_content is None
        async with over_stdio(own, LOREKEEPER_OFFLINE="true", LOREKEEPER_OUTPUT="structured") as second:
            answer = await second.call_tool("search_spell", {"search": "Wish"})
            assert answer.structured_content is not None
            assert len(answer.content[0].text) < 200


async def test_an_import_is_seen_by_all_at_once(own: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.orcbrew").write_text(HOMEBREW)
    async with (
        over_stdio(own, LOREKEEPER_OFFLINE="true") as first,
        over_stdio(own, LOREKEEPER_OFFLINE="true") as second,
    ):
        for client in (first, second):
            assert "Zapping Zap" not in names(await ask(client, "search_spell", search="Zapping Zap"))
        owner = await owner_of(own)
        done = await asyncio.to_thread(run, own, "import", str(tmp_path / "mine.orcbrew"))
        assert done.returncode == 0, done.stderr
        for client in (first, second):
            assert names(await ask(client, "search_spell", search="Zapping Zap"))[0] == "Zapping Zap"
        page = await asyncio.to_thread(run, own, "show", "Zapping Zap")
        assert "Zaps a lantern." in page.stdout
        status = await asyncio.to_thread(run, own, "status")
        assert f"owned by process {owner.pid}" in status.stdout
        removed = await asyncio.to_thread(run, own, "remove", "My Book")
        assert removed.returncode == 0, removed.stderr
        for client in (first, second):
            assert "Zapping Zap" not in names(await ask(client, "search_spell", search="Zapping Zap"))
        assert read_owner_card(own) == owner


def test_a_command_asks_the_owner_without_importing_the_server(owned: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "lorekeeper_mcp", "show", "srd_fireball"]
    done = subprocess.run(command, env=environment(owned), capture_output=True, text=True, check=True)
    assert "# Fireball" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "lorekeeper_mcp.cli.lookup" in imported
    assert imported.isdisjoint({"fastmcp", "mcp", "numpy", "pymilvus", "lorekeeper_mcp.repository.repository"})


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.chaos)])
async def test_a_pending_call_is_retried_when_its_owner_is_killed(own: Path, number: signal.Signals) -> None:
    async with over_stdio(own, LOREKEEPER_OFFLINE="true") as first:
        await ask(first, "search_spell", search="Fireball")
        owner = await owner_of(own)
        async with over_stdio(own, LOREKEEPER_OFFLINE="true") as second:
            assert names(await ask(second, "search_spell", search="Fireball"))[0] == "Fireball"
            under_way = [asyncio.create_task(ask(second, "search_all", query=f"wall of {n}")) for n in ("ice", "fire")]
            await asyncio.sleep(0.01)
            os.kill(owner.pid, number)
            assert [names(answer)[0] for answer in await asyncio.gather(*under_way)] == ["Wall of Ice", "Wall of Fire"]
            assert (await next_owner(own, owner)).pid != owner.pid
            answer = await ask(second, "search_creature", type="undead", documents=["srd-2014"], limit=50)
            assert answer["total"] == 18


async def test_an_owner_that_ends_hands_over_and_leaves_no_files(own: Path) -> None:
    first, second = over_stdio(own, LOREKEEPER_OFFLINE="true"), over_stdio(own, LOREKEEPER_OFFLINE="true")
    a, b = await first.__aenter__(), await second.__aenter__()
    await ask(a, "search_spell", search="Fireball")
    owner = await owner_of(own)
    assert names(await ask(b, "search_spell", search="Fireball"))[0] == "Fireball"
    await first.__aexit__(None, None, None)
    await next_owner(own, owner)
    assert names(await ask(b, "search_spell", search="Wish"))[0] == "Wish"
    await second.__aexit__(None, None, None)
    assert read_owner_card(own) is None
    assert {file.name for file in own.parent.iterdir()} == {own.name}
    assert {file.name for file in own.glob("owner*")} == {"owner.lock"}


@pytest.mark.chaos
async def test_a_standby_answers_while_the_owner_is_stopped(own: Path) -> None:
    async with (
        over_stdio(own, LOREKEEPER_OFFLINE="true") as first,
        over_stdio(own, LOREKEEPER_OFFLINE="true") as second,
        over_stdio(own, LOREKEEPER_OFFLINE="true") as third,
    ):
        await ask(first, "search_spell", search="Fireball")
        owner = await owner_of(own)
        relays = (second, third)
        for client in relays:
            assert names(await ask(client, "search_spell", search="Wish"))[0] == "Wish"
        os.kill(owner.pid, signal.SIGSTOP)
        try:
            answers = await asyncio.gather(*(ask(client, "search_spell", search="Shield") for client in relays))
            for answer in answers:
                assert names(answer)[0] == "Shield"
                assert f"Process {owner.pid} owns the cache and does not reply" in answer["hint"]
            page = await asyncio.to_thread(run, own, "show", "srd_fireball")
            assert "# Fireball" in page.stdout
            assert read_owner_card(own) == owner
        finally:
            os.kill(owner.pid, signal.SIGCONT)
        for client in relays:
            await back(client)
        assert names(await ask(first, "search_spell", search="Wish"))[0] == "Wish"


async def back(client: Client) -> None:
    """Ask until the answer is the owner's own again."""
    for _ in range(100):
        answer = await ask(client, "search_spell", search="Shield")
        assert names(answer)[0] == "Shield"
        if "does not reply" not in (answer["hint"] or ""):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the owner was not returned to")


async def test_the_owners_port_refuses_requests_without_its_token(owned: Path) -> None:
    card = await owner_of(owned)
    accepted = {"authorization": f"Bearer {card.token}", "accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{card.port}", trust_env=False) as client:
        assert (await client.get("/health", headers=accepted)).status_code == 204
        for path in ("/mcp", "/health", "/commands/status", "/commands/remove", "/elsewhere"):
            for headers in ({}, {"authorization": "Bearer guessed"}, {"authorization": card.token}):
                refusal = await client.post(path, json=PING, headers={**accepted, "authorization": "", **headers})
                assert refusal.status_code == 401, path
                assert card.token not in refusal.text
            for foreign in ({"host": "evil.example"}, {"origin": "https://evil.example"}):
                refusal = await client.post(path, json=PING, headers={**accepted, **foreign})
                assert refusal.status_code in {403, 421}, path


async def test_a_version_with_another_data_shape_uses_its_own_folder(own: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.orcbrew").write_text(HOMEBREW)
    async with over_stdio(own, LOREKEEPER_OFFLINE="true") as client:
        await ask(client, "search_spell", search="Fireball")
        card = await owner_of(own)
        done = await asyncio.to_thread(run, own, "import", str(tmp_path / "mine.orcbrew"))
        assert done.returncode == 0, done.stderr
        publish(own, dataclasses.replace(card, shape="lorekeeper_ledger_00000000", version="9.0"))
        async with over_stdio(own, LOREKEEPER_OFFLINE="true") as relay:
            assert names(await ask(relay, "search_spell", search="Wish"))[0] == "Wish"
            assert names(await ask(relay, "search_spell", search="Zapping Zap"))[0] == "Zapping Zap"
        assert names(await ask(client, "search_spell", search="Shield"))[0] == "Shield"
        folders = {path.name for path in own.parent.glob("own*.db")}
        assert folders == {"own.db", f"own.{card.shape.rpartition('_')[2]}.db"}
