"""The index beside Milvus: it answers alone, follows Milvus, and is derived again by another version."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
from pathlib import Path

import pytest

from lorekeeper_mcp.embedding.document_text import searchable_words
from lorekeeper_mcp.models import Family, Kind, Record, Source
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store import open_store
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.folder import is_locked, read_checksums
from tests.own_records import spell
from tests.store.damaged_stores import finds_all, restore
from tests.store.opened import SPELLS, derived, ids, milvus_store, open_cache, row_of

READ = """
import asyncio, sys
from pathlib import Path
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache

async def main():
    cache = await Cache.open(load_settings(milvus_db_path=Path(sys.argv[1])))
    words = await cache.index.by_words(Family.CREATURES, "thing 3", (), 1)
    records = await cache.records(cache.catalog)
    print(len(records), [id_ for id_, _ in words], await cache.ledger(), bool(cache.notice))
    print([name for name in ("pymilvus", "pandas", "pyarrow", "faiss", "torch") if name in sys.modules])
    await cache.aclose()

asyncio.run(main())
"""


async def test_names_lists_and_words_are_answered_without_milvus(undamaged: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", READ, str(undamaged / "x.db"), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert out.decode().splitlines() == ["45 ['creature:own_3'] {'here': {'at': 1}} False", "[]"]


async def test_a_deleted_index_is_made_again(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    (tmp_path / "x.db" / "index.sqlite").unlink()
    cache = await open_cache(tmp_path)
    assert cache.store.lacks_rows
    assert not cache.store.is_milvus_open, "the opening does not wait for it"
    await derived(cache)
    assert not cache.store.lacks_rows
    assert not cache.notice
    assert await finds_all(cache)
    assert await cache.ledger() == {"here": {"at": 1}}
    await cache.aclose()


async def test_an_index_behind_milvus_is_brought_in_line(undamaged: Path, tmp_path: Path) -> None:
    """As after a kill between both, and after rows were to be deleted."""
    restore(undamaged, tmp_path)
    shutil.copy(tmp_path / "x.db" / "index.sqlite", tmp_path / "older.sqlite")
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern"), spell(77, "a lamp")])
    await cache.note({"there": {"at": 2}})
    await cache.aclose()
    shutil.copy(tmp_path / "older.sqlite", tmp_path / "x.db" / "index.sqlite")
    (tmp_path / "x.db" / "checksums.json").unlink()
    again = await open_cache(tmp_path)
    await again.open_milvus()
    await derived(again)
    assert not again.notice
    records = await again.records(again.catalog)
    assert (records["spell:own_1"].text, records["spell:own_77"].text) == ("a lantern", "a lamp")
    assert [id_ for id_, _ in await again.index.by_words(Family.SPELLS, "lamp", (), 5)] == ["spell:own_77"]
    assert await again.ledger() == {"here": {"at": 1}, "there": {"at": 2}}
    await again.aclose()


async def test_the_files_come_to_rest_when_nothing_is_written_for_a_while(tmp_path: Path) -> None:
    cache = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db"), 0.2)
    for number in range(2):
        await cache.put([spell(number)])
        await cache.note({"here": {"at": number}})
        assert not read_checksums(tmp_path / "x.db")
        async with asyncio.timeout(30):
            while not read_checksums(tmp_path / "x.db"):
                await asyncio.sleep(0.05)
    await cache.aclose()
    again = await open_cache(tmp_path)
    await again.open_milvus()
    assert not again.notice
    assert read_checksums(tmp_path / "x.db")
    await again.aclose()
    assert not is_locked(tmp_path / "x.db")


async def test_the_first_records_of_a_new_store_wait_for_milvus(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(n, "a lantern") for n in range(3)])
    await cache.delete([entry for entry in cache.catalog if entry.key == "own_2"])
    await cache.note({"here": {"at": 1}})
    assert not cache.store.is_milvus_open
    assert len(await cache.index.by_words(Family.SPELLS, "lantern", (), 5)) == 2
    shutil.copytree(tmp_path / "x.db", tmp_path / "killed" / "x.db")
    await cache.aclose()
    with milvus_store(tmp_path / "x.db") as milvus:
        assert ids(milvus, Family.SPELLS) == {"spell:own_0", "spell:own_1"}
        assert milvus.ledger() == {"here": {"at": 1}}
    killed = await open_cache(tmp_path / "killed")
    assert not list(killed.catalog), "what no Milvus has is not stored"
    assert not await killed.ledger()
    await killed.aclose()


async def test_a_new_store_that_was_killed_while_milvus_was_filled_starts_again(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(n, "a lantern") for n in range(3)])
    await cache.note({"here": {"at": 1}})
    shutil.copytree(tmp_path / "x.db", tmp_path / "killed" / "x.db")
    await cache.aclose()
    with milvus_store(tmp_path / "killed" / "x.db") as milvus:
        milvus.upsert(Family.SPELLS, [row_of(spell(1, "a lantern"))])
    killed = await open_cache(tmp_path / "killed")
    before = killed.store.openings
    await killed.open_milvus()
    assert not killed.store.notice
    assert [entry.key for entry in killed.catalog] == ["own_1"]
    assert not await killed.ledger()
    assert killed.store.openings > before, "so that the ledger is loaded again"
    await killed.aclose()


async def test_another_process_reads_the_index_while_its_owner_has_it_open(undamaged: Path, tmp_path: Path) -> None:
    restore(undamaged, tmp_path)
    owner = await open_cache(tmp_path)
    await owner.put([spell(77, "a lamp")])
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "x.db").rglob("*.sqlite")}
    reader = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db"), read_only=True)
    assert len(await reader.records(reader.catalog)) == 46
    assert [id_ for id_, _ in await reader.index.by_words(Family.SPELLS, "lamp", (), 5)] == ["spell:own_77"]
    with pytest.raises(StoreError):
        await reader.put([spell(1)])
    with pytest.raises(StoreError):
        await reader.index.nearest(SPELLS, [1.0] * 384, 5)
    await reader.aclose()
    assert before == {file: file.stat().st_mtime_ns for file in before}
    await owner.put([spell(78)])
    await owner.aclose()


@pytest.mark.parametrize("changes_texts", [False, True])
async def test_another_version_derives_its_rows_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, changes_texts: bool
) -> None:
    """A corrected value or another rule costs neither the store nor the vectors of unchanged texts."""
    cache = await open_cache(tmp_path)
    records = [spell(n, f"text {n}", document_source=Source.OPEN5E_V2) for n in range(6)]
    await cache.put(records)
    while await cache.embed_pending(Family.SPELLS):
        pass
    await cache.note({"here": {"at": 1}})
    await cache.aclose()

    def corrected(record: Record) -> Record:
        if record.key != "own_4":
            return record
        return record.model_copy(update={"text": "a lantern"} if changes_texts else {"range": 77.0})

    monkeypatch.setattr(open_store, "corrected", corrected)
    monkeypatch.setattr(open_store, "derived_version", lambda: "another")
    again = await open_cache(tmp_path)
    assert len(again.catalog.of(Family.SPELLS)) == 6
    await again.open_milvus()
    async with asyncio.timeout(30):
        await derived(again)
    (changed,) = [entry for entry in again.catalog if entry.key == "own_4"]
    assert (await again.records([changed]))["spell:own_4"] == corrected(records[4])
    assert (await again.served_records([changed]))["spell:own_4"] == records[4]
    assert changed.has_vector is not changes_texts
    assert again.without_vector() == int(changes_texts)
    assert await again.ledger() == {"here": {"at": 1}}
    await again.aclose()
    expression = 'level == 4 and key == "own_4"' if changes_texts else "range == 77.0"
    with milvus_store(tmp_path / "x.db") as milvus:
        assert ids(milvus, Family.SPELLS, expression) == {"spell:own_4"}
    with caplog.at_level(logging.INFO):
        last = await open_cache(tmp_path)
        await last.aclose()
    assert "is deleted" not in caplog.text, "the index has the checksum of its last change"
    assert searchable_words(corrected(records[4]))
    assert changed.kind is Kind.SPELL


async def test_new_records_before_a_changed_one_do_not_take_its_place(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern")])
    await cache.put([spell(2, "a song"), spell(3, "a drum"), spell(1, "a lamp")])
    words = {word: await cache.index.by_words(Family.SPELLS, word, (), 5) for word in ("lantern", "song", "lamp")}
    assert {word: [id_ for id_, _ in hits] for word, hits in words.items()} == {
        "lantern": [],
        "song": ["spell:own_2"],
        "lamp": ["spell:own_1"],
    }
    await cache.aclose()
