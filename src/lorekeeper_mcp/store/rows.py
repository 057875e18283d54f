"""Rows of the store: a record as it arrived, the columns derived from it, and its embedding.

The record is the truth. What we derive from it (the corrected values, filter columns, words, and the texts that are
embedded) carries a version, so that it can be computed again from what is stored when the code or the tables change.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.embedding.record_embedder import embedded_texts
from lorekeeper_mcp.embedding.vector import DIMENSION, Embedding, Vector
from lorekeeper_mcp.filters import ColumnType, columns
from lorekeeper_mcp.models import Family, Record, family_of, model_of
from lorekeeper_mcp.models.base import Kind
from lorekeeper_mcp.store.filter_expression import pack, to_column_value
from lorekeeper_mcp.store.folder import FORMAT

if TYPE_CHECKING:
    from pymilvus import CollectionSchema, MilvusClient

T = TypeVar("T")
Row: TypeAlias = dict[str, str | int | float | list[float]]

PREFIX = "lorekeeper"
NO_VECTOR: Vector = [0.0] * DIMENSION

# Lengths are in bytes, and a Milvus server allows 65,535; Lite counts characters and allows more.
_TEXT_BYTES = 1024
_LIST_BYTES = 8192
_PAYLOAD_BYTES = 65_535
_TEXTS: dict[str, int] = {  # of every family, with their sizes
    "id": 512,
    "kind": 64,
    "key": 512,
    "name": _TEXT_BYTES,
    "document_key": 256,
    "documents": _LIST_BYTES,
    "editions": 256,
    "source": 32,
    "texts": 32,  # a digest of the texts that are embedded: while it stays, so does the embedding
    "encoder": 256,  # the identity of the model of the vector; empty if there is no vector
    "payload": _PAYLOAD_BYTES,  # the record as it arrived
    "passages": 65_535,  # the packed embeddings of the record's passages
}
_COLUMN_BYTES = {ColumnType.TEXT: _TEXT_BYTES, ColumnType.LIST: _LIST_BYTES}  # of filters
_TIMES = ("created_at", "updated_at")  # in epoch seconds
_DATA = ("payload", "passages")  # that the catalog does not have


class RecordTooLargeError(ValueError):
    """A record does not fit in a row even if compressed (over about 48 kB of compressed text)."""


@cache
def collection_name(family: Family | None) -> str:
    """The alias of a family's collection; None is for the ledger."""
    return f"{PREFIX}_{family or 'ledger'}_{FORMAT}"


@cache
def brief_fields(family: Family) -> tuple[str, ...]:
    """The columns of every row that the catalog needs."""
    texts = (name for name in _TEXTS if name not in _DATA)
    return (*texts, *_TIMES, *(column.name for column in columns(family)))


@cache
def absent_values(family: Family) -> Row:
    """The value of each filter column in a row that has none, such as one of an older version."""
    return {column.name: to_column_value(column, None) for column in columns(family)}


def brief(family: Family, row: Row) -> Row:
    """The columns of a row that the catalog needs, without absent values: whichever version reads them adds its own."""
    absent = absent_values(family)
    return {name: value for name in brief_fields(family) if (value := row[name]) != absent.get(name)}


def collection_schema(client: MilvusClient, family: Family | None) -> CollectionSchema:
    """Common columns, then one column for each filter of the family, then the vector. None is for the ledger."""
    from pymilvus import DataType  # noqa: PLC0415 - half a second, only when a store is opened

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    if family is None:
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=4096)
        schema.add_field("entry", DataType.VARCHAR, max_length=_PAYLOAD_BYTES)
        schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=2)  # Milvus requires a vector in every collection
        return schema
    for name, size in _TEXTS.items():
        schema.add_field(name, DataType.VARCHAR, is_primary=name == "id", max_length=size)
    for name in _TIMES:
        schema.add_field(name, DataType.INT64)
    for column in columns(family):
        if column.type in _COLUMN_BYTES:
            schema.add_field(column.name, DataType.VARCHAR, max_length=_COLUMN_BYTES[column.type])
        else:
            schema.add_field(column.name, DataType.DOUBLE if column.type is ColumnType.NUMBER else DataType.INT64)
    schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=DIMENSION)
    return schema


def batches(items: Iterable[T], size: int = 500) -> Iterator[list[T]]:
    """Split items into lists, as ``itertools.batched`` does from Python 3.12 on."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def encode_payload(record: Record) -> str:
    """Encode the whole record as compressed JSON. Raises RecordTooLargeError."""
    text = record.model_dump_json(exclude_defaults=True)
    packed = base64.b64encode(zlib.compress(text.encode())).decode()
    if len(packed) > _PAYLOAD_BYTES:
        raise RecordTooLargeError(f"{record.kind} {record.key} is too large to be stored ({len(text)} characters)")
    return packed


def decode_payload(kind: Kind, payload: str) -> Record:
    """Decode the record of a payload, as it arrived, without fields that only older releases have."""
    return model_of(kind).model_validate_json(zlib.decompress(base64.b64decode(payload)), extra="ignore")


def to_row(record: Record, embedding: Embedding | None, *, encoder: str, created_at: int, updated_at: int) -> Row:
    """Return all columns of the row of a record as it arrived; times in epoch seconds.

    ``encoder`` identifies the model of the embedding, which is None until it is computed.
    """
    row = derived_columns(corrected(record)) | embedding_columns(embedding, encoder)
    return row | {"payload": encode_payload(record), "created_at": created_at, "updated_at": updated_at}


def embedding_columns(embedding: Embedding | None, encoder: str) -> Row:
    """Return the columns of an embedding; those of a row without one if it is None."""
    if embedding is None:
        return {"embedding": NO_VECTOR, "passages": "", "encoder": ""}
    return {"embedding": embedding.vector, "passages": embedding.passages, "encoder": encoder}


def derived_columns(record: Record) -> Row:
    """Return the columns of a corrected record that the catalog and filters read."""
    texts = embedded_texts(record)
    everything = json.dumps([texts.record, sorted(texts.passages.items())]).encode()
    row: Row = {
        "id": record.id,
        "kind": str(record.kind),
        "key": record.key,
        "name": record.name,
        "document_key": record.document_key,
        "documents": pack(record.documents or (record.document_key,)),
        "editions": pack(record.editions),
        "source": str(record.document_source),
        "texts": hashlib.blake2b(everything, digest_size=8).hexdigest(),
    }
    row = {name: _cut(str(value), _TEXTS[name]) for name, value in row.items()}
    for column in columns(family_of(record.kind)):
        value = to_column_value(column, column.read(record))
        row[column.name] = _cut(value, _COLUMN_BYTES[column.type]) if isinstance(value, str) else value
    return row


def _cut(text: str, size: int) -> str:
    """Cut a text to a number of bytes, between characters."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size else data[:size].decode("utf-8", "ignore")


_DERIVING = ("corrections", "embedding", "filters", "models", "passages", "plurals.py", "store/rows.py", "text.py")


@cache
def derived_version() -> str:
    """Identify the code and the tables that derive columns, words and texts from a record: a digest of their files."""
    package = Path(__file__).parent.parent
    places: Sequence[Path] = [package / name for name in _DERIVING]
    files = (file for place in places for file in (place.rglob("*") if place.is_dir() else [place]))
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(file for file in files if file.suffix in (".py", ".toml", ".json", ".txt")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
