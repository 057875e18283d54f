"""Milvus' files were lost, truncated or altered: never a smaller answer without a notice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.store.store_files import IntegrityFile
from tests.store.damaged_stores import HARMS, all_records, empty, files_of, holds_all, open_cache, restore, truncate


@pytest.mark.chaos
@pytest.mark.parametrize("harm", HARMS)
async def test_damage_to_any_file_of_the_store_is_noticed(
    undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    names = [name for name in files_of(undamaged) if (undamaged / name).stat().st_size]
    assert len(names) > 20
    noticed = 0
    for name in names:
        restore(undamaged, tmp_path)
        harm(tmp_path / name)
        next((tmp_path / "x.db").glob("rows-*")).unlink()
        cache = await open_cache(tmp_path / "x.db")
        if cache.notice:
            noticed += 1
            assert "quarantined" in cache.notice
            assert not list(cache.catalog)
            assert list(tmp_path.glob("x.aside-*.db"))
            await cache.put(all_records())
        assert await holds_all(cache), name
        await cache.aclose()
    assert noticed > len(names) / 4


@pytest.mark.chaos
@pytest.mark.parametrize("harm", [empty, truncate])
async def test_an_index_file_interrupted_by_a_kill_is_no_damage(
    undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    restore(undamaged, tmp_path)
    IntegrityFile(tmp_path / "x.db").update(milvus=None)  # as while Milvus is filled
    indexes = list((tmp_path / "x.db").glob("collections/*/partitions/*/indexes/*"))
    assert indexes
    for index in indexes:
        harm(index)
    cache = await open_cache(tmp_path / "x.db")
    await cache.put(all_records()[:1])
    assert not cache.notice
    assert await holds_all(cache)
    await cache.aclose()


@pytest.mark.chaos
@pytest.mark.parametrize("harm", HARMS)
async def test_rows_missing_in_milvus_are_restored_from_the_row_file(
    undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    for name in files_of(undamaged):
        if not name.endswith((".parquet", "manifest.json")):
            continue
        restore(undamaged, tmp_path)
        harm(tmp_path / name)
        cache = await open_cache(tmp_path / "x.db")
        await cache.note({"there": {"at": 2}})
        assert not cache.notice
        assert await holds_all(cache), name  # Milvus is filled here
        await cache.aclose()
        next((tmp_path / "x.db").glob("rows-*")).unlink()
        again = await open_cache(tmp_path / "x.db")
        assert not again.notice
        assert await holds_all(again), name
        assert await again.ledger() == {"here": {"at": 1}, "there": {"at": 2}}
        await again.aclose()
