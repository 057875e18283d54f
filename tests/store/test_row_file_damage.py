"""The row file was lost, truncated or altered: never a smaller answer without a notice."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.store.store_files import IntegrityFile
from tests.store.damaged_stores import HARMS, finds_all, holds_all, open_cache, published_spell, restore

EMPTIED = "payloads SET data = zeroblob(9)"


def alter_rows(file: Path, change: str) -> None:
    """Change every second spell in the row file, past its checksums."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute(f"UPDATE spells_{change} WHERE number % 2")
        db.commit()


@pytest.mark.parametrize("harm", HARMS)
async def test_a_damaged_row_file_is_rebuilt(undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    restore(undamaged, tmp_path)
    (file,) = (tmp_path / "x.db").glob("rows-*")
    harm(file)
    cache = await open_cache(tmp_path / "x.db")
    assert await holds_all(cache)
    assert await cache.ledger() == {"here": {"at": 1}}
    await cache.aclose()


@pytest.mark.chaos
async def test_a_flipped_bit_in_the_row_file_is_noticed(undamaged: Path, tmp_path: Path) -> None:
    """SQLite itself notices few: a bit in a page's list of cells or in an index only hides a row."""
    (file,) = (undamaged / "x.db").glob("rows-*")
    data = file.read_bytes()
    for place in random.Random(1).sample(range(len(data)), k=60):
        restore(undamaged, tmp_path)
        damaged = bytearray(data)
        damaged[place] ^= 1 << place % 8
        (tmp_path / "x.db" / file.name).write_bytes(damaged)
        cache = await open_cache(tmp_path / "x.db")
        assert (tmp_path / "x.db" / file.name).read_bytes() != damaged, place
        assert await finds_all(cache), place
        await cache.aclose()


async def test_a_row_file_that_a_kill_left_open_is_trusted(
    undamaged: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its write-ahead log has the changes since its checksum was recorded."""
    shutil.copytree(undamaged, tmp_path / "1")
    cache = await open_cache(tmp_path / "1" / "x.db")
    await cache.note({"there": {"at": 2}})
    shutil.copytree(tmp_path / "1", tmp_path / "2", ignore=shutil.ignore_patterns("LOCK"))
    await cache.aclose()
    IntegrityFile(tmp_path / "2" / "x.db").update(row_file=(1, 1))
    for _ in range(2):
        again = await open_cache(tmp_path / "2" / "x.db")
        assert not again.notice
        assert await holds_all(again)
        assert await again.ledger() == {"here": {"at": 1}, "there": {"at": 2}}
        await again.aclose()
    assert "Rebuilding" not in caplog.text


async def test_an_altered_row_is_never_returned(undamaged: Path, tmp_path: Path) -> None:
    for change in ("rows SET brief = replace(brief, 'T', 'X')", EMPTIED):
        restore(undamaged, tmp_path)
        (file,) = (tmp_path / "x.db").glob("rows-*")
        alter_rows(file, change)
        cache = await open_cache(tmp_path / "x.db")
        assert await finds_all(cache), change
        await cache.aclose()


async def test_a_row_that_was_altered_does_not_reach_milvus(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    (file,) = (tmp_path / "x.db").glob("rows-*")
    alter_rows(file, EMPTIED)
    IntegrityFile(tmp_path / "x.db").update(row_file=None)  # as after a kill
    cache = await open_cache(tmp_path / "x.db")
    await cache.put([published_spell(99)])
    await cache.fill_milvus()
    assert not cache.notice
    assert await holds_all(cache)
    await cache.aclose()
