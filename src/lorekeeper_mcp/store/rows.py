"""Rows of the store: a record as it arrived, the columns derived from it, and its embedding.

The record is the truth. What we derive from it (the corrected values, filter columns, words, and the texts that are
embedded) carries a version, so that it can be computed again from what is stored when the code or the tables change.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias, TypeVar

from lorekeeper_mcp.embedding.record_embedder import embedded_texts
from lorekeeper_mcp.embedding.vector import DIMENSION, Embedding, Vector
from lorekeeper_mcp.filters import ColumnType, columns
from lorekeeper_mcp.models import Family, Record, family_of, model_of
from lorekeeper_mcp.models.base import Kind
from lorekeeper_mcp.store.filter_expression import pack, to_column_value
from lorekeeper_mcp.store.folder import FORMAT

T = TypeVar("T")
Row: TypeAlias = dict[str, str | int | float | list[float]]

PREFIX = "lorekeeper"
NO_VECTOR: Vector = [0.0] * DIMENSION
_PAYLOAD_BYTES = 65_535  # what a Milvus server allows; Lite counts characters and allows more
# The type of each column in Milvus; a number is the size in bytes of a text.
_OF_EVERY_FAMILY: dict[str, int | str] = {
    "id": 512,
    "kind": 64,
    "key": 512,
    "name": 1024,
    "document_key": 256,
    "documents": 8192,
    "editions": 256,
    "source": 32,
    "texts": 32,  # a digest of the texts that are embedded: while it stays, so does the embedding
    "encoder": 256,  # the identity of the model of the vector; empty if there is no vector
    "created_at": "INT64",  # in epoch seconds
    "updated_at": "INT64",
}
_OF_FILTERS: dict[ColumnType, int | str] = {
    ColumnType.TEXT: 1024,
    ColumnType.LIST: 8192,
    ColumnType.INTEGER: "INT64",
    ColumnType.FLAG: "INT64",
    ColumnType.NUMBER: "DOUBLE",
}
DATA: dict[str, int | str] = {
    "payload": _PAYLOAD_BYTES,  # the record as it arrived
    "passages": 65_535,  # the packed embeddings of the record's passages
}


class RecordTooLargeError(ValueError):
    """A record does not fit in a row even if compressed (over about 48 kB of compressed text)."""


@cache
def collection_name(family: Family | None) -> str:
    """The alias of a family's collection; None is for the ledger."""
    return f"{PREFIX}_{family or 'ledger'}_{FORMAT}"


@cache
def brief_fields(family: Family) -> Mapping[str, int | str]:
    """The columns of every row that the catalog needs, each with its type in Milvus."""
    return _OF_EVERY_FAMILY | {column.name: _OF_FILTERS[column.type] for column in columns(family)}


@cache
def absent_values(family: Family) -> Row:
    """The value of each filter column in a row that has none, such as one of an older version."""
    return {column.name: to_column_value(column, None) for column in columns(family)}


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


def embedding_columns(embedding: Embedding | None, encoder: str) -> Row:
    """Return the columns of an embedding; those of a row without one if it is None."""
    if embedding is None:
        return {"embedding": NO_VECTOR, "passages": "", "encoder": ""}
    return {"embedding": embedding.vector, "passages": embedding.passages, "encoder": encoder}


def derived_columns(record: Record) -> Row:
    """Return the columns of a corrected record that the catalog and filters read."""
    family, texts = family_of(record.kind), embedded_texts(record)
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
    row |= {column.name: to_column_value(column, column.read(record)) for column in columns(family)}
    types = brief_fields(family)
    return {name: _cut(value, types[name]) if isinstance(value, str) else value for name, value in row.items()}


def _cut(text: str, size: int | str) -> str:
    """Cut a text to a number of bytes, between characters."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= int(size) else data[: int(size)].decode("utf-8", "ignore")


_DERIVING = ("corrections", "embedding", "filters", "models", "passages", "plurals.py", "store/rows.py", "text.py")


@cache
def derived_version() -> str:
    """Identify the code and the tables that derive columns, words and texts from a record: a digest of their files."""
    package = Path(__file__).parent.parent
    files = [file for name in _DERIVING for file in (package / name, *(package / name).rglob("*"))]
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(file for file in files if file.suffix in (".py", ".toml", ".json", ".txt")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
