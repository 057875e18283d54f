"""The recorded Open5e as typed records, adapted once for all tests."""

from __future__ import annotations

import copy
import functools
from typing import Any, TypeVar

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.models import Document, Equipment, Record
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record, to_record_uncorrected
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from lorekeeper_mcp.sources.open5e.archive import completed
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH, SUPPLEMENTS
from tests.cached_values import cached_value
from tests.recorded import FOLDER, load

V1_ENDPOINTS = ("v1/magicitems", "v1/weapons", "v1/armor", "v1/planes")
EMPTY = Context({})
SNAPSHOTS = tuple(sorted((FOLDER / "snapshot").rglob("*.json.gz")))

R = TypeVar("R", bound=Record)


def adapt(endpoint: str, served: object, model: type[R], context: Context = EMPTY) -> R:
    """The record of a served one, of the expected model."""
    record = corrected(to_record(endpoint, served, context))
    assert isinstance(record, model)
    return record


@functools.cache
def context() -> Context:
    """All recorded documents and items."""
    documents = {document["key"]: adapt("v2/documents", document, Document) for document in load("v2/documents")}
    without_items = Context(documents)
    return Context(
        documents, {item["key"]: adapt("v2/items", item, Equipment, without_items) for item in load("v2/items")}
    )


def served_record(endpoint: str, key: str) -> dict[str, Any]:
    """A copy of a recorded record."""
    return copy.deepcopy(next(record for record in load(endpoint) if record["key"] == key))


def adapted(endpoint: str, key: str, model: type[R]) -> R:
    """The record of a recorded one, of the expected model."""
    return adapt(endpoint, served_record(endpoint, key), model, context())


@functools.cache
def records(endpoint: str) -> list[Record]:
    """Every corrected record of an endpoint, in the order served."""
    return list(map(corrected, stored_records(endpoint)))


@functools.cache
def stored_records(endpoint: str) -> list[Record]:
    """The same as they are stored, before corrections."""
    return cached_value(
        f"stored-{endpoint.replace('/', '-')}",
        SNAPSHOTS,
        lambda: [to_record(endpoint, served, context()) for served in requested(endpoint)],
    )


def requested(endpoint: str) -> list[dict[str, Any]]:
    """The served records with the fields that are requested: what is not fetched must not pass for stored."""
    fields = BY_PATH[endpoint].always.get("fields", "") if endpoint in BY_PATH else ""
    if not fields:
        return load(endpoint)
    return [{name: served[name] for name in fields.split(",") if name in served} for served in load(endpoint)]


@functools.cache
def complete_records() -> list[Record]:
    """Every recorded record after all lists are fetched, without the features of classes and species."""
    archived = {}
    for path in SUPPLEMENTS:
        documents = BY_PATH[path].documents or frozenset()
        archived |= {record.id: record for record in stored_records(path) if record.document_key in documents}
    return [
        corrected(completed(record, archived[record.id]) if record.id in archived else record)
        for endpoint in ADAPTERS
        if endpoint not in SUPPLEMENTS
        for record in stored_records(endpoint)
    ]


@functools.cache
def _served_context() -> Context:
    documents = context().documents
    items = {item["key"]: to_record_uncorrected("v2/items", item, Context(documents)) for item in load("v2/items")}
    return Context(documents, {key: item for key, item in items.items() if isinstance(item, Equipment)})


@functools.cache
def uncorrected(endpoint: str) -> list[Record]:
    """Every record of an endpoint with Open5e's errors, in the order served."""
    return cached_value(
        f"uncorrected-{endpoint.replace('/', '-')}",
        SNAPSHOTS,
        lambda: [to_record_uncorrected(endpoint, served, _served_context()) for served in load(endpoint)],
    )


def pairs(endpoint: str, model: type[R]) -> list[tuple[dict[str, Any], R]]:
    """Pairs of served records and their uncorrected adaptation."""
    record_pairs = []
    for served, record in zip(load(endpoint), uncorrected(endpoint), strict=True):
        assert isinstance(record, model)
        fields, _ = visible(served)
        assert isinstance(fields, dict)
        record_pairs.append((fields, record))
    assert record_pairs
    return record_pairs
