"""A store is read without Milvus, which is open only while something is written."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.lite.local_store import copy_store, row_file
from lorekeeper_mcp.store.lite.milvus_folder import is_locked
from lorekeeper_mcp.store.session import IDLE_SECONDS
from tests.own_records import spell
from tests.store.stored_rows import SPELLS, in_milvus

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
    await cache.fill_milvus()
    print([name for name in ("pymilvus", "pandas", "pyarrow", "faiss", "torch") if name in sys.modules])
    await cache.aclose()

asyncio.run(main())
"""


async def open_cache(folder: Path, idle_seconds: float = IDLE_SECONDS) -> Cache:
    return await Cache.open(load_settings(milvus_db_path=folder / "x.db"), idle_seconds)


async def test_a_process_that_reads_and_has_milvus_filled_does_not_import_it(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern"), spell(2, "a lamp")])
    await cache.note({"here": {"at": 1}})
    await cache.aclose()
    command = [sys.executable, "-c", READ, str(tmp_path / "x.db")]
    done = await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "['spell:own_1', 'spell:own_2'] ['spell:own_1'] {'here': {'at': 1}} False",
        "[]",
    ]


COUNT = """
import contextlib, sqlite3, sys

with contextlib.closing(sqlite3.connect(sys.argv[1])) as db:
    print(db.execute("SELECT count(*) FROM spells_rows").fetchone()[0])
"""


async def test_a_program_that_closes_the_row_file_leaves_its_log_to_the_owner(tmp_path: Path) -> None:
    """Not so if the owner has lost its locks: the log would be deleted, and later changes with the owner's end."""
    count = [sys.executable, "-c", COUNT, str(row_file(tmp_path / "x.db"))]
    cache = await open_cache(tmp_path)
    await cache.put([spell(1)])
    await cache.aclose()
    cache = await open_cache(tmp_path)  # reads the file for its checksum
    for number in range(2, 5):
        await cache.put([spell(number)])
        counted = await asyncio.to_thread(subprocess.run, count, check=True, capture_output=True, text=True)
        assert int(counted.stdout) == number
    await cache.fill_milvus()  # reads it again
    for number in range(5, 8):
        await cache.put([spell(number)])
        counted = await asyncio.to_thread(subprocess.run, count, check=True, capture_output=True, text=True)
        assert int(counted.stdout) == number
    await cache.aclose()


async def test_milvus_is_filled_and_closed_when_nothing_is_written_for_a_while(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path, 0.2)  # half a minute by default, too long for a test
    for number in range(3):
        await cache.put([spell(number, "a lantern")])
        assert not cache.in_milvus
        async with asyncio.timeout(30):
            while not cache.in_milvus:
                await asyncio.sleep(0.05)
        assert not is_locked(tmp_path / "x.db")
        assert len(await in_milvus(cache).candidates(SPELLS)) == number + 1
        assert len(await cache.index.by_words(Family.SPELLS, "lantern", (), 5)) == number + 1
    await cache.aclose()
    again = await open_cache(tmp_path)
    assert not again.notice
    assert again.in_milvus
    assert {entry.key for entry in again.catalog} == {"own_0", "own_1", "own_2"}
    await again.aclose()


async def test_a_new_store_is_written_and_read_without_milvus_until_it_is_filled(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(n, "a lantern") for n in range(3)])
    await cache.delete([entry for entry in cache.catalog if entry.key == "own_2"])
    await cache.replace(Family.SPELLS, [spell(1, "a lamp")], lambda entry: entry.key == "own_0")
    await cache.note({"here": {"at": 1}})
    await cache.aclose()
    assert not (tmp_path / "x.db" / "collections").exists()
    again = await open_cache(tmp_path, 0.2)
    assert [entry.id for entry in again.catalog] == ["spell:own_1"]
    assert not again.in_milvus
    async with asyncio.timeout(30):
        while not again.in_milvus:
            await asyncio.sleep(0.05)
    assert set(await in_milvus(again).candidates(SPELLS)) == {"spell:own_1"}
    assert await again.ledger() == {"here": {"at": 1}}
    await again.aclose()
    for rows in (tmp_path / "x.db").glob("rows-*"):
        rows.unlink()
    from_milvus = await open_cache(tmp_path)
    assert not from_milvus.notice
    assert (await from_milvus.records(from_milvus.catalog))["spell:own_1"].text == "a lamp"
    assert await from_milvus.ledger() == {"here": {"at": 1}}
    await from_milvus.aclose()


@pytest.mark.parametrize("lost_file", ["rows-*", "checksums.json", ".lorekeeper"])
async def test_a_new_store_that_lost_a_file_is_rebuilt(tmp_path: Path, lost_file: str) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern")])
    await cache.note({"here": {"at": 1}})
    await cache.aclose()
    for path in (tmp_path / "x.db").glob(lost_file):
        path.unlink()
    again = await open_cache(tmp_path)
    keys = [] if lost_file == "rows-*" else ["spell:own_1"]
    assert [entry.id for entry in again.catalog] == keys
    assert len(await again.ledger()) == len(keys)  # deleted records no longer count as fetched
    await again.put([spell(2, "a lamp")])
    await again.fill_milvus()
    assert set(await in_milvus(again).candidates(SPELLS)) == {*keys, "spell:own_2"}
    await again.aclose()


async def test_the_ledger_forgets_writes_after_the_last_fill(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern"), spell(2, "a lamp")])
    await cache.note({"here": {"at": 1}})
    await cache.fill_milvus()
    await cache.replace(Family.SPELLS, [spell(3, "a torch")], lambda entry: entry.key == "own_2")
    await cache.note({"there": {"at": 2}})
    await cache.aclose()
    next((tmp_path / "x.db").glob("rows-*")).write_bytes(b"nonsense")
    again = await open_cache(tmp_path)
    assert not again.notice
    assert {entry.id for entry in again.catalog} == {"spell:own_1", "spell:own_2"}
    assert await again.ledger() == {"here": {"at": 1}}
    assert again.in_milvus
    await again.aclose()
    assert not list((tmp_path / "x.db").glob("rows-*.damaged"))


async def test_a_copy_of_a_store_that_is_being_written_is_whole(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(n, "a lantern") for n in range(40)])
    await cache.note({"here": {"at": 1}})
    (tmp_path / "copy").mkdir()
    copy_store(tmp_path / "x.db", tmp_path / "copy" / "x.db")
    await cache.put([spell(50, "a lamp")])
    copied = await open_cache(tmp_path / "copy")
    assert len(await copied.records(copied.catalog)) == 40
    assert await copied.ledger() == {"here": {"at": 1}}
    await copied.aclose()
    await cache.aclose()
