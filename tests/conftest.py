from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.cached_bytecode import keep_bytecode

keep_bytecode()  # before most imports

from lorekeeper_mcp.runtime import configure_environment  # noqa: E402

configure_environment()
os.environ["FASTMCP_CLIENT_DISCONNECT_TIMEOUT"] = "60"  # a new store is filled before it is closed
EVERYTHING = ("search_spell", "search_creature", "search_equipment", "search_character_option", "search_rule")

from tests.cached_stores import cached_store, copy_cached_store, copy_store  # noqa: E402
from tests.cached_values import cached_value  # noqa: E402
from tests.markers import mark  # noqa: E402
from tests.recorded import IS_HERE  # noqa: E402
from tests.replay import Replay, serve  # noqa: E402
from tests.served_open5e import IS_RECORDED, NOT_SERVED  # noqa: E402

if TYPE_CHECKING:  # the process that distributes the tests needs neither the server nor a client
    from fastmcp import Client

    from lorekeeper_mcp.models import Record

SERVED = {"replay_server", "warm"}  # fixtures of an Open5e, and those that a parameter names


def _parameters(item: pytest.Item) -> list[str]:
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return [value for value in values if isinstance(value, str)]


@pytest.hookimpl(tryfirst=True)  # before deselection by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not IS_RECORDED:
        from tests.open5e.command import expect_invented_sizes

        expect_invented_sizes()
    mark(items)
    for item in items:
        if not item.get_closest_marker("recorded"):
            continue
        if not IS_HERE:
            item.add_marker(pytest.mark.skip(reason="the recorded Open5e data is absent"))
        elif not IS_RECORDED and SERVED & {*getattr(item, "fixturenames", ()), *_parameters(item)}:
            item.add_marker(pytest.mark.skip(reason=NOT_SERVED))


@pytest.fixture(scope="module", autouse=True)
def garbage_is_recent() -> None:
    """Exempt what earlier modules left from garbage collection, as the server does with what it has imported.

    Each closing of Milvus collects all garbage, which took a second among the tests' millions of objects.
    """
    gc.collect()
    gc.freeze()


_HOMES = itertools.count()


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep tests from reading or writing the user's own settings and data."""
    home = tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"  # created only by the few tests that write to it
    for name in [name for name in os.environ if name.startswith("LOREKEEPER_") and "TEST" not in name]:
        monkeypatch.delenv(name)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    return home


@pytest.fixture(scope="session")
def replay_server() -> Iterator[Replay]:
    """One replay server for the whole run."""
    with serve() as replay:
        yield replay


@pytest.fixture
def replay(replay_server: Replay) -> Replay:
    """The replay server with an empty log and no faults."""
    replay_server.reset()
    return replay_server


# Imported by a fork server before it starts the processes that are killed: importing would take each of them seconds.
_PRELOAD = [
    "tests.store.killed_processes",
    "tests.end_to_end.busy_client",
    "pymilvus",
    "milvus_lite.server_manager",
    "numpy",
]
Processes = Callable[..., contextlib.AbstractContextManager[tuple[int, Connection]]]


@pytest.fixture(scope="session")
def processes() -> Processes:
    """Start functions in processes of their own, which are killed at the end; yields each one's pid and connection."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)

    @contextlib.contextmanager
    def started(work: Callable[..., None], *arguments: object) -> Iterator[tuple[int, Connection]]:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(*arguments, theirs))
        process.start()
        theirs.close()
        assert process.pid is not None
        try:
            yield process.pid, ours
        finally:
            process.kill()
            process.join()

    return started


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for stores that several tests share."""
    return tmp_path_factory.mktemp("stores")


@pytest.fixture(scope="session")
def store_cache(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for stores kept between runs; without pytest's cache, a folder for this run alone."""
    cache = getattr(request.config, "cache", None)
    return Path(cache.mkdir("stores")) if cache else tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="session")
def filled(replay_server: Replay, data: Path, store_cache: Path, seeded: Path) -> Path:
    """A store with everything that Open5e serves, embedded; a copy for each worker."""

    from tests.end_to_end.clients import in_process, until_complete
    from tests.end_to_end.homebrew_commands import embed

    async def fill(db: Path) -> None:
        copy_store(seeded, db)
        replay_server.reset()  # an earlier test may have left a fault
        # A request that fails while the machine is busy is retried at once.
        async with in_process(db, replay_server.url, error_cache_ttl_seconds=1) as client:
            for tool in EVERYTHING:
                await until_complete(client, tool, limit=1)
            await until_complete(client, "search_all", query="dragon", limit=1)
        await embed(db)  # or each server on a copy would, in the background

    return copy_cached_store(
        cached_store(store_cache, "filled-recorded" if IS_RECORDED else "filled", lambda db: asyncio.run(fill(db))),
        data / "filled.db",
    )


@pytest.fixture(scope="session")
def embedded_records() -> list[Record]:
    """Every embedded record of both editions, before corrections, in order."""
    from srd_converter.all_records import as_read

    return cached_value("books", [], as_read)


@pytest.fixture(scope="session")
def seeded(data: Path, store_cache: Path) -> Path:
    """A store with the embedded SRD alone; a copy for each worker."""

    from lorekeeper_mcp.repository.repository import Repository
    from lorekeeper_mcp.settings import load_settings

    async def seed(db: Path) -> None:
        repository = await Repository.open(load_settings(milvus_db_path=db, offline=True))
        await repository.load()
        await repository.aclose()

    return copy_cached_store(cached_store(store_cache, "seeded", lambda db: asyncio.run(seed(db))), data / "seeded.db")


@pytest.fixture
def own(seeded: Path, tmp_path: Path) -> Path:
    """A store with the embedded SRD for one test alone; a copy, since seeding takes seconds."""
    return copy_store(seeded, tmp_path / "own.db")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def warm(filled: Path, replay_server: Replay) -> AsyncIterator[Client]:
    """A server on the filled store; Open5e is reachable, but no question needs it."""
    from tests.end_to_end.clients import in_process

    async with in_process(filled, replay_server.url) as client:
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def embedded(seeded: Path) -> AsyncIterator[Client]:
    """A server with nothing but the embedded SRD."""
    from tests.end_to_end.clients import in_process

    async with in_process(seeded, offline=True) as client:
        yield client
