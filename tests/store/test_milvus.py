"""What Milvus itself gives back."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.store import milvus
from lorekeeper_mcp.store.rows import brief_fields, decode_payload, encode_payload
from tests.own_records import spell
from tests.store.opened import ids, milvus_store, row_of


def vectors(count: int) -> np.ndarray:
    directions = np.random.default_rng(7).normal(size=(count, 384))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def test_a_scan_pages_past_ids_with_quotes_and_backslashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(milvus, "_MAX_ROWS", 4)  # pages of one row
    keys = ['a"b', 'a"', "a\\", '\\" or id > "', "a\nb", "ä%_", "z"]
    records = [spell(number).model_copy(update={"key": key}) for number, key in enumerate(keys)]
    with milvus_store(tmp_path / "x.db") as store:
        store.upsert(Family.SPELLS, [row_of(record) for record in records])
        found = [str(stored["id"]) for stored in store.scan(Family.SPELLS, ["id"])]
        store.delete(Family.SPELLS, [record.id for record in records[:-1]])
        left = [str(stored["id"]) for stored in store.scan(Family.SPELLS, ["id"])]
    assert sorted(found) == sorted(record.id for record in records)
    assert left == [records[-1].id]


def test_filtered_vector_search_is_exact_and_skips_rows_without_a_vector(tmp_path: Path) -> None:
    stored = vectors(600)
    question = vectors(601)[600]
    nearest = sorted((n for n in range(600) if n % 10 == 3), key=lambda n: -float(stored[n] @ question))
    with milvus_store(tmp_path / "x.db") as store:
        store.upsert(Family.SPELLS, [row_of(spell(n), [float(x) for x in stored[n]]) for n in range(600)])
        store.upsert(Family.SPELLS, [row_of(spell(n)) for n in range(600, 640)])
        vector = [float(x) for x in question]
        matches = store.nearest(Family.SPELLS, vector, "level == 3", 20)
        everything = store.nearest(Family.SPELLS, vector, "", 1000)
    assert [id_ for id_, _ in matches] == [f"spell:own_{n}" for n in nearest[:20]]
    assert matches[0][1] == pytest.approx(float(stored[nearest[0]] @ question), abs=1e-5)
    assert len(everything) == 600


def test_a_collection_of_another_version_is_given_our_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lorekeeper_mcp.store import rows

    fewer = tuple(column for column in rows.columns(Family.SPELLS) if column.name != "level")
    with monkeypatch.context() as older:
        older.setattr(rows, "columns", lambda _: fewer)
        older.setattr(rows.brief_fields, "__wrapped__", None, raising=False)
        rows.brief_fields.cache_clear()
        with milvus_store(tmp_path / "x.db") as store:
            old_row = {name: value for name, value in row_of(spell(3), [1.0] + [0.0] * 383).items() if name != "level"}
            store.upsert(Family.SPELLS, [old_row])
    rows.brief_fields.cache_clear()
    with milvus_store(tmp_path / "x.db") as again:
        (stored,) = again.scan(Family.SPELLS, ["*"])
        assert stored["level"] == -1
        assert stored["payload"] == old_row["payload"]
        assert stored["embedding"] == pytest.approx(old_row["embedding"])
        assert again.nearest(Family.SPELLS, [1.0] + [0.0] * 383, "level < 0", 1)
        assert len(list((tmp_path / "x.db" / "collections").glob("lorekeeper_spells_*"))) == 1
    assert {*brief_fields(Family.SPELLS)} <= stored.keys()


def test_a_draft_of_a_killed_process_is_dropped(tmp_path: Path) -> None:
    with milvus_store(tmp_path / "x.db") as store:
        store.upsert(Family.SPELLS, [row_of(spell(1))])
        draft = store._create("lorekeeper_spells_9", Family.SPELLS)
        store.recover()
        assert ids(store, Family.SPELLS) == {"spell:own_1"}
    assert not (tmp_path / "x.db" / "collections" / draft).exists()


def test_a_long_record_comes_back_whole() -> None:
    long = spell(1, " ".join(f"word{n}" for n in range(12_000)))
    assert len(encode_payload(long)) <= 65_535
    assert decode_payload(Kind.SPELL, encode_payload(long)) == long


def test_a_record_of_an_older_release_is_read_without_fields_that_it_no_longer_has() -> None:
    old = spell(1).model_dump(mode="json") | {"dice_tray": "felt"}
    payload = base64.b64encode(zlib.compress(json.dumps(old).encode())).decode()
    assert decode_payload(Kind.SPELL, payload) == spell(1)
