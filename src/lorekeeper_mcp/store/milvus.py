"""The records in Milvus: Milvus Lite in a folder, or a Milvus server by URI. Everything here blocks.

Choices that were measured: FLAT with COSINE (Lite's HNSW loses hits under filters), Strong consistency, lists packed as
text (``array_contains`` takes a second), flush after many writes (unflushed rows are a hundred times slower to search),
collections loaded and touched by one thread at open (Lite loses writes otherwise), sorting in Python (``order_by`` is
ignored). Each family has an alias for its current collection, so that one with other columns is swapped in at once.
``OpenStore`` keeps writes from overlapping.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import logging
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from lorekeeper_mcp.embedding.vector import DIMENSION, Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import StoreError, StoreUnavailableError, translate_errors
from lorekeeper_mcp.store.filter_expression import all_of, literal, one_of
from lorekeeper_mcp.store.rows import DATA, PREFIX, Row, absent_values, batches, brief_fields, collection_name

log = logging.getLogger(__name__)
_TIMEOUT = 10.0  # seconds for each call to Milvus
_MAX_ROWS = 16_384  # rows in one response of a Milvus server
_MAX_UNFLUSHED = 1000  # rows of a family, each of which costs a search some 40 microseconds
_M_ARENA_MAX = -8  # of glibc's malloc.h
# pymilvus pings every ten seconds; after two idle minutes Milvus Lite closes the connection, and gRPC prints an error.
_QUIET_WHEN_IDLE = {"grpc.keepalive_permit_without_calls": False}


def spare_memory() -> None:
    """Return freed memory to the system, before Milvus Lite and its threads take some.

    Measured on all of Open5e: 500 MB instead of 710. Two heaps are enough for our threads, and Arrow's own allocator
    keeps what opening a collection needs once.
    """
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    with contextlib.suppress(OSError, AttributeError, TypeError):  # not glibc
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


class _Client:
    """The methods of a pymilvus client, each with the timeout and our errors."""

    def __init__(self, address: str, token: str) -> None:
        """Connect. Silences pymilvus: our own log line about an error is enough."""
        from pymilvus import MilvusClient  # noqa: PLC0415 - a second, only when Milvus is opened

        for name in ("pymilvus", "milvus_lite", "grpc"):
            logger = logging.getLogger(name)
            logger.handlers[:] = [logging.NullHandler()]
            logger.propagate = False
        with contextlib.suppress(ImportError):
            importlib.import_module("scipy.sparse")  # pymilvus 3.0.2's own import fails in two threads at once
        try:
            with translate_errors():
                self.pymilvus = MilvusClient(address, token=token, timeout=_TIMEOUT, grpc_options=_QUIET_WHEN_IDLE)
        except (StoreError, ValueError) as error:
            if "://" in address:
                raise StoreUnavailableError(f"The Milvus server at {address} does not answer.") from error
            raise error if isinstance(error, StoreError) else StoreError(str(error)[:200]) from error

    def __getattr__(self, name: str) -> Callable[..., Any]:  # Any, as pymilvus has no types
        return translate_errors()(partial(getattr(self.pymilvus, name), timeout=_TIMEOUT))


class MilvusStore:
    """One connection to the records. Reads may come from any thread; writes come one at a time. Raises StoreError."""

    def __init__(
        self, address: str, encoder: str, token: str = "", before_change: Callable[[], object] = lambda: None
    ) -> None:
        """Connect to a server, or to a folder, which this process then owns; create missing collections and load all.

        ``encoder`` identifies the embedding model: vectors of another one are not compared with a question's.
        ``before_change`` is called before collections are created or replaced.
        """
        self._client = _Client(address, token)
        self._encoder, self._is_server = encoder, "://" in address
        # A killed process may have left some.
        self._unflushed = dict.fromkeys(map(collection_name, (*Family, None)), 1)
        for family in (*Family, None):
            alias = collection_name(family)
            if self._target(alias) is None:
                before_change()
                self._client.create_alias(self._create(alias, family), alias)
            self._client.load_collection(alias)
            fields = {field["name"] for field in self._client.describe_collection(alias)["fields"]}
            if fields != _field_types(family).keys():
                before_change()
                self._replace_columns(family)

    def _target(self, alias: str) -> str | None:
        """The collection of an alias; None if the alias does not exist."""
        exists = self._client.has_collection(alias)
        return str(self._client.describe_collection(alias)["collection_name"]) if exists else None

    def _create(self, alias: str, family: Family | None) -> str:
        """Create an empty collection for a family or for the ledger, and return its name."""
        from pymilvus import DataType  # noqa: PLC0415 - imported with the client

        client, name = self._client.pymilvus, f"{alias}_{time.time_ns() // 1_000_000:x}"
        schema, index = client.create_schema(auto_id=False, enable_dynamic_field=False), client.prepare_index_params()
        for field, type_ in _field_types(family).items():
            if field == "embedding":
                schema.add_field(field, DataType.FLOAT_VECTOR, dim=type_)
            elif isinstance(type_, int):
                schema.add_field(field, DataType.VARCHAR, is_primary=field == "id", max_length=type_)
            else:
                schema.add_field(field, DataType[type_])
        index.add_index("embedding", index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(name, schema=schema, consistency_level="Strong")
        # Waiting for the index of an empty collection costs half a second of sleep in pymilvus.
        self._client.create_index(name, index, sync=False)
        return name

    def _replace_columns(self, family: Family | None) -> None:
        """Copy rows of another version to a collection with our columns, which are absent until derived again."""
        alias = collection_name(family)
        log.info("%s is given new columns.", alias)
        name, old, ours = self._create(alias, family), self._target(alias), _field_types(family).keys()
        absent = absent_values(family) if family else {}
        for batch in batches(self.scan(family, ["*"])):
            self._client.upsert(name, [absent | {key: row[key] for key in row.keys() & ours} for row in batch])
        self._client.flush(name)
        self._client.load_collection(name)
        self._client.alter_alias(name, alias)
        self._client.drop_collection(old)

    def recover(self) -> None:
        """Drop drafts of a killed process, and flush what it wrote. Only where no other process can be writing."""
        current = {self._target(alias) for alias in self._unflushed}
        for name in self._client.list_collections():
            if name.startswith(PREFIX) and name not in current:
                self._client.drop_collection(name)
        self.flush()

    def close(self) -> None:
        """Close the connection, which leaves Milvus Lite's lock taken."""
        self._client.pymilvus.close()

    # -- reading

    def scan(self, family: Family | None, fields: Collection[str]) -> Iterator[Row]:
        """Yield fields of every row of a family or of the ledger, ordered by id. Queries in batches.

        Pages as pymilvus's ``query_iterator`` does, which fails at ids with quotes or backslashes.
        """
        name, last = collection_name(family), ""
        ordered = {"limit": _MAX_ROWS // 4, "iterator": "True", "reduce_stop_for_best": True}
        while rows := self._client.query(name, filter=f"id > {literal(last)}", output_fields=list(fields), **ordered):
            last = rows[-1]["id"]
            yield from rows

    def rows(self, family: Family, ids: Iterable[str], fields: Collection[str] = ("*",)) -> Iterator[Row]:
        """Yield some rows, with all columns or some. Unknown ids are skipped."""
        for batch in batches(ids):
            yield from self._client.get(collection_name(family), ids=batch, output_fields=list(fields))

    def nearest(self, family: Family, vector: Vector, expression: str, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the selected rows nearest to the vector, best first, ties by id.

        Rows without a vector of our model are left out.
        """
        hits = self._client.search(
            collection_name(family),
            data=[vector],
            anns_field="embedding",
            filter=all_of([expression, one_of("encoder", [self._encoder])]),
            limit=max(1, min(limit, _MAX_ROWS)),
            output_fields=["id"],
        )[0]
        return sorted(((str(hit["id"]), float(hit["distance"])) for hit in hits), key=lambda hit: (-hit[1], hit[0]))

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        return {str(row["id"]): json.loads(str(row["entry"])) for row in self.scan(None, ["id", "entry"])}

    # -- writing

    def upsert(self, family: Family, rows: Iterable[Row]) -> None:
        """Store rows under their ids. A kill loses none of them, but ``flush`` makes them quick to search."""
        for batch in batches(rows):
            self._change(collection_name(family), len(batch), partial(self._client.upsert, data=batch))

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Remove rows by id."""
        for batch in batches(sorted(ids)):
            self._change(collection_name(family), len(batch), partial(self._client.delete, filter=one_of("id", batch)))

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, once everything stored before is flushed."""
        self.flush()
        rows = [{"id": id_, "entry": json.dumps(entry), "embedding": [0.0, 1.0]} for id_, entry in entries.items()]
        self._change(collection_name(None), len(rows), partial(self._client.upsert, data=rows))
        self.flush()

    def _change(self, name: str, count: int, change: Callable[[str], object]) -> None:
        change(name)
        self._unflushed[name] += count
        self.flush(_MAX_UNFLUSHED)

    def flush(self, least: int = 1) -> None:
        """Flush every collection of Milvus Lite that has changed; a server does it itself, and takes a second for it.

        If it fails, Lite hides the rows until it is opened again.
        """
        for name, count in self._unflushed.items():
            if count >= least and not self._is_server:
                self._client.flush(name)
                self._unflushed[name] = 0


def _field_types(family: Family | None) -> Mapping[str, int | str]:
    """The fields of a collection: the size of a text, the type of a number, the dimension of the vector."""
    if family is None:  # Milvus requires a vector in every collection
        return {"id": 4096, "entry": DATA["payload"], "embedding": 2}
    return {**brief_fields(family), **DATA, "embedding": DIMENSION}
