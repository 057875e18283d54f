"""Stores that are quarantined, those that are not, and fills that hang."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.lite import milvus_folder
from tests.store.damaged_stores import HARMS, all_records, finds_all, holds_all, open_cache, restore, truncate


async def test_an_undamaged_store_is_not_quarantined(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    for _ in range(3):
        cache = await open_cache(tmp_path / "x.db")
        assert not cache.notice
        assert await holds_all(cache)
        assert await cache.ledger() == {"here": {"at": 1}}
        await cache.aclose()


async def test_a_store_of_another_format_is_quarantined(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    store = tmp_path / "x.db"
    aliases = json.loads((store / "aliases.json").read_text())
    for name in aliases.values():
        (store / "collections" / name).rename(store / "collections" / name.replace("lorekeeper_", "lorekeeper_old_"))
    (store / "aliases.json").unlink()
    next((tmp_path / "x.db").glob("rows-*")).rename(store / "rows-00000000.sqlite")
    cache = await open_cache(store)
    assert "was in an older format and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    await cache.aclose()
    (quarantined,) = tmp_path.glob("x.aside-*")
    assert (quarantined / "rows-00000000.sqlite").is_file()


async def test_only_the_newest_quarantined_stores_are_kept(undamaged: Path, tmp_path: Path) -> None:
    for _ in range(4):
        shutil.rmtree(tmp_path / "x.db", ignore_errors=True)
        shutil.copytree(undamaged, tmp_path, dirs_exist_ok=True)
        next((tmp_path / "x.db").rglob("*.parquet")).write_bytes(b"nonsense")
        next((tmp_path / "x.db").glob("rows-*")).unlink()
        cache = await open_cache(tmp_path / "x.db")
        assert "quarantined" in cache.notice
        await cache.aclose()
    assert len(list(tmp_path.glob("x.aside-*.db"))) == 2


@pytest.mark.parametrize("harm", HARMS)
async def test_if_both_copies_are_damaged_both_are_kept_for_inspection(
    undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    restore(undamaged, tmp_path)
    harm(max((tmp_path / "x.db").rglob("*.parquet"), key=lambda file: file.stat().st_size))
    (rows,) = (tmp_path / "x.db").glob("rows-*")
    rows.write_bytes(rows.read_bytes()[:5000])
    cache = await open_cache(tmp_path / "x.db")
    assert "was damaged and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    assert await cache.ledger() == {}
    await cache.put(all_records())
    assert await holds_all(cache)
    await cache.aclose()
    (quarantined,) = tmp_path.glob("x.aside-*")
    assert (quarantined / rows.with_suffix(".damaged").name).stat().st_size == 5000
    again = await open_cache(tmp_path / "x.db")
    assert not again.notice
    assert await holds_all(again)
    await again.aclose()


@pytest.fixture
def hanging_child(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter that Milvus is started with hangs."""
    interpreter = tmp_path_factory.mktemp("bin") / "interpreter"
    interpreter.write_text("#!/bin/sh\nexec sleep 1000\n")
    interpreter.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(interpreter))
    monkeypatch.setattr(milvus_folder, "_PATIENCE_SECONDS", 0.5)


@pytest.mark.usefixtures("hanging_child")
async def test_a_fill_that_hangs_fails_and_is_completed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = await open_cache(tmp_path / "x.db")
    await cache.put(all_records())
    with pytest.raises(StoreError, match="Milvus ended with code -9"):
        await cache.fill_milvus()
    assert await finds_all(cache)
    monkeypatch.undo()
    assert await holds_all(cache)
    await cache.aclose()


@pytest.mark.usefixtures("hanging_child")
async def test_a_damaged_row_file_beside_milvus_that_hangs_is_quarantined(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    truncate(next((tmp_path / "x.db").glob("rows-*")))
    cache = await open_cache(tmp_path / "x.db")
    assert "was damaged and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    await cache.aclose()
