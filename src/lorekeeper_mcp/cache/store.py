"""The records on disk: Milvus Lite in a folder, or a Milvus server by URI. Everything here blocks.

Idioms that this rests on, all measured: FLAT with COSINE (Lite's HNSW loses hits under filters), Strong
consistency, flush after every write (unflushed rows are a hundred times slower to search), collections
loaded and touched by one thread at open, one lock around writes, sorting in Python (``order_by`` is ignored).
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lorekeeper_mcp.cache.expression import one_of
from lorekeeper_mcp.cache.rows import NewRow, Row, Vector, decode_payload, to_row
from lorekeeper_mcp.cache.schema import PREFIX, collection_name, family_schema, ledger_name, ledger_schema
from lorekeeper_mcp.models import Family, Kind, Record, family_of

if TYPE_CHECKING:
    from pymilvus import MilvusClient
    from pymilvus.client.abstract import BaseIterator as QueryIterator

log = logging.getLogger(__name__)
TIMEOUT = 10.0  # seconds for each call to Milvus
_BATCH = 500
_MOST = 16_384  # rows that a Milvus server gives in one answer
_CATALOG_FIELDS = [
    "id",
    "kind",
    "key",
    "name",
    "document_key",
    "documents",
    "editions",
    "source",
    "replaceable",
    "has_vector",
    "created_at",
]


class StoreError(RuntimeError):
    """The store did not do what it was asked to, for instance because its owner has gone."""


class StoreUnavailableError(StoreError):
    """The store cannot be opened; the message is a sentence for the user."""


@contextlib.contextmanager
def _faults() -> Iterator[None]:
    """Milvus's own exceptions leave as ours."""
    from pymilvus import MilvusException  # noqa: PLC0415 - long loaded where a store is open

    try:
        yield
    except MilvusException as error:
        raise StoreError(f"Milvus: {str(error)[:200]}") from error


class Store:
    """One connection to the records. Reads may come from any thread, writes wait for each other."""

    def __init__(self, client: MilvusClient, lite_path: Path | None) -> None:
        self._client = client
        self._lite_path = lite_path
        self._writing = threading.Lock()
        self._names = {family: collection_name(family) for family in Family}
        self._ledger = ledger_name()
        self._prepare()

    def _prepare(self) -> None:
        """Create what is missing, drop what has an older shape, load all: once, from one thread."""
        wanted = {*self._names.values(), self._ledger}
        present = {name for name in self._client.list_collections(timeout=TIMEOUT) if name.startswith(PREFIX)}
        for name in sorted(present - wanted):
            log.warning("The cache had collection %s of an older format; it is built anew.", name)
            self._client.drop_collection(name, timeout=TIMEOUT)
        for family, name in self._names.items():
            if name not in present:
                self._create(name, family_schema(type(self._client), family))
        if self._ledger not in present:
            self._create(self._ledger, ledger_schema(type(self._client)))
        for name in sorted(wanted):
            self._client.load_collection(name, timeout=TIMEOUT)

    def _create(self, name: str, schema: object) -> None:
        index = self._client.prepare_index_params()
        index.add_index("embedding", index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(
            name, schema=schema, index_params=index, consistency_level="Strong", timeout=TIMEOUT
        )

    def close(self) -> None:
        """Close the connection and, on Lite, give the folder free (closing the client alone keeps its lock)."""
        with self._writing:
            self._client.close()
            if self._lite_path is not None:
                from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415 - loaded by open_store

                server_manager_instance.release_server(str(self._lite_path))

    def scan(self, family: Family, fields: Sequence[str], expression: str = "") -> Iterator[Mapping[str, object]]:
        """The fields of every row that the expression selects, in no order."""
        with _faults():
            iterator = self._client.query_iterator(
                self._names[family],
                batch_size=_MOST // 4,
                filter=expression,
                output_fields=list(fields),
                timeout=TIMEOUT,
            )
        try:
            while batch := _next(iterator):
                yield from batch
        finally:
            iterator.close()

    def catalog(self, family: Family) -> Iterator[Mapping[str, object]]:
        """What is kept in memory of every row."""
        return self.scan(family, _CATALOG_FIELDS)

    @_faults()
    def ids(self, family: Family, expression: str) -> set[str]:
        """Ids of all rows that the expression selects."""
        rows = self._client.query(
            self._names[family], filter=expression, output_fields=["id"], limit=_MOST, timeout=TIMEOUT
        )
        if len(rows) < _MOST:
            return {row["id"] for row in rows}
        return {cast(str, row["id"]) for row in self.scan(family, ["id"], expression)}

    @_faults()
    def nearest(self, family: Family, vector: Vector, expression: str, limit: int) -> list[tuple[str, float]]:
        """Ids and cosine similarities of the rows nearest to the vector among those selected, best first."""
        found = self._client.search(
            self._names[family],
            data=[vector],
            anns_field="embedding",
            filter=expression,
            limit=min(limit, _MOST),
            output_fields=["id"],
            timeout=TIMEOUT,
        )
        hits = [(hit["id"], float(hit["distance"])) for hit in found[0]]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    @_faults()
    def records(self, kind_of_id: Mapping[str, Kind]) -> dict[str, Record]:
        """The whole records of some ids, by id."""
        by_family: dict[Family, list[str]] = {}
        for id_, kind in kind_of_id.items():
            by_family.setdefault(family_of(kind), []).append(id_)
        found: dict[str, Record] = {}
        for family, ids in by_family.items():
            rows = self._client.get(
                self._names[family], ids=ids, output_fields=["id", "kind", "payload"], timeout=TIMEOUT
            )
            found |= {row["id"]: decode_payload(Kind(row["kind"]), row["payload"]) for row in rows}
        return found

    @_faults()
    def upsert(self, rows: Iterable[NewRow], created: Mapping[str, int], now: int | None = None) -> None:
        """Store records, each under its id. ``created`` keeps the first time of those already there."""
        at = int(time.time()) if now is None else now
        by_family: dict[Family, list[Row]] = {}
        for new in rows:
            row = to_row(new, created_at=created.get(new.record.id, at), updated_at=at)
            by_family.setdefault(family_of(new.record.kind), []).append(row)
        with self._writing:
            for family, batch in by_family.items():
                for start in range(0, len(batch), _BATCH):
                    self._client.upsert(self._names[family], batch[start : start + _BATCH], timeout=TIMEOUT)
                self._client.flush(self._names[family], timeout=TIMEOUT)

    @_faults()
    def set_vectors(self, family: Family, vectors: Mapping[str, Vector]) -> None:
        """Give rows their embeddings; rows that are gone by now are passed over."""
        with self._writing:
            rows = self._client.get(self._names[family], ids=list(vectors), output_fields=["*"], timeout=TIMEOUT)
            for row in rows:
                row["embedding"], row["has_vector"] = vectors[row["id"]], 1
            if rows:
                self._client.upsert(self._names[family], rows, timeout=TIMEOUT)
                self._client.flush(self._names[family], timeout=TIMEOUT)

    @_faults()
    def delete(self, family: Family, ids: Iterable[str]) -> None:
        """Remove rows by id."""
        gone = sorted(ids)
        with self._writing:
            for start in range(0, len(gone), _BATCH):
                self._client.delete(
                    self._names[family], filter=one_of("id", gone[start : start + _BATCH]), timeout=TIMEOUT
                )
            if gone:
                self._client.flush(self._names[family], timeout=TIMEOUT)

    @_faults()
    def ledger(self) -> dict[str, dict[str, object]]:
        """Every entry of the ledger by its id."""
        rows = self._client.query(
            self._ledger, filter='id != ""', output_fields=["id", "entry"], limit=_MOST, timeout=TIMEOUT
        )
        return {row["id"]: json.loads(row["entry"]) for row in rows}

    @_faults()
    def note(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        """Write entries into the ledger, after what they tell of has been stored."""
        rows = [{"id": id_, "entry": json.dumps(entry), "embedding": [0.0, 1.0]} for id_, entry in entries.items()]
        with self._writing:
            self._client.upsert(self._ledger, rows, timeout=TIMEOUT)
            self._client.flush(self._ledger, timeout=TIMEOUT)


@_faults()
def _next(iterator: QueryIterator) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = iterator.next()
    return rows
