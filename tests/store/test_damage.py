"""Files were lost, truncated or altered: never a smaller answer without a notice, never an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store import milvus
from lorekeeper_mcp.store.errors import StoreError
from tests.own_records import spell
from tests.store.damaged_stores import HARMS, all_records, files_of, finds_all, restore
from tests.store.opened import derived, open_cache


@pytest.mark.chaos
@pytest.mark.parametrize("harm", HARMS)
async def test_damage_to_any_file_is_noticed_or_harmless(
    undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    names = files_of(undamaged)
    assert len(names) > 20
    noticed = 0
    for name in names:
        restore(undamaged, tmp_path)
        harm(tmp_path / name)
        cache = await open_cache(tmp_path)
        await cache.open_milvus()
        await derived(cache)
        if cache.notice:
            noticed += 1
            assert "was damaged and has been quarantined" in cache.notice
            assert not list(cache.catalog)
            assert await cache.ledger() == {}
            assert list(tmp_path.glob("x.aside.db"))
        else:
            assert await finds_all(cache), name
            assert await cache.ledger() == {"here": {"at": 1}}
        await cache.aclose()
    assert noticed > len(names) / 4


@pytest.mark.parametrize("harm", HARMS)
async def test_a_damaged_index_is_made_again_from_milvus(
    undamaged: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    restore(undamaged, tmp_path)
    harm(tmp_path / "x.db" / "index.sqlite")
    cache = await open_cache(tmp_path)
    await derived(cache)
    assert not cache.notice
    assert await finds_all(cache)
    assert await cache.ledger() == {"here": {"at": 1}}
    await cache.aclose()


async def test_a_milvus_that_does_not_answer_in_time_is_not_damaged(
    undamaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restore(undamaged, tmp_path)
    cache = await open_cache(tmp_path)
    with monkeypatch.context() as hurried:
        hurried.setattr(milvus, "_TIMEOUT", 1e-6)  # as on a busy machine
        with pytest.raises(StoreError):
            await cache.open_milvus()
    assert not list(tmp_path.glob("x.aside.db"))
    await cache.open_milvus()
    assert not cache.notice
    assert await finds_all(cache)
    await cache.aclose()


async def test_an_index_that_is_damaged_while_it_is_open_is_made_again(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    cache = await open_cache(tmp_path)
    await cache.index.by_words(Family.CREATURES, "thing", (), 1)
    file = tmp_path / "x.db" / "index.sqlite"
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * (size - 4096))
    cache.store.index._reader._db.execute("PRAGMA shrink_memory")
    cache.store.index._searcher._db.execute("PRAGMA shrink_memory")
    await cache.records(cache.catalog)
    await cache.index.by_words(Family.CREATURES, "thing", (), 1)
    await derived(cache)
    assert await finds_all(cache)
    await cache.aclose()


async def test_rows_that_milvus_has_lost_are_noticed_without_a_checksum(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    (tmp_path / "x.db" / "checksums.json").unlink()  # as after a kill
    for file in (tmp_path / "x.db" / "collections").glob("lorekeeper_spells*/**/*.parquet"):
        file.unlink()
    cache = await open_cache(tmp_path)
    await cache.open_milvus()
    assert "was damaged and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    await cache.put(all_records())
    await cache.aclose()
    again = await open_cache(tmp_path)
    assert not again.notice
    assert len(list(again.catalog)) == len(all_records())
    await again.aclose()


async def test_a_store_in_an_older_format_is_quarantined_and_kept(tmp_path: Path) -> None:
    store = tmp_path / "x.db"
    (store / "collections" / "lorekeeper_spells_1a494432_1a21feea29d").mkdir(parents=True)
    (store / ".lorekeeper").touch()
    (store / "rows-00000000.sqlite").write_bytes(b"the records of an older version")
    cache = await open_cache(tmp_path)
    assert "was in an older format and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    await cache.put([spell(1)])
    await cache.aclose()
    (quarantined,) = tmp_path.glob("x.aside.db")
    assert (quarantined / "rows-00000000.sqlite").is_file()
