"""From Open5e's pages to stored records: read, put, and rid of what Open5e no longer has."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lorekeeper_mcp.models import Document, Equipment, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.sources.features import with_features
from lorekeeper_mcp.sources.open5e.adapters import AdaptError, Context, to_record
from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.requests import Request
from lorekeeper_mcp.sources.parent_links import with_children
from lorekeeper_mcp.store.cache import Cache, PendingRecord
from lorekeeper_mcp.store.memory.catalog import Entry, feature_parent
from lorekeeper_mcp.sync.fetch_ledger import Fetched

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """How far a request is: records stored so far, of how many."""

    request: Request
    done: int
    total: int


@dataclass
class _Batch:
    """What the pages of a request brought."""

    records: dict[str, Record] = field(default_factory=dict)
    served: int = 0
    unreadable: int = 0


class Ingestor:
    """Takes in what Open5e serves. ``tell`` hears of each page, ``give_way`` is awaited before one is stored."""

    def __init__(self, client: Open5eClient | None, cache: Cache) -> None:
        self._client = client
        self._cache = cache
        self._documents: dict[str, Document] = {}
        self._items: dict[str, Equipment] = {}  # collected, and not yet stored

    async def store(
        self, request: Request, tell: Callable[[Progress], None], give_way: Callable[[], Awaitable[None]]
    ) -> Fetched:
        """Store each page as it comes. Raises UpstreamError where Open5e fails, StoreError where the cache does."""
        seen: set[str] = set()
        served = unreadable = 0
        async for batch, total in self._batches(request):
            await give_way()
            fresh = [record for id_, record in batch.records.items() if id_ not in seen]
            await self._cache.put([PendingRecord(record) for record in fresh])
            seen |= batch.records.keys()
            served, unreadable = served + batch.served, unreadable + batch.unreadable
            tell(Progress(request, served, total))
        if not request.params:
            gone = is_superseded(request, seen)
            await self._cache.delete([entry for entry in self._cache.catalog if gone(entry)])
        if request.path == "v2/documents":
            self._documents = {}
        return Fetched(request, time.time(), served, unreadable)

    async def collect(self, request: Request, tell: Callable[[Progress], None]) -> tuple[list[Record], Fetched]:
        """All records of a request at once, stored by nobody yet. Raises UpstreamError."""
        records: dict[str, Record] = {}
        served = unreadable = 0
        async for batch, total in self._batches(request):
            records |= batch.records
            served, unreadable = served + batch.served, unreadable + batch.unreadable
            tell(Progress(request, served, total))
        if request.path == "v2/documents":
            self._documents = {r.key: r for r in records.values() if isinstance(r, Document)}
        if request.path == "v2/items":
            self._items = {r.key: r for r in records.values() if isinstance(r, Equipment)}
        return list(records.values()), Fetched(request, time.time(), served, unreadable)

    async def _batches(self, request: Request) -> AsyncIterator[tuple[_Batch, int]]:
        if self._client is None:
            raise UpstreamError("may not be asked")
        async for served, total in self._client.pages(request):
            context = await self._context(request)
            batch, faults = await asyncio.to_thread(_adapt_all, request.path, served, context)
            for fault in faults:
                log.warning("A record of Open5e was left out: %s", fault)
            yield batch, total

    async def _context(self, request: Request) -> Context:
        """What the adapters look up: documents for licence and edition, items for cost and weight."""
        if not self._documents and request.path != "v2/documents":
            entries = self._cache.catalog.among(Family.RULES, frozenset({Kind.DOCUMENT}))
            records = await self._cache.records(entries)
            self._documents = {r.key: r for r in records.values() if isinstance(r, Document)}
        items: dict[str, Equipment] = {}
        if "v2/items" in request.endpoint.requires:  # a few hundred; some armor is listed there under another key
            entries = self._cache.catalog.among(Family.EQUIPMENT, frozenset({Kind.ITEM}))
            items = {r.key: r for r in (await self._cache.records(entries)).values() if isinstance(r, Equipment)}
        return Context(self._documents, items | self._items)


def is_superseded(request: Request, seen: set[str]) -> Callable[[Entry], bool]:
    """Once a whole endpoint is here: which entries it no longer has, and which embedded ones it replaces.

    Imported books are of another source and stay.
    """
    source = Source.OPEN5E_V1 if request.path.startswith("v1/") else Source.OPEN5E_V2
    kinds, only = request.endpoint.kinds, request.endpoint.documents

    def gone(entry: Entry) -> bool:
        if entry.kind not in kinds or entry.id in seen:
            return False
        if entry.kind is Kind.FEATURE and feature_parent(entry) not in kinds:  # a trait is none of a class's features
            return False
        withdrawn = entry.source is source and (only is None or entry.document_key in only)
        return withdrawn or (entry.replaceable and source is Source.OPEN5E_V2)

    return gone


def families_of(request: Request) -> set[Family]:
    """The families that an endpoint's records belong to: one, as the endpoints are cut."""
    return {family_of(kind) for kind in request.endpoint.kinds}


def _adapt_all(path: str, served: Sequence[Mapping[str, object]], context: Context) -> tuple[_Batch, list[str]]:
    records, faults = [], []
    for raw in served:
        try:
            records.append(to_record(path, raw, context))
        except AdaptError as error:
            faults.append(str(error))
    by_id = {record.id: record for record in with_features(with_children(records))}
    return _Batch(by_id, len({record.id for record in records}), len(faults)), faults
