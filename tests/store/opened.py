"""Stores and their Milvus, opened for a while."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from milvus_lite.server_manager import server_manager_instance

from lorekeeper_mcp.embedding.embedder import PACKAGED, encoder_identity
from lorekeeper_mcp.embedding.vector import Embedding, Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import Family, Record
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import Row, collection_name, derived_columns, embedding_columns, encode_payload

SPELLS = RecordFilter.everything(Family.SPELLS)
ENCODER = encoder_identity(PACKAGED)


async def open_cache(folder: Path) -> Cache:
    return await Cache.open(load_settings(milvus_db_path=folder / "x.db"))


@contextlib.contextmanager
def milvus_store(db: Path) -> Iterator[MilvusStore]:
    """Milvus alone, opened on a folder."""
    try:
        with contextlib.closing(MilvusStore(str(db), ENCODER)) as store:
            yield store
    finally:
        server_manager_instance.release_server(str(db))


def ids(store: MilvusStore, family: Family, expression: str = "") -> set[str]:
    """Ids of all rows in Milvus that an expression selects."""
    rows = store._client.query(collection_name(family), filter=expression, output_fields=["id"], limit=16_384)
    return {str(row["id"]) for row in rows}


async def derived(cache: Cache) -> None:
    """Wait until what is derived from the stored records is in line with them."""
    while await cache.write(lambda store: store.derive()):
        pass


def row_of(record: Record, vector: Vector | None = None) -> Row:
    """The row of a record, whose vector is of our model."""
    embedded = embedding_columns(Embedding(vector, "") if vector else None, ENCODER)
    stored: Row = {"payload": encode_payload(record), "created_at": 1000, "updated_at": 2000}
    return derived_columns(record) | embedded | stored
