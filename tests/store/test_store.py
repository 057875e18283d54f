from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.models import Family, Kind, Spell
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.open_store import read_records
from lorekeeper_mcp.store.rows import NewRow, Row, decode_payload, encode_payload, to_row
from tests.own_records import spell
from tests.store.stored_rows import SPELLS, in_milvus, milvus_store


def row(record: Spell, vector: Vector | None = None) -> Row:
    return to_row(NewRow(record, Embedding(vector, "") if vector else None), created_at=1000, updated_at=2000)


def vectors(count: int) -> np.ndarray:
    directions = np.random.default_rng(7).normal(size=(count, 384))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def test_what_is_stored_survives_a_restart(tmp_path: Path) -> None:
    with milvus_store(tmp_path / "x.db") as store:
        store.upsert(Family.SPELLS, [row(spell(n, f"text {n}")) for n in range(5)])
        store.note({"here": {"at": 1}})
    with milvus_store(tmp_path / "x.db") as again:
        assert again.ledger() == {"here": {"at": 1}}
        records = read_records(again, {f"spell:own_{n}": Kind.SPELL for n in range(5)})
        assert records == {f"spell:own_{n}": spell(n, f"text {n}") for n in range(5)}


def test_filtered_vector_search_is_exact(tmp_path: Path) -> None:
    stored = vectors(600)
    question = vectors(601)[600]
    nearest = sorted((n for n in range(600) if n % 10 == 3), key=lambda n: -float(stored[n] @ question))[:20]
    with milvus_store(tmp_path / "x.db") as store:
        store.upsert(Family.SPELLS, [row(spell(n), [float(x) for x in stored[n]]) for n in range(600)])
        matches = store.nearest(Family.SPELLS, [float(x) for x in question], "level == 3", 20)
    assert [id_ for id_, _ in matches] == [f"spell:own_{n}" for n in nearest]
    assert matches[0][1] == pytest.approx(float(stored[nearest[0]] @ question), abs=1e-5)


def test_a_new_collection_is_read_after_the_swap(tmp_path: Path) -> None:
    with milvus_store(tmp_path / "x.db") as store:
        store.upsert(Family.SPELLS, [row(spell(1)), row(spell(2))])
        before = store.collection(Family.SPELLS)
        name = store.build(Family.SPELLS, [row(spell(2)), row(spell(3))])
        assert store.ids(Family.SPELLS, "level >= 0") == {"spell:own_1", "spell:own_2"}
        store.swap(Family.SPELLS, name)
        assert store.ids(Family.SPELLS, "level >= 0") == {"spell:own_2", "spell:own_3"}
        assert store.collection(Family.SPELLS) == name != before
    with milvus_store(tmp_path / "x.db") as again:
        assert again.ids(Family.SPELLS, "level >= 0") == {"spell:own_2", "spell:own_3"}
    assert not list((tmp_path / "x.db" / "collections").glob(before))


def test_a_record_too_long_for_a_column_comes_back_whole() -> None:
    long = spell(1, " ".join(f"word{n}" for n in range(20_000)))
    assert len(encode_payload(long).encode()) <= 65_535
    assert decode_payload(Kind.SPELL, encode_payload(long)) == long


async def test_an_unusable_folder_is_replaced_by_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = await Cache.open(load_settings(milvus_db_path=tmp_path / "file" / "x.db"))
    assert cache.temporary
    assert str(tmp_path) in cache.notice
    await cache.put([spell(1)])
    assert set(await in_milvus(cache).candidates(SPELLS)) == {"spell:own_1"}
    await cache.aclose()
