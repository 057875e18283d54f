"""Conversion of records to rows of a collection and back."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TypeAlias, TypeVar

from lorekeeper_mcp.embedding.document_text import searchable_words
from lorekeeper_mcp.embedding.vector import DIMENSION, Embedding, Vector
from lorekeeper_mcp.filters import columns
from lorekeeper_mcp.models import Family, Record, family_of, model_of
from lorekeeper_mcp.models.base import Kind
from lorekeeper_mcp.store.filter_expression import pack, to_column_value
from lorekeeper_mcp.store.schema import COLUMN_BYTES, COMMON, COMMON_NUMBERS, ENCODER, PAYLOAD_BYTES

T = TypeVar("T")
Row: TypeAlias = dict[str, str | int | float | list[float]]
NO_VECTOR: Vector = [0.0] * DIMENSION
_NO_EMBEDDING: Row = {"embedding": NO_VECTOR, "passages": ""}
HAS_VECTOR = "has_vector"  # 1 if a row has a vector of the current model; the store has the model's identity instead

_TEXTS = ("words", "payload", "passages")  # that the catalog does not have
_BRIEF = (*(name for name in COMMON if name not in _TEXTS), HAS_VECTOR, *COMMON_NUMBERS)


class RecordTooLargeError(ValueError):
    """A record does not fit in a row even if compressed (over about 45 kB of compressed text)."""


@dataclass(frozen=True)
class NewRow:
    """A record to be stored. ``embedding`` is None until it is computed."""

    record: Record
    embedding: Embedding | None = None


@cache
def brief_fields(family: Family) -> Sequence[str]:
    """The catalog's columns of every row."""
    return (*_BRIEF, *(column.name for column in columns(family)))


def to_store(rows: Iterable[Row], encoder: str) -> Iterator[Row]:
    """Yield rows as Milvus stores them, with the identity of their embedding model."""
    for row in rows:
        stored = {**row, ENCODER: encoder if row[HAS_VECTOR] else ""}
        del stored[HAS_VECTOR]
        yield stored


def from_store(row: Row, encoder: str) -> Row:
    """Read a row from Milvus. A vector of another model than ``encoder`` counts as none."""
    if ENCODER in row:
        is_ours = encoder != "" and row.pop(ENCODER) == encoder
        row[HAS_VECTOR] = int(is_ours)
        if not is_ours:
            row |= {name: value for name, value in _NO_EMBEDDING.items() if name in row}
    return row


def batches(items: Iterable[T], size: int = 500) -> Iterator[list[T]]:
    """Split items into lists, as ``itertools.batched`` does from Python 3.12 on."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def versions(rows: Iterable[Mapping[str, object]]) -> dict[str, tuple[object, object]]:
    """The time of each row's last change and whether it has a vector, by id: together they tell its states apart."""
    return {str(row["id"]): (row["updated_at"], row[HAS_VECTOR]) for row in rows}


def cut(text: str, size: int) -> str:
    """Cut a text to a number of bytes, between characters."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size else data[:size].decode("utf-8", "ignore")


def encode_payload(record: Record) -> str:
    """Encode the whole record as JSON, compressed if it would not fit in a column."""
    text = record.model_dump_json(exclude_defaults=True)
    if len(text.encode()) <= PAYLOAD_BYTES:
        return text
    packed = "z:" + base64.b85encode(zlib.compress(text.encode(), 9)).decode()
    if len(packed) > PAYLOAD_BYTES:
        raise RecordTooLargeError(f"{record.kind} {record.key} is too large to be stored ({len(text)} characters)")
    return packed


def decode_payload(kind: Kind, payload: str) -> Record:
    """Decode the record of a payload."""
    text = zlib.decompress(base64.b85decode(payload[2:])).decode() if payload.startswith("z:") else payload
    return model_of(kind).model_validate_json(text)


def to_row(new: NewRow, *, created_at: int, updated_at: int) -> Row:
    """Return all columns of a record's row. Times in epoch seconds."""
    record = new.record
    row: Row = {
        "id": record.id,
        "kind": str(record.kind),
        "key": record.key,
        "name": record.name,
        "document_key": record.document_key,
        "documents": pack(record.documents or (record.document_key,)),
        "editions": pack(record.editions),
        "source": str(record.document_source),
        "words": searchable_words(record),
        "payload": encode_payload(record),
        HAS_VECTOR: int(new.embedding is not None),
        "created_at": created_at,
        "updated_at": updated_at,
        **_NO_EMBEDDING,
    }
    if new.embedding is not None:
        row |= {"embedding": new.embedding.vector, "passages": new.embedding.passages}
    for name, size in COMMON.items():
        row[name] = cut(str(row[name]), size)
    for column in columns(family_of(record.kind)):
        value = to_column_value(column, column.read(record))
        row[column.name] = cut(value, COLUMN_BYTES[column.type]) if isinstance(value, str) else value
    return row
