from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.models import Family, Kind, Source, Spell
from lorekeeper_mcp.store.lite.integrity import IntegrityState, damaged_files
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import NewRow, Row, decode_payload, encode_payload, to_row
from tests.store.stored import milvus_of, milvus_store


def spell(number: int, text: str = "") -> Spell:
    return Spell(
        kind=Kind.SPELL,
        key=f"own_{number}",
        name=f"Spell {number}",
        document_key="own",
        document_name="Own",
        document_source=Source.ORCBREW,
        level=number % 10,
        text=text,
    )


def opened(folder: Path) -> MilvusStore:
    """The store alone: rows are written without the integrity file here, so it is deleted."""
    (folder / "x.account.json").unlink(missing_ok=True)
    return milvus_store(folder / "x.db")


def row(one: Spell, vector: Vector | None = None) -> Row:
    return to_row(NewRow(one, Embedding(vector, "") if vector else None), created_at=1000, updated_at=2000)


def vectors(count: int) -> np.ndarray:
    found = np.random.default_rng(7).normal(size=(count, 384))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_what_is_stored_survives_a_restart(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.upsert(Family.SPELLS, [row(spell(n, f"text {n}")) for n in range(5)])
    store.note({"here": {"at": 1}})
    store.close()
    again = opened(tmp_path)
    assert again.ledger() == {"here": {"at": 1}}
    found = again.records({f"spell:own_{n}": Kind.SPELL for n in range(5)})
    assert found == {f"spell:own_{n}": spell(n, f"text {n}") for n in range(5)}
    again.close()


def test_filtered_vector_search_is_exact(tmp_path: Path) -> None:
    store = opened(tmp_path)
    given = vectors(600)
    store.upsert(Family.SPELLS, [row(spell(n), [float(x) for x in given[n]]) for n in range(600)])
    question = vectors(601)[600]
    wanted = sorted((n for n in range(600) if n % 10 == 3), key=lambda n: -float(given[n] @ question))[:20]
    found = store.nearest(Family.SPELLS, [float(x) for x in question], "level == 3", 20)
    assert [id_ for id_, _ in found] == [f"spell:own_{n}" for n in wanted]
    assert found[0][1] == pytest.approx(float(given[wanted[0]] @ question), abs=1e-5)
    store.close()


def test_a_collection_built_aside_is_read_once_it_is_swapped_in(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.upsert(Family.SPELLS, [row(spell(1)), row(spell(2))])
    before = store.collection(Family.SPELLS)
    name = store.build(Family.SPELLS, [row(spell(2)), row(spell(3))])
    assert store.ids(Family.SPELLS, "level >= 0") == {"spell:own_1", "spell:own_2"}
    store.swap(Family.SPELLS, name)
    assert store.ids(Family.SPELLS, "level >= 0") == {"spell:own_2", "spell:own_3"}
    assert store.collection(Family.SPELLS) == name != before
    store.close()
    again = opened(tmp_path)
    assert again.ids(Family.SPELLS, "level >= 0") == {"spell:own_2", "spell:own_3"}
    assert not list((tmp_path / "x.db" / "collections").glob(before))
    again.close()


def test_a_record_too_long_for_a_column_comes_back_whole() -> None:
    long = spell(1, " ".join(f"word{n}" for n in range(20_000)))
    assert len(encode_payload(long).encode()) <= 65_535
    assert decode_payload(Kind.SPELL, encode_payload(long)) == long


def test_a_folder_that_cannot_be_used_gives_way_to_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    found = milvus_of(tmp_path / "file" / "x.db")
    assert str(tmp_path) in found.notice
    found.store.upsert(Family.SPELLS, [row(spell(1))])
    assert found.store.ids(Family.SPELLS, "level == 1") == {"spell:own_1"}
    found.store.close()


class CountedText(str):
    """A text that counts iterations over its characters."""

    __slots__ = ("count",)

    def __iter__(self) -> Iterator[str]:
        self.count = getattr(self, "count", 0) + 1
        return super().__iter__()


def test_pymilvus_still_checks_texts_character_by_character() -> None:
    """Once this fails, ``store.rows.to_store`` and its text class are no longer needed."""
    from pymilvus import DataType
    from pymilvus.client.entity_helper import pack_field_value_to_field_data
    from pymilvus.grpc_gen.schema_pb2 import FieldData

    text = CountedText("a text")
    info = {"name": "name", "type": DataType.VARCHAR, "params": {"max_length": 100}}
    pack_field_value_to_field_data(text, FieldData(type=DataType.VARCHAR, field_name="name"), info, {})
    assert text.count > 0


def test_looking_for_damage_deletes_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.upsert(Family.SPELLS, [row(spell(n)) for n in range(5)])
    store.close()
    indexes = list((tmp_path / "x.db").glob("collections/*/partitions/*/indexes/*"))
    assert indexes
    assert damaged_files(tmp_path / "x.db", IntegrityState()) == []
    assert all(file.is_file() for file in indexes)
