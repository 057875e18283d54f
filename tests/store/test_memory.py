"""The data in memory equals the store's, whatever has been written since it was read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lorekeeper_mcp.embedding.model_files import PACKAGED, encoder_identity
from lorekeeper_mcp.embedding.vector import Embedding
from lorekeeper_mcp.models import Family, Kind, Source, Spell
from lorekeeper_mcp.store.catalog import Catalog
from lorekeeper_mcp.store.lite.local_store import LocalStore
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import read_records
from lorekeeper_mcp.store.rows import NewRow, Row, encode_payload
from tests import own_records
from tests.store.stored_rows import milvus_store
from tests.store.test_store import vectors

TEXTS = {3: "changed", 6: "as it never was", 9: ""}
DIRECTIONS = [[float(x) for x in row] for row in vectors(60)]


def spell(number: int, text: str = "") -> Spell:
    """A record of a published book: embeddings of homebrew are never known beforehand."""
    return own_records.spell(number, text, document_source=Source.OPEN5E_V2)


def new_row(number: int, text: str = "") -> NewRow:
    """Two of three have precomputed embeddings."""
    return NewRow(spell(number, text), Embedding(DIRECTIONS[number], "") if number % 3 else None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LocalStore]:
    store = LocalStore(tmp_path / "x.db", encoder_identity(PACKAGED), Catalog())
    store.put([new_row(number) for number in range(40)])
    yield store
    store.close()


def check_milvus(store: LocalStore) -> None:
    """Check that Milvus gives what is in memory, once it is filled."""
    store.fill()
    with milvus_store(store.path) as milvus:
        compare(milvus, store)


def compare(milvus: MilvusStore, store: LocalStore) -> None:
    kinds = {entry.id: entry.kind for entry in store.catalog} | {"spell:own_99": Kind.SPELL}
    assert read_records(store.rows, kinds) == read_records(milvus, kinds)
    rows = {str(row["id"]): row for row in store.rows.rows(Family.SPELLS, kinds)}
    store.load(Family.SPELLS)
    for row in milvus.rows(Family.SPELLS, kinds):
        row_in_memory = rows.pop(str(row["id"]))
        assert row_in_memory.pop("embedding") == pytest.approx(row.pop("embedding"))
        assert row_in_memory == row
    assert not rows
    for question in (DIRECTIONS[1], [-x for x in DIRECTIONS[50]]):
        for expression, limit in (("level >= 0", 9), ("level == 4", 3), ("level <= 8", 1), ("level >= 0", 100)):
            low, high = {"level == 4": (4, 4), "level <= 8": (0, 8)}.get(expression, (0, 9))
            ids = [e.id for e in store.catalog if low <= int(e.key.rpartition("_")[2]) % 10 <= high]
            in_milvus = milvus.nearest(Family.SPELLS, question, expression, limit)
            in_memory = store._matrices[Family.SPELLS].nearest(question, ids, limit)
            assert [score for _, score in in_memory] == pytest.approx([score for _, score in in_milvus], abs=1e-5)
            assert {id_ for id_, score in in_memory if score} == {id_ for id_, score in in_milvus if abs(score) > 1e-7}


def test_the_mirror_equals_the_store_after_every_change(store: LocalStore) -> None:
    check_milvus(store)
    store.put([new_row(number, "changed") for number in (*range(5), *range(40, 60))])
    check_milvus(store)
    store.delete(Family.SPELLS, [f"spell:own_{number}" for number in (0, 1, 7, 58, 59)])
    check_milvus(store)
    rows: list[Row] = [{"id": f"spell:own_{n}", "payload": encode_payload(spell(n, text))} for n, text in TEXTS.items()]
    store.set_vectors(Family.SPELLS, rows, [Embedding(DIRECTIONS[n], "") for n in TEXTS])
    assert [entry.key for entry in store.catalog if entry.key in ("own_3", "own_6", "own_9") and entry.has_vector] == [
        "own_3",
        "own_9",
    ]
    check_milvus(store)
    store.replace(Family.SPELLS, [new_row(n) for n in (2, 3, 58)], lambda entry: entry.key > "own_5")
    check_milvus(store)
    assert store._matrices[Family.SPELLS].nearest(DIRECTIONS[58], ["spell:own_58"], 1)[0][1] == pytest.approx(
        1, abs=1e-5
    )
