"""Fetching from Open5e into the cache: each request once, to its end, whoever waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lorekeeper_mcp.cache.cache import Arrival, Cache
from lorekeeper_mcp.models import Document, Equipment, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.repository.holdings import Fetched, Holdings
from lorekeeper_mcp.sources.open5e.adapters import AdaptError, Context, adapt
from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH, endpoints_of
from lorekeeper_mcp.sources.open5e.requests import Request, by_keys, whole

log = logging.getLogger(__name__)


class State(Enum):
    """How far a request is answered."""

    HELD = "held"
    STALE = "stale"  # held, past its time, and not to be renewed now
    PENDING = "pending"
    FAILED = "failed"
    OFFLINE = "offline"


@dataclass(frozen=True)
class Status:
    """A request and how far it is answered; ``at`` is when, ``reason`` why not."""

    request: Request
    state: State
    at: float | None = None
    reason: str = ""
    unreadable: int = 0

    @property
    def answered(self) -> bool:
        """Whether all that Open5e had for the request is in the cache."""
        return self.state in (State.HELD, State.STALE)


class Fetcher:
    """Owns the requests under way. ``client`` is None where the network must not be used."""

    def __init__(self, client: Open5eClient | None, cache: Cache, holdings: Holdings) -> None:
        self._client = client
        self._cache = cache
        self._holdings = holdings
        self._tasks: dict[Request, tuple[asyncio.Task[None], float]] = {}
        self._documents: dict[str, Document] = {}

    async def aclose(self) -> None:
        """Stop what is under way; what was stored stays."""
        tasks = [task for task, _ in self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()

    def missing(self, requests: Iterable[Request]) -> list[Request]:
        """Those of the requests that no earlier one covers."""
        return [request for request in requests if self._holdings.held(request) is None]

    async def ensure(self, requests: Iterable[Request], seconds: float) -> list[Status]:
        """Have each request answered; after so many seconds what is not yet here goes on without the caller.

        The time runs from when a request was started, so that a second caller does not wait as long again.
        """
        wanted = list(requests)
        started = [found for request in wanted if (found := self._start(request))]
        if started:
            now = time.monotonic()
            longest = max(max(0.05, began + seconds - now) for _, began in started)
            await asyncio.wait({task for task, _ in started}, timeout=longest)
        return [self._status(request) for request in wanted]

    def _start(self, request: Request) -> tuple[asyncio.Task[None], float] | None:
        """The task that answers the request, a running one where one covers it; None where none is needed."""
        held = self._holdings.held(request)
        if (held and self._holdings.fresh(held)) or self._client is None or self._holdings.recent_failure(request):
            return None
        for running, found in self._tasks.items():
            if running.covers(request):
                return found
        task = asyncio.create_task(self._fetch(request, self._client), name=f"fetch {request.id}")
        self._tasks[request] = (task, time.monotonic())
        task.add_done_callback(lambda _: self._tasks.pop(request, None))
        return self._tasks[request]

    def _status(self, request: Request) -> Status:
        held = self._holdings.held(request)
        if held:
            state = State.HELD if self._holdings.fresh(held) else State.STALE
            return Status(request, state, held.at, unreadable=held.unreadable)
        if self._client is None:
            return Status(request, State.OFFLINE)
        if reason := self._holdings.recent_failure(request):
            return Status(request, State.FAILED, reason=reason)
        return Status(request, State.PENDING)

    async def _fetch(self, request: Request, client: Open5eClient) -> None:
        try:
            for path in request.endpoint.requires:
                await self._require(path)
            seen, unreadable = await self._store_pages(request, client)
        except UpstreamError as error:
            # One trouble hits many requests; it is said once.
            level = logging.INFO if self._holdings.troubled() else logging.WARNING
            log.log(level, "Open5e %s when asked for %s.", error, request.path)
            self._holdings.failed(request, str(error))
            return
        if not request.params:
            await self._drop_gone(request, seen)
        fetched = Fetched(request, time.time(), len(seen), unreadable)
        await self._cache.note(fetched.entry())
        self._holdings.fetched(fetched)

    async def _require(self, path: str) -> None:
        """Have an endpoint whole that the records of another need."""
        needed = whole(path)
        if found := self._start(needed):
            await asyncio.wait({found[0]})
        if self._holdings.held(needed) is None:
            raise UpstreamError(self._holdings.recent_failure(needed) or "gave no list of documents")

    async def _store_pages(self, request: Request, client: Open5eClient) -> tuple[set[str], int]:
        """Store each page as it comes; ids of what was stored, and how many records could not be read."""
        seen: set[str] = set()
        unreadable = 0
        async for served in client.pages(request):
            context = await self._context(request)
            records, faults = await asyncio.to_thread(_adapt_all, request.path, served, context)
            fresh = {record.id: record for record in records if record.id not in seen}
            await self._cache.put([Arrival(record) for record in fresh.values()])
            seen |= fresh.keys()
            unreadable += len(faults)
            for fault in faults:
                log.warning("A record of Open5e was left out: %s", fault)
        return seen, unreadable

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
        return Context(self._documents, items)

    async def _drop_gone(self, request: Request, seen: set[str]) -> None:
        """A whole endpoint has been stored: drop what it no longer has, and embedded records it replaces."""
        source = Source.OPEN5E_V1 if request.path.startswith("v1/") else Source.OPEN5E_V2
        kinds = request.endpoint.kinds
        only = request.endpoint.documents
        await self._cache.delete(
            entry
            for family in {family_of(kind) for kind in kinds}
            for entry in self._cache.catalog.among(family, kinds)
            if entry.id not in seen
            and (
                (entry.source is source and (only is None or entry.document_key in only))
                or (entry.replaceable and source is Source.OPEN5E_V2)
            )
        )

    async def find(self, text: str, kinds: frozenset[Kind], seconds: float) -> None:
        """Fetch what Open5e's unified search finds among records that are not all held; quiet where it fails."""
        if self._client is None or self._holdings.recent_failure(Request("v2/search")):
            return
        models = [
            (endpoint.path, endpoint.searchable_as)
            for endpoint in endpoints_of(kinds)
            if endpoint.searchable_as and self._holdings.held(whole(endpoint.path)) is None
        ]
        searches = [asyncio.create_task(self._find(text, model, self._client)) for _, model in models]
        if searches:
            _, late = await asyncio.wait(searches, timeout=seconds)
            for task in late:
                task.cancel()

    async def _find(self, text: str, model: str, client: Open5eClient) -> None:
        try:
            hits = await client.search(text, model)
            missing: dict[str, set[str]] = {}
            for hit in hits:
                if not self._holds(hit.path, hit.key):
                    missing.setdefault(hit.path, set()).add(hit.key)
            for path, keys in missing.items():
                for request in by_keys(path, keys):
                    for needed in request.endpoint.requires:
                        await self._require(needed)
                    await self._store_pages(request, client)
        except UpstreamError as error:
            log.warning("Open5e %s when searched for %s.", error, model)
            self._holdings.failed(Request("v2/search"), str(error))

    def _holds(self, path: str, key: str) -> bool:
        """Whether a record found by search is held already, or is of no endpoint that is used."""
        endpoint = BY_PATH.get(path)
        return endpoint is None or any(
            (entry := self._cache.catalog.get(family_of(kind), f"{kind}:{key}")) and entry.source is Source.OPEN5E_V2
            for kind in endpoint.kinds
        )


def _adapt_all(path: str, served: Sequence[Mapping[str, object]], context: Context) -> tuple[list[Record], list[str]]:
    records, faults = [], []
    for raw in served:
        try:
            records.append(adapt(path, raw, context))
        except AdaptError as error:
            faults.append(str(error))
    return records, faults
