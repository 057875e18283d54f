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
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from lorekeeper_mcp.embedding.quantization import from_text
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import StoreError, translate_errors
from lorekeeper_mcp.store.filter_expression import all_of, one_of
from lorekeeper_mcp.store.lite.milvus_connection import TIMEOUT
from lorekeeper_mcp.store.rows import HAS_VECTOR, Row, batches, brief_fields, from_store, to_store, versions
from lorekeeper_mcp.store.schema import ENCODER, PREFIX, collection_name, family_schema, ledger_name, ledger_schema
from lorekeeper_mcp.store.server.milvus_2_3 import spelled_out

if TYPE_CHECKING:
    from pymilvus import MilvusClient
    from pymilvus.client.abstract import BaseIterator as QueryIterator

_MAX_ROWS = 16_384  # rows in one response of a Milvus server
_NO_ALIAS = 1600  # a Milvus server's code for a missing alias; Lite has only a text


class MilvusStore:
    """One connection to the records. Reads may come from any thread; writes come one at a time."""

    def __init__(self, client: MilvusClient, encoder: str, *, infix: bool = True) -> None:
        """``encoder`` identifies the embedding model: rows with vectors of another model count as rows without.

        ``infix`` says whether the server supports patterns that begin with ``%``.
        """
        self._client = client
        self._encoder = encoder
        self._infix = infix

    @translate_errors()
    def prepare(self) -> None:
        """Create missing collections and load all: once, from one thread."""
        for family in (*Family, None):
            alias = ledger_name() if family is None else collection_name(family)
            if self._target(alias) is None:
                self._client.create_alias(self._create(alias, family), alias, timeout=TIMEOUT)
            self._client.load_collection(alias, timeout=TIMEOUT)

    @translate_errors()
    def drop_others(self) -> None:
        """Drop our collections that are not current: of another version of the program, or of a killed process.

        Call it only where no other process can be building one.
        """
        current = {self._target(alias) for alias in (*map(collection_name, Family), ledger_name())}
        for name in self._client.list_collections(timeout=TIMEOUT):
            if name.startswith(PREFIX) and name not in current:
                self._client.drop_collection(name, timeout=TIMEOUT)

    def _target(self, alias: str) -> str | None:
        """The collection of an alias; None if the alias does not exist."""
        from pymilvus import MilvusException  # noqa: PLC0415 - long loaded where a store is open

        try:
            return str(self._client.describe_alias(alias, timeout=TIMEOUT)["collection_name"])
        except MilvusException as error:
            if error.code == _NO_ALIAS or "does not exist" in str(error) or "not found" in str(error):
                return None
            raise

    def _create(self, alias: str, family: Family | None) -> str:
        """Create an empty collection for a family or for the ledger, and return its name."""
        client = type(self._client)
        schema = ledger_schema(client) if family is None else family_schema(client, family)
        name = f"{alias}_{time.time_ns() // 1_000_000:x}"
        index = self._client.prepare_index_params()
        index.add_index("embedding", index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(name, schema=schema, consistency_level="Strong", timeout=TIMEOUT)
        # Waiting for the index of an empty collection costs half a second of sleep in pymilvus.
        self._client.create_index(name, index, sync=False, timeout=TIMEOUT)
        return name

    @translate_errors()
    def collection(self, family: Family) -> str:
        """The name of a family's current collection."""
        return self._target(collection_name(family)) or ""

    def close(self) -> None:
        """Close the connection. On Lite, ``milvus_connection.release_lock`` frees the folder."""
        self._client.close()

    # -- reading

    def scan(self, family: Family, fields: Sequence[str], expression: str = "") -> Iterator[Mapping[str, object]]:
        """Yield fields of every row that the expression selects, unordered. Queries in batches."""
        name, columns = collection_name(family), [ENCODER if field == HAS_VECTOR else field for field in fields]
        with translate_errors():
            iterator = self._client.query_iterator(
                name, batch_size=_MAX_ROWS // 4, filter=expression, output_fields=columns, timeout=TIMEOUT
            )
        try:
            while rows := _next(iterator):
                yield from (from_store(row, self._encoder) for row in rows)
        finally:
            iterator.close()

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

    @translate_errors()
    def ids(self, family: Family, expression: str) -> set[str]:
        """Ids of all rows that the expression selects."""
        expression = self._supported(family, expression)
        rows = self._client.query(
            collection_name(family), filter=expression, output_fields=["id"], limit=_MAX_ROWS, timeout=TIMEOUT
        )
        if len(rows) < _MAX_ROWS:
            return {row["id"] for row in rows}
        return {cast(str, row["id"]) for row in self.scan(family, ["id"], expression)}

    @translate_errors()
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
            timeout=TIMEOUT,
        )
        hits = {str(hit["id"]): float(hit["distance"]) for hit in results[0]}
        if len(hits) < limit or min(hits.values(), default=0.0) < 0:
            hits = dict.fromkeys(self.ids(family, expression), 0.0) | hits
        return sorted(hits.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]

    @translate_errors()
    def payloads(self, family: Family, ids: Collection[str]) -> dict[str, str]:
        """Return the payloads of some ids; deleted ones are left out."""
        payloads: dict[str, str] = {}
        for _ in range(2):  # again for those that are deleted, or being replaced
            if missing := [id_ for id_ in ids if id_ not in payloads]:
                rows = self._client.get(
                    collection_name(family), ids=missing, output_fields=["id", "payload"], timeout=TIMEOUT
                )
                payloads |= {row["id"]: row["payload"] for row in rows if "payload" in row}
        return payloads

    def passages(self, family: Family, ids: Iterable[str]) -> dict[str, bytes]:
        """Return the packed embeddings of some records' passages. Records without any are skipped."""
        fields = ["id", HAS_VECTOR, "passages"]
        rows = (row for batch in batches(ids) for row in self.scan(family, fields, one_of("id", batch)))
        return {str(row["id"]): from_text(str(row["passages"])) for row in rows if row["passages"]}

    @translate_errors()
    def rows(self, family: Family, ids: Iterable[str]) -> list[Row]:
        """Return all columns of some rows. Unknown ids are skipped."""
        stored: list[Row] = []
        for batch in batches(ids):
            stored += self._client.get(collection_name(family), ids=batch, output_fields=["*"], timeout=TIMEOUT)
        return [from_store(row, self._encoder) for row in stored]

    @translate_errors()
    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        rows = self._client.query(
            ledger_name(), filter='id != ""', output_fields=["id", "entry"], limit=_MAX_ROWS, timeout=TIMEOUT
        )
        return {row["id"]: json.loads(row["entry"]) for row in rows}

    # -- writing

    @translate_errors()
    def upsert(self, family: Family, rows: Sequence[Row]) -> None:
        """Store rows under their ids."""
        self._fill(collection_name(family), to_store(rows, self._encoder))

    def _fill(self, name: str, rows: Iterable[Row]) -> None:
        for batch in batches(rows):
            self._client.upsert(name, batch, timeout=TIMEOUT)
        self._client.flush(name, timeout=TIMEOUT)

    @translate_errors()
    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Remove rows by id."""
        self._delete(collection_name(family), sorted(ids))

    def _delete(self, name: str, removed: Sequence[str]) -> None:
        for batch in batches(removed):
            self._client.delete(name, filter=one_of("id", batch), timeout=TIMEOUT)
        if removed:
            self._client.flush(name, timeout=TIMEOUT)

    @translate_errors()
    def build(self, family: Family, rows: Iterable[Row]) -> str:
        """Fill a new collection that nobody reads yet, and return its name. It is dropped on failure."""
        name = self._create(collection_name(family), family)
        try:
            self._fill(name, to_store(rows, self._encoder))
            self._client.load_collection(name, timeout=TIMEOUT)
        except BaseException:  # interruptions too
            with contextlib.suppress(StoreError), translate_errors():  # the first error is the one to raise
                self._client.drop_collection(name, timeout=TIMEOUT)
            raise
        return name

    @translate_errors()
    def swap(self, family: Family, name: str) -> None:
        """Make another collection the family's current one, and drop the old one."""
        old = self.collection(family)
        self._client.alter_alias(name, collection_name(family), timeout=TIMEOUT)
        self._client.drop_collection(old, timeout=TIMEOUT)

    @translate_errors()
    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries; call it after the records that they describe are stored."""
        rows: list[Row] = [
            {"id": id_, "entry": json.dumps(entry), "embedding": [0.0, 1.0]} for id_, entry in entries.items()
        ]
        self._fill(ledger_name(), rows)

    @translate_errors()
    def replace_ledger(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write ledger entries, and delete all others."""
        stored = self.ledger()
        self._delete(ledger_name(), sorted(stored.keys() - entries.keys()))
        self.note({id_: entry for id_, entry in entries.items() if stored.get(id_) != entry})


@translate_errors()
def _next(iterator: QueryIterator) -> list[Row]:
    rows: list[Row] = iterator.next()
    return rows
