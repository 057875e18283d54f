"""A store is read without Milvus, which is open only while something is written."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store import session
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.lite.integrity import IntegrityFile
from lorekeeper_mcp.store.lite.milvus_connection import is_locked
from tests.store.stored import SPELLS, in_milvus
from tests.store.test_store import spell

READ = """
import asyncio, sys
from pathlib import Path
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache

async def main():
    cache = await Cache.open(load_settings(milvus_db_path=Path(sys.argv[1])))
    for load in cache.index.warm_up_steps():
        await load()
    words = await cache.index.by_words(Family.SPELLS, "lantern", (), 5)
    records = await cache.records(cache.catalog)
    print(sorted(records), [id_ for id_, _ in words], await cache.ledger(), bool(cache.notice))
    print([name for name in ("pymilvus", "pandas", "pyarrow", "faiss", "torch") if name in sys.modules])
    await cache.aclose()

asyncio.run(main())
"""


async def opened(folder: Path) -> Cache:
    return await Cache.open(load_settings(milvus_db_path=folder / "x.db"))


async def test_a_process_that_only_reads_does_not_import_milvus(tmp_path: Path) -> None:
    cache = await opened(tmp_path)
    await cache.put([spell(1, "a lantern"), spell(2, "a lamp")])
    await cache.note({"here": {"at": 1}})
    await cache.aclose()
    command = [sys.executable, "-c", READ, str(tmp_path / "x.db")]
    done = await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "['spell:own_1', 'spell:own_2'] ['spell:own_1'] {'here': {'at': 1}} False",
        "[]",
    ]


async def test_what_a_killed_process_was_writing_is_read_without_milvus_and_settled_later(tmp_path: Path) -> None:
    cache = await opened(tmp_path)
    await cache.put([spell(number, "a lantern") for number in range(5)])
    name = cache.session.writer.open_milvus().collection(Family.SPELLS)
    times = cache.catalog.times(Family.SPELLS)
    await cache.aclose()
    file = IntegrityFile(tmp_path / "x.db")
    state = file.read()
    assert state is not None
    unsure = {id_: times[id_] for id_ in ("spell:own_1", "spell:own_2")}
    state.tallies[name], state.unsure[name] = state.tallies[name].minus(unsure), [*unsure, "spell:own_9"]
    file.write(state)
    cache = await opened(tmp_path)
    assert len(await cache.records(cache.catalog)) == 5
    assert not is_locked(tmp_path / "x.db")
    await cache.put([spell(9, "a lantern")])
    assert len(await cache.records(cache.catalog)) == 6
    assert not cache.notice
    await cache.aclose()
    state = file.read()
    assert state is not None
    assert not state.unsure


async def test_milvus_is_closed_when_nothing_is_written_and_opened_for_the_next_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "IDLE_SECONDS", 0.2)  # half a minute by default, too long for a test
    cache = await opened(tmp_path)
    for number in range(3):
        await cache.put([spell(number, "a lantern")])
        async with asyncio.timeout(30):
            while is_locked(tmp_path / "x.db"):
                await asyncio.sleep(0.05)
        assert len(await cache.index.by_words(Family.SPELLS, "lantern", (), 5)) == number + 1
    await cache.aclose()
    again = await opened(tmp_path)
    assert not again.notice
    assert {entry.key for entry in again.catalog} == {"own_0", "own_1", "own_2"}
    await again.aclose()


async def test_a_new_store_is_written_and_read_without_milvus_until_it_is_filled(tmp_path: Path) -> None:
    cache = await opened(tmp_path)
    await cache.put([spell(n, "a lantern") for n in range(3)])
    await cache.delete([entry for entry in cache.catalog if entry.key == "own_2"])
    await cache.renew(Family.SPELLS, [spell(1, "a lamp")], lambda entry: entry.key == "own_0")
    await cache.note({"here": {"at": 1}})
    await cache.aclose()
    assert not (tmp_path / "x.db" / "collections").exists()
    again = await opened(tmp_path)
    assert [entry.id for entry in again.catalog] == ["spell:own_1"]
    assert not again.in_milvus
    await again.fill_milvus()
    assert again.in_milvus
    assert set(await in_milvus(again).candidates(SPELLS)) == {"spell:own_1"}
    assert await again.ledger() == {"here": {"at": 1}}
    await again.aclose()
    for rows in tmp_path.glob("x.rows-*"):
        rows.unlink()
    from_milvus = await opened(tmp_path)
    assert not from_milvus.notice
    assert (await from_milvus.records(from_milvus.catalog))["spell:own_1"].text == "a lamp"
    assert await from_milvus.ledger() == {"here": {"at": 1}}
    await from_milvus.aclose()


@pytest.mark.parametrize("lost", ["x.rows-*", "x.account.json", "x.db"])
async def test_a_new_store_that_lost_a_file_begins_again(tmp_path: Path, lost: str) -> None:
    cache = await opened(tmp_path)
    await cache.put([spell(1, "a lantern")])
    await cache.note({"here": {"at": 1}})
    await cache.aclose()
    for path in tmp_path.glob(lost):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    again = await opened(tmp_path)
    whole = ["spell:own_1"] if lost == "x.db" else []  # a folder that was empty
    assert [entry.id for entry in again.catalog] == whole
    assert len(await again.ledger()) == len(whole)  # deleted records no longer count as fetched
    await again.put([spell(2, "a lamp")])
    await again.fill_milvus()
    assert set(await in_milvus(again).candidates(SPELLS)) == {*whole, "spell:own_2"}
    await again.aclose()
