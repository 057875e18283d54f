"""The records in Milvus: Milvus Lite in a folder, or a Milvus server by URI. Everything here blocks.

Choices that were measured: FLAT with COSINE (Lite's HNSW loses hits under filters), Strong consistency, flush after
every write (unflushed rows are a hundred times slower to search), collections loaded and touched by one thread at open,
sorting in Python (``order_by`` is ignored). Each family has an alias for its current collection, so that a renewal is
swapped in at once. ``OpenStore`` keeps writes from overlapping.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from lorekeeper_mcp.embedding.quantization import from_text
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import StoreError, translate_errors
from lorekeeper_mcp.store.filter_expression import all_of, one_of
from lorekeeper_mcp.store.rows import HAS_VECTOR, Row, batches, brief_fields, from_store, to_store, versions
from lorekeeper_mcp.store.schema import ENCODER, PREFIX, collection_name, collection_schema, ledger_name
from lorekeeper_mcp.store.server.milvus_2_3 import knows_infix, spelled_out

_TIMEOUT = 10.0  # seconds for each call to Milvus
_MAX_ROWS = 16_384  # rows in one response of a Milvus server
_NO_ALIAS = 1600  # a Milvus server's code for a missing alias; Lite has only a text


class _Client:
    """The methods of a pymilvus client, each with the timeout and our errors."""

    def __init__(self, address: str, token: str) -> None:
        """Connect. Silences pymilvus: our own log line about an error is enough."""
        from pymilvus import MilvusClient  # noqa: PLC0415 - a second, only when Milvus is opened

        for name in ("pymilvus", "milvus_lite", "grpc"):
            logger = logging.getLogger(name)
            logger.handlers[:] = [logging.NullHandler()]
            logger.propagate = False
        try:
            with translate_errors():
                self.pymilvus = MilvusClient(address, token=token, timeout=_TIMEOUT)
        except ValueError as error:
            raise StoreError(str(error)[:200]) from error

    def __getattr__(self, name: str) -> Callable[..., Any]:  # Any, as pymilvus has no types
        return translate_errors()(partial(getattr(self.pymilvus, name), timeout=_TIMEOUT))


class MilvusStore:
    """One connection to the records. Reads may come from any thread; writes come one at a time. Raises StoreError."""

    def __init__(self, address: str, encoder: str, token: str = "") -> None:
        """Connect to a server, or to a folder, which this process then owns; create missing collections and load all.

        ``encoder`` identifies the embedding model: rows with vectors of another model count as rows without.
        """
        self._client = _Client(address, token)
        self._encoder = encoder
        self._infix = knows_infix(self._client.get_server_version())
        for family in (*Family, None):
            alias = ledger_name() if family is None else collection_name(family)
            if self._target(alias) is None:
                self._client.create_alias(self._create(alias, family), alias)
            self._client.load_collection(alias)

    def drop_others(self) -> None:
        """Drop our collections that are not current: of another version of the program, or of a killed process.

        Call it only where no other process can be building one.
        """
        current = {self._target(alias) for alias in (*map(collection_name, Family), ledger_name())}
        for name in self._client.list_collections():
            if name.startswith(PREFIX) and name not in current:
                self._client.drop_collection(name)

    def _target(self, alias: str) -> str | None:
        """The collection of an alias; None if the alias does not exist."""
        try:
            return str(self._client.describe_alias(alias)["collection_name"])
        except StoreError as error:
            code = getattr(error.__cause__, "code", None)
            if code == _NO_ALIAS or "does not exist" in str(error) or "not found" in str(error):
                return None
            raise

    def _create(self, alias: str, family: Family | None) -> str:
        """Create an empty collection for a family or for the ledger, and return its name."""
        client = self._client.pymilvus
        schema = collection_schema(client, family)
        name = f"{alias}_{time.time_ns() // 1_000_000:x}"
        index = client.prepare_index_params()
        index.add_index("embedding", index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(name, schema=schema, consistency_level="Strong")
        # Waiting for the index of an empty collection costs half a second of sleep in pymilvus.
        self._client.create_index(name, index, sync=False)
        return name

    def collection(self, family: Family) -> str:
        """The name of a family's current collection."""
        return self._target(collection_name(family)) or ""

    def close(self) -> None:
        """Close the connection. On Lite, ``milvus_folder`` then frees the lock."""
        self._client.pymilvus.close()

    # -- reading

    def scan(self, family: Family, fields: Sequence[str], expression: str = "") -> Iterator[Mapping[str, object]]:
        """Yield fields of every row that the expression selects, unordered. Queries in batches."""
        name, columns = collection_name(family), [ENCODER if field == HAS_VECTOR else field for field in fields]
        size = _MAX_ROWS // 4
        iterator = self._client.query_iterator(name, batch_size=size, filter=expression, output_fields=columns)
        with contextlib.closing(iterator), translate_errors():
            while rows := iterator.next():
                yield from (from_store(row, self._encoder) for row in rows)

    def catalog(self, family: Family, ids: Collection[str] | None = None, *more: str) -> Iterator[Mapping[str, object]]:
        """Yield the catalog's columns of all rows or of some, and ``more`` columns."""
        return self.scan(family, [*brief_fields(family), *more], "" if ids is None else one_of("id", ids))

    def versions(self, family: Family) -> dict[str, tuple[object, object]]:
        """The version of each row by id."""
        return versions(self.scan(family, ["id", "updated_at", HAS_VECTOR]))

    def _supported(self, family: Family, expression: str) -> str:
        """The expression in a form that the server supports."""
        if self._infix:
            return expression
        return spelled_out(expression, lambda column: {str(row[column]) for row in self.scan(family, ["id", column])})

    def ids(self, family: Family, expression: str) -> set[str]:
        """Ids of all rows that the expression selects."""
        expression = self._supported(family, expression)
        rows = self._client.query(collection_name(family), filter=expression, output_fields=["id"], limit=_MAX_ROWS)
        if len(rows) < _MAX_ROWS:
            return {row["id"] for row in rows}
        return {cast(str, row["id"]) for row in self.scan(family, ["id"], expression)}

    def nearest(self, family: Family, vector: Vector, expression: str, limit: int) -> list[tuple[str, float]]:
        """Return ids and cosine similarities of the selected rows nearest to the vector, best first.

        Rows without a vector of our encoder score 0.
        """
        limit = min(limit, _MAX_ROWS)
        with contextlib.suppress(ImportError):
            importlib.import_module("scipy.sparse")  # pymilvus 3.0.2's own import fails in two threads at once
        results = self._client.search(
            collection_name(family),
            data=[vector],
            anns_field="embedding",
            filter=all_of([self._supported(family, expression), one_of(ENCODER, [self._encoder])]),
            limit=limit,
            output_fields=["id"],
        )
        hits = {str(hit["id"]): float(hit["distance"]) for hit in results[0]}
        if len(hits) < limit or min(hits.values(), default=0.0) < 0:
            hits = dict.fromkeys(self.ids(family, expression), 0.0) | hits
        return sorted(hits.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]

    def payloads(self, family: Family, ids: Collection[str]) -> dict[str, str]:
        """Return the payloads of some ids; deleted ones are left out."""
        payloads: dict[str, str] = {}
        for _ in range(2):  # again for those that are deleted, or being replaced
            if missing := [id_ for id_ in ids if id_ not in payloads]:
                rows = self._client.get(collection_name(family), ids=missing, output_fields=["id", "payload"])
                payloads |= {row["id"]: row["payload"] for row in rows if "payload" in row}
        return payloads

    def passages(self, family: Family, ids: Iterable[str]) -> dict[str, bytes]:
        """Return the packed embeddings of some records' passages. Records without any are skipped."""
        fields = ["id", HAS_VECTOR, "passages"]
        rows = (row for batch in batches(ids) for row in self.scan(family, fields, one_of("id", batch)))
        return {str(row["id"]): from_text(str(row["passages"])) for row in rows if row["passages"]}

    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        stored = (self._client.get(collection_name(family), ids=batch, output_fields=["*"]) for batch in batches(ids))
        return [from_store(row, self._encoder) for rows in stored for row in rows]

    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        rows = self._client.query(ledger_name(), filter='id != ""', output_fields=["id", "entry"], limit=_MAX_ROWS)
        return {row["id"]: json.loads(row["entry"]) for row in rows}

    # -- writing

    def upsert(self, family: Family, rows: Sequence[Row]) -> None:
        """Store rows under their ids."""
        self._fill(collection_name(family), to_store(rows, self._encoder))

    def _fill(self, name: str, rows: Iterable[Row]) -> None:
        for batch in batches(rows):
            self._client.upsert(name, batch)
        self._client.flush(name)

    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Remove rows by id."""
        self._delete(collection_name(family), sorted(ids))

    def _delete(self, name: str, removed: Sequence[str]) -> None:
        for batch in batches(removed):
            self._client.delete(name, filter=one_of("id", batch))
        if removed:
            self._client.flush(name)

    def build(self, family: Family, rows: Iterable[Row]) -> str:
        """Fill a new collection that nobody reads yet, and return its name. It is dropped on failure."""
        name = self._create(collection_name(family), family)
        try:
            self._fill(name, to_store(rows, self._encoder))
            self._client.load_collection(name)
        except BaseException:  # interruptions too
            with contextlib.suppress(StoreError):  # the first error is the one to raise
                self._client.drop_collection(name)
            raise
        return name

    def swap(self, family: Family, name: str) -> None:
        """Make another collection the family's current one, and drop the old one."""
        old = self.collection(family)
        self._client.alter_alias(name, collection_name(family))
        self._client.drop_collection(old)

    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries; call it after the records that they describe are stored."""
        rows: list[Row] = [
            {"id": id_, "entry": json.dumps(entry), "embedding": [0.0, 1.0]} for id_, entry in entries.items()
        ]
        self._fill(ledger_name(), rows)

    def replace_ledger(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, and delete all others."""
        stored = self.ledger()
        self._delete(ledger_name(), sorted(stored.keys() - entries.keys()))
        self.note({id_: entry for id_, entry in entries.items() if stored.get(id_) != entry})
