"""A store that was lost, truncated or altered anywhere: never a smaller answer without a notice."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Family, Feat, Kind, Record, Source, Spell
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.lite import milvus_folder
from lorekeeper_mcp.store.lite.integrity import IntegrityFile
from tests.own_records import creature, heading, spell
from tests.store.stored_rows import SPELLS, from_milvus

TO = [1.0] + [0.0] * 383


def text(number: int) -> str:
    return f"What thing {number} does. " * 20


def published_spell(number: int) -> Spell:
    return spell(number, text(number), document_source=Source.OPEN5E_V2)


def everything() -> list[Record]:
    spells = [published_spell(number) for number in range(30)]
    creatures = [creature(number, text(number), document_source=Source.OPEN5E_V2) for number in range(10)]
    heads = (heading(Kind.FEAT, number, document_source=Source.OPEN5E_V2) for number in range(5))
    return [*spells, *creatures, *(Feat(**head, text=text(number)) for number, head in enumerate(heads))]


async def opened(db: Path) -> Cache:
    return await Cache.open(load_settings(milvus_db_path=db))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a closed store in Milvus that was written in several steps, one of them a renewal."""
    import asyncio

    folder = tmp_path_factory.mktemp("sound")

    async def write() -> None:
        cache = await opened(folder / "x.db")
        records = everything()
        for part in (records[:20], records[20:]):
            await cache.put(part)
        await cache.fill_milvus()
        await cache.put([published_spell(99)])
        await cache.delete([entry for entry in cache.catalog if entry.key == "own_99"])
        await cache.replace(Family.CREATURES, [r for r in records if r.kind is Kind.CREATURE], lambda _: False)
        await cache.note({"here": {"at": 1}})
        await cache.fill_milvus()
        await cache.aclose()

    asyncio.run(write())
    return folder


def files(folder: Path) -> list[str]:
    store = folder / "x.db"
    paths = [f.relative_to(folder).as_posix() for f in store.rglob("*") if f.is_file() and f.name != "LOCK"]
    return sorted([*paths, "x.account.json"])


def delete(file: Path) -> None:
    file.unlink()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def cut(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for place in random.Random(file.name).sample(range(len(data)), k=min(3, len(data))):
        data[place] ^= 0x11
    file.write_bytes(bytes(data))


async def answers_all(cache: Cache) -> bool:
    """Whether every way of asking finds every record, as it was stored."""
    records = {record.id: record for record in everything()}
    by_level = await cache.index.candidates(SPELLS)
    near = await cache.index.nearest(SPELLS, TO, 100)
    words = await cache.index.by_words(Family.CREATURES, "what thing does", (), 100)
    return (
        await cache.records(cache.catalog) == records
        and by_level.keys() == {id_ for id_ in records if id_.startswith("spell:")} == {id_ for id_, _ in near}
        and {id_ for id_, _ in words} == {id_ for id_ in records if id_.startswith("creature:")}
    )


async def holds_all(cache: Cache) -> bool:
    """Whether Milvus has every record too, once it is filled."""
    by_level, near = await from_milvus(
        cache, lambda store: (store.rows.ids(Family.SPELLS, ""), store.rows.nearest(Family.SPELLS, TO, "", 100))
    )
    return await answers_all(cache) and by_level == {id_ for id_, _ in near} == cache.catalog.of(Family.SPELLS).keys()


@pytest.mark.chaos
@pytest.mark.parametrize("harm", [delete, empty, cut, flip])
async def test_damage_to_any_file_of_the_store_is_noticed(
    sound: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    harmed = [name for name in files(sound) if (sound / name).stat().st_size]
    assert len(harmed) > 20
    noticed = 0
    for name in harmed:
        shutil.rmtree(tmp_path)
        shutil.copytree(sound, tmp_path)
        harm(tmp_path / name)
        next(tmp_path.glob("x.rows-*")).unlink()
        cache = await opened(tmp_path / "x.db")
        if cache.notice:
            noticed += 1
            assert "quarantined" in cache.notice
            assert not list(cache.catalog)
            assert list(tmp_path.glob("x.aside-*.db"))
            await cache.put(everything())
        assert await holds_all(cache), name
        await cache.aclose()
    assert noticed > len(harmed) / 4


@pytest.mark.chaos
@pytest.mark.parametrize("harm", [empty, cut])
async def test_an_index_file_interrupted_by_a_kill_is_no_damage(
    sound: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    IntegrityFile(tmp_path / "x.db").update(milvus=None)  # as while Milvus is filled
    indexes = list((tmp_path / "x.db").glob("collections/*/partitions/*/indexes/*"))
    assert indexes
    for index in indexes:
        harm(index)
    cache = await opened(tmp_path / "x.db")
    await cache.put(everything()[:1])
    assert not cache.notice
    assert await holds_all(cache)
    await cache.aclose()


async def test_an_undamaged_store_is_not_quarantined(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    for _ in range(3):
        cache = await opened(tmp_path / "x.db")
        assert not cache.notice
        assert await holds_all(cache)
        assert await cache.ledger() == {"here": {"at": 1}}
        await cache.aclose()


async def test_a_store_of_another_format_is_quarantined(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    store = tmp_path / "x.db"
    aliases = json.loads((store / "aliases.json").read_text())
    for alias, name in aliases.items():
        (store / "collections" / name).rename(store / "collections" / name.replace("lorekeeper_", "lorekeeper_old_"))
        assert alias
    (store / "aliases.json").unlink()
    next(tmp_path.glob("x.rows-*")).rename(tmp_path / "x.rows-00000000.sqlite")
    cache = await opened(store)
    assert "was of an older format and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    await cache.aclose()
    (aside,) = tmp_path.glob("x.aside-*")
    assert (aside / "x.rows-00000000.sqlite").is_file()


async def test_only_the_newest_quarantined_stores_are_kept(sound: Path, tmp_path: Path) -> None:
    for _ in range(4):
        shutil.rmtree(tmp_path / "x.db", ignore_errors=True)
        shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
        next((tmp_path / "x.db").rglob("*.parquet")).write_bytes(b"nonsense")
        next(tmp_path.glob("x.rows-*")).unlink()
        cache = await opened(tmp_path / "x.db")
        assert "quarantined" in cache.notice
        await cache.aclose()
    assert len(list(tmp_path.glob("x.aside-*.db"))) == 2


@pytest.mark.chaos
@pytest.mark.parametrize("harm", [delete, empty, cut, flip])
async def test_rows_missing_in_milvus_are_restored_from_the_row_file(
    sound: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    for name in [name for name in files(sound) if name.endswith((".parquet", "manifest.json"))]:
        shutil.rmtree(tmp_path)
        shutil.copytree(sound, tmp_path)
        harm(tmp_path / name)
        cache = await opened(tmp_path / "x.db")
        await cache.note({"there": {"at": 2}})
        assert not cache.notice
        assert await holds_all(cache), name  # Milvus is filled here
        await cache.aclose()
        next(tmp_path.glob("x.rows-*")).unlink()
        again = await opened(tmp_path / "x.db")
        assert not again.notice
        assert await holds_all(again), name
        assert await again.ledger() == {"here": {"at": 1}, "there": {"at": 2}}
        await again.aclose()


@pytest.mark.parametrize("harm", [delete, empty, cut, flip])
async def test_a_damaged_row_file_is_rebuilt(sound: Path, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    (file,) = tmp_path.glob("x.rows-*")
    harm(file)
    cache = await opened(tmp_path / "x.db")
    assert await holds_all(cache)
    assert await cache.ledger() == {"here": {"at": 1}}
    await cache.aclose()


@pytest.mark.chaos
async def test_a_flipped_bit_in_the_row_file_is_noticed(sound: Path, tmp_path: Path) -> None:
    """SQLite itself notices few: a bit in a page's list of cells or in an index only hides a row."""
    (file,) = sound.glob("x.rows-*")
    data = file.read_bytes()
    for place in random.Random(1).sample(range(len(data)), k=60):
        shutil.rmtree(tmp_path)
        shutil.copytree(sound, tmp_path)
        harmed = bytearray(data)
        harmed[place] ^= 1 << place % 8
        (tmp_path / file.name).write_bytes(harmed)
        cache = await opened(tmp_path / "x.db")
        assert (tmp_path / file.name).read_bytes() != harmed, place
        assert await answers_all(cache), place
        await cache.aclose()


async def test_a_row_file_that_a_kill_left_open_is_trusted(
    sound: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its write-ahead log has the changes since its checksum was recorded."""
    shutil.copytree(sound, tmp_path / "1")
    cache = await opened(tmp_path / "1" / "x.db")
    await cache.note({"there": {"at": 2}})
    shutil.copytree(tmp_path / "1", tmp_path / "2", ignore=shutil.ignore_patterns("LOCK"))
    await cache.aclose()
    IntegrityFile(tmp_path / "2" / "x.db").update(row_file=(1, 1))
    for _ in range(2):
        again = await opened(tmp_path / "2" / "x.db")
        assert not again.notice
        assert await holds_all(again)
        assert await again.ledger() == {"here": {"at": 1}, "there": {"at": 2}}
        await again.aclose()
    assert "Rebuilding" not in caplog.text


@pytest.mark.parametrize("harm", [delete, empty, cut, flip])
async def test_if_both_copies_are_damaged_both_are_kept_for_inspection(
    sound: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    harm(max((tmp_path / "x.db").rglob("*.parquet"), key=lambda file: file.stat().st_size))
    (rows,) = tmp_path.glob("x.rows-*")
    rows.write_bytes(rows.read_bytes()[:5000])
    cache = await opened(tmp_path / "x.db")
    assert "was damaged and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    assert await cache.ledger() == {}
    await cache.put(everything())
    assert await holds_all(cache)
    await cache.aclose()
    (aside,) = tmp_path.glob("x.aside-*")
    assert (aside / rows.with_suffix(".damaged").name).stat().st_size == 5000
    again = await opened(tmp_path / "x.db")
    assert not again.notice
    assert await holds_all(again)
    await again.aclose()


async def test_an_altered_row_is_never_returned(sound: Path, tmp_path: Path) -> None:
    for change in ("rows SET brief = replace(brief, 'T', 'X')", "payloads SET data = zeroblob(9)"):
        shutil.rmtree(tmp_path)
        shutil.copytree(sound, tmp_path)
        (file,) = tmp_path.glob("x.rows-*")
        with contextlib.closing(sqlite3.connect(file)) as db:
            db.execute(f"UPDATE spells_{change} WHERE number % 2")
            db.commit()
        cache = await opened(tmp_path / "x.db")
        assert await answers_all(cache), change
        await cache.aclose()


async def test_a_row_that_was_altered_does_not_reach_milvus(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    (file,) = tmp_path.glob("x.rows-*")
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE spells_payloads SET data = zeroblob(9) WHERE number % 2")
        db.commit()
    IntegrityFile(tmp_path / "x.db").update(row_file=None)  # as after a kill
    cache = await opened(tmp_path / "x.db")
    await cache.put([published_spell(99)])
    await cache.fill_milvus()
    assert not cache.notice
    assert await holds_all(cache)
    await cache.aclose()


@pytest.fixture
def hanging_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter that Milvus is started with hangs."""
    interpreter = tmp_path / "interpreter"
    interpreter.write_text("#!/bin/sh\nexec sleep 1000\n")
    interpreter.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(interpreter))
    monkeypatch.setattr(milvus_folder, "_PATIENCE_SECONDS", 0.5)


@pytest.mark.usefixtures("hanging_child")
async def test_a_fill_that_hangs_fails_and_is_completed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = await opened(tmp_path / "x.db")
    await cache.put(everything())
    with pytest.raises(StoreError, match="Milvus ended with code -9"):
        await cache.fill_milvus()
    assert await answers_all(cache)
    monkeypatch.undo()
    assert await holds_all(cache)
    await cache.aclose()


@pytest.mark.usefixtures("hanging_child")
async def test_a_damaged_row_file_beside_milvus_that_hangs_is_quarantined(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    cut(next(tmp_path.glob("x.rows-*")))
    cache = await opened(tmp_path / "x.db")
    assert "was damaged and has been quarantined" in cache.notice
    assert not list(cache.catalog)
    await cache.aclose()
