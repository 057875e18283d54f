"""The collections of the store: one per family of kinds, and one for the ledger."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING

from lorekeeper_mcp import corrections
from lorekeeper_mcp.embedding.vector import DIMENSION
from lorekeeper_mcp.filters import ColumnType, columns
from lorekeeper_mcp.models import Family

if TYPE_CHECKING:
    from pymilvus import CollectionSchema, MilvusClient

LEDGER = "ledger"
PREFIX = "lorekeeper"

# Increase it when the content of rows changes and the columns do not: older collections are then rebuilt.
_FORMAT = 8

# Lengths are in bytes, and a Milvus server allows 65,535; Lite counts characters and allows more.
TEXT_BYTES = 1024
LIST_BYTES = 8192
PAYLOAD_BYTES = 65_535
COMMON: dict[str, int] = {
    "id": 512,
    "kind": 64,
    "key": 512,
    "name": TEXT_BYTES,
    "document_key": 256,
    "documents": LIST_BYTES,
    "editions": 256,
    "source": 32,
    "words": 49_152,
    "payload": PAYLOAD_BYTES,
    "passages": 65_535,  # the embeddings of a record's passages
}
COLUMN_BYTES = {ColumnType.TEXT: TEXT_BYTES, ColumnType.LIST: LIST_BYTES}  # of filters
# The identity of the model of a row's vector; empty if there is no vector.
ENCODER, ENCODER_BYTES = "encoder", 256
# Times in epoch seconds.
COMMON_NUMBERS = ("created_at", "updated_at")


@cache
def collection_name(family: Family) -> str:
    """The alias of a family's collection. It changes with the columns, so an older store is never misread.

    It changes with the corrections, too: what was stored under older ones may still be wrong.
    """
    of_filters = [(column.name, column.type.value) for column in columns(family)]
    shape = [_FORMAT, corrections.digest(), COMMON, COMMON_NUMBERS, DIMENSION, of_filters]
    return f"{PREFIX}_{family}_{hashlib.blake2b(json.dumps(shape).encode(), digest_size=4).hexdigest()}"


@cache
def ledger_name() -> str:
    """The alias of the ledger's collection. It changes with those of the families."""
    names = "".join(collection_name(family) for family in Family)
    return f"{PREFIX}_{LEDGER}_{hashlib.blake2b(names.encode(), digest_size=4).hexdigest()}"


def collection_schema(client: MilvusClient, family: Family | None) -> CollectionSchema:
    """Common columns, then one column for each filter of the family, then the vector. None is for the ledger."""
    from pymilvus import DataType  # noqa: PLC0415 - half a second, only when a store is opened

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    if family is None:
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=4096)
        schema.add_field("entry", DataType.VARCHAR, max_length=PAYLOAD_BYTES)
        schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=2)  # Milvus requires a vector in every collection
        return schema
    for name, size in COMMON.items():
        schema.add_field(name, DataType.VARCHAR, is_primary=name == "id", max_length=size)
    for name in COMMON_NUMBERS:
        schema.add_field(name, DataType.INT64)
    for column in columns(family):
        if column.type in COLUMN_BYTES:
            schema.add_field(column.name, DataType.VARCHAR, max_length=COLUMN_BYTES[column.type])
        else:
            schema.add_field(column.name, DataType.DOUBLE if column.type is ColumnType.NUMBER else DataType.INT64)
    schema.add_field(ENCODER, DataType.VARCHAR, max_length=ENCODER_BYTES)
    schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=DIMENSION)
    return schema
