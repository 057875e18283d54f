"""Fetches from Open5e into the cache: each request once and to its end, whoever waits for it.

Stored records are served at once. Stale ones are refreshed in the background, all endpoints of a family together. Every
failure is recorded: no request stays pending without a task that works on it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from lorekeeper_mcp.sources.open5e.requests import Request, whole
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError, StoreFullError
from lorekeeper_mcp.store.ledger import encode
from lorekeeper_mcp.sync.fetch_ledger import Fetched, FetchLedger, FetchState, FetchStatus, Refused
from lorekeeper_mcp.sync.fetch_tasks import FetchTasks, Running
from lorekeeper_mcp.sync.ingest import Collected, Ingestor, families_of, own_entries
from lorekeeper_mcp.sync.list_sizes import ListRefusedError

log = logging.getLogger(__name__)
_YIELD_SECONDS = 3.0  # how long a page that no caller awaits yields to answers


class Fetcher:
    """Owns the running requests. ``client`` is None if the network must not be used.

    ``busy`` says whether answers are in progress: fetches that no caller awaits yield to them.
    """

    def __init__(
        self, client: Open5eClient | None, cache: Cache, ledger: FetchLedger, busy: Callable[[], bool] = lambda: False
    ) -> None:
        self._client = client
        self._cache = cache
        self.ledger = ledger
        self.ingestor = Ingestor(client, cache)
        self._busy = busy
        self._tasks = FetchTasks(self.failed)
        self._looked_up: set[Request] = set()

    async def aclose(self) -> None:
        """Cancel running fetches; stored pages stay."""
        await self._tasks.aclose()
        if self._client is not None:
            await self._client.aclose()

    async def upstream_error(self) -> str:
        """Send the smallest possible request to Open5e, and return why it failed; "" if it succeeded."""
        if self._client is None:
            return "is not contacted: LOREKEEPER_OFFLINE is set"
        try:
            await self._client.probe()
        except UpstreamError as error:
            return str(error)
        return ""

    def missing(self, requests: Iterable[Request]) -> list[Request]:
        """Return the requests whose whole answer is not in the cache."""
        return [request for request in requests if self.ledger.covering_fetch(request) is None]

    async def ensure(self, requests: Iterable[Request], seconds: float) -> list[FetchStatus]:
        """Fetch each request; what exceeds the timeout continues in the background.

        Stored answers are not awaited, however old, nor are requests that only complete records. The timeout counts
        from the start of a request, so that a second caller does not wait as long again.
        """
        wanted = list(requests)
        started = [(request, found) for request in wanted if (found := self._start_or_join(request))]
        awaited = [run for one, run in started if not one.endpoint.completes and not self.ledger.covering_fetch(one)]
        await self._tasks.wait(awaited, seconds)
        return [self.status(request) for request in wanted]

    async def look_up(self, requests: Iterable[Request], seconds: float) -> None:
        """Fetch requests for names, so that these records are stored before their whole lists.

        An empty answer proves nothing, so it is remembered in this process only.
        """
        wanted = [r for r in requests if r not in self._looked_up and not self.ledger.recent_failure(r)]
        if self._client is not None:
            found = [self._tasks.start(f"look up {one.id}", [], partial(self._look_up, one)) for one in wanted]
            await self._tasks.wait(found, seconds)

    async def fetch_now(self, request: Request) -> FetchStatus:
        """Fetch a request, or refresh it if it is stale, however long that takes."""
        began = time.time()
        for _ in range(2):  # a refresh may have started before this request was stale
            if (found := self._start_or_join(request)) is None:
                break
            await self._tasks.wait([found])
            if (known := self.ledger.covering_fetch(request)) and known.at >= began:
                break
        return self.status(request)

    def _start_or_join(self, request: Request) -> Running | None:
        """Return a running fetch that covers the request, started if needed; None if there is nothing to fetch."""
        if request in self.ledger.rejected:
            request = whole(request.path)
        known = self.ledger.covering_fetch(request)
        is_offline = self._client is None
        failed_recently = bool(self.ledger.recent_failure(request))
        is_fresh = known is not None and not self._is_due(known)
        if is_offline or failed_recently or is_fresh:
            return None
        if (running := self._tasks.covering(request)) is not None:
            return running
        if known is None or known.request.endpoint.is_archive or known.request.params:
            wanted = request if known is None else known.request
            return self._tasks.start(wanted.id, [wanted], partial(self._fetch, wanted))
        family = min(families_of(request))
        return self._tasks.start(f"refresh {family}", self._stale_of(family), partial(self._refresh_family, family))

    def _is_due(self, fetched: Fetched) -> bool:
        return not self.ledger.is_fresh(fetched) or self.ledger.needs_recheck(fetched)

    def status(self, request: Request) -> FetchStatus:
        """Return the current state of a request."""
        known = self.ledger.covering_fetch(request)
        asked = whole(request.path) if request in self.ledger.rejected else request
        failure = self.ledger.recent_failure(asked) or ""
        if known:
            fresh = self.ledger.is_fresh(known)
            reason = "" if fresh else "is not contacted: LOREKEEPER_OFFLINE is set" if self._client is None else failure
            return FetchStatus(
                request, FetchState.FRESH if fresh else FetchState.STALE, known.at, reason, known.unreadable
            )
        if self._client is None:
            return FetchStatus(request, FetchState.OFFLINE)
        if failure:
            return FetchStatus(request, FetchState.FAILED, reason=failure)
        return FetchStatus(request, FetchState.PENDING)

    # -- the tasks

    async def reload_ledger(self) -> None:
        """Load what other processes of the same Milvus server have fetched."""
        self.ledger.load(await self._cache.ledger())

    async def _look_up(self, request: Request) -> None:
        try:
            await self.require(request)
            await self.ingestor.add(request, partial(self._yield_to_answers, f"look up {request.id}"))
            self._looked_up.add(request)
        except (UpstreamError, StoreError) as error:
            self.failed([request], error)

    async def _fetch(self, request: Request) -> None:
        """Fetch a request, unless another process of the same Milvus server has."""
        try:
            await self.require(request)
            if request.params:
                await self._ingest(request)
                return
            await self.reload_ledger()
            known = self.ledger.covering_fetch(request)
            if known is None or self._is_due(known):
                await self._ingest(request)
        except UpstreamError as error:
            await self._handle_upstream_error(request, error)
        except StoreError as error:
            self.failed([request], error)

    async def _handle_upstream_error(self, request: Request, error: UpstreamError) -> None:
        """Handle a failed request: fetch the whole list, retire an archive, or record the failure."""
        everything = whole(request.path)
        if error.refuses_request and request != everything:
            log.info("Open5e %s when asked for %s; asking for the whole list.", error, request.id)
            self.ledger.rejected.add(request)
            if found := self._start_or_join(everything):
                await self._tasks.wait([found])
        elif error.is_gone and request.endpoint.is_archive and not await self.upstream_error():
            log.info("Open5e no longer has %s.", request.path)
            count = len(own_entries(everything, self._cache.catalog))
            await self._note([Fetched(request=everything, at=time.time(), count=count, retired=True)])
        else:
            await self._record_failure([request], error)

    async def _ingest(self, request: Request) -> None:
        known = self.ledger.covering_fetch(whole(request.path)) is not None
        fetched = await self.ingestor.store(request, partial(self._yield_to_answers, request.id), known=known)
        await self._note([fetched])

    async def _note(self, fetched: Sequence[Fetched]) -> None:
        await self._cache.note(encode({one.request.id: one for one in fetched}))
        for one in fetched:
            self.ledger.record_fetch(one)

    async def _refresh_family(self, family: Family) -> None:
        """Fetch all stale endpoints of a family, and store them in one step."""
        collected: list[Collected] = []
        try:
            await self.reload_ledger()
            for request in self._stale_of(family):
                try:
                    one = await self.ingestor.collect(request, collected)
                except UpstreamError as error:
                    await self._record_failure([request], error)
                else:
                    collected.append(one)
            if collected:
                records = [record for one in collected for record in one.records]
                predicates = [one.is_withdrawn for one in collected]
                await self._cache.replace(
                    family, records, lambda entry: any(is_withdrawn(entry) for is_withdrawn in predicates)
                )
                await self._note([one.fetched for one in collected])
        except StoreError as error:
            self.failed([one.fetched.request for one in collected] or self._stale_of(family), error)

    def _stale_of(self, family: Family) -> list[Request]:
        """Requests for the stale endpoints of a family, without archives."""
        requests = [whole(endpoint.path) for endpoint in ENDPOINTS if not endpoint.is_archive]
        return [
            request
            for request in requests
            if family in families_of(request)
            and (known := self.ledger.covering_fetch(request))
            and not self.ledger.is_fresh(known)
            and not self.ledger.recent_failure(request)
        ]

    async def require(self, request: Request) -> None:
        """Make sure that the lists on which the records of a request depend are stored. Raises UpstreamError."""
        for needed in map(whole, request.endpoint.requires):
            if self.ledger.covering_fetch(needed) is None and (found := self._start_or_join(needed)):
                await self._tasks.wait([found])
            if self.ledger.covering_fetch(needed) is None:
                raise UpstreamError(self.ledger.recent_failure(needed) or "did not return the list of documents")

    async def _record_failure(self, requests: Sequence[Request], error: UpstreamError) -> None:
        """Record a failure; in the ledger, too, if `status` should report it later."""
        self.failed(requests, error)
        if isinstance(error, ListRefusedError):
            lists = [request for request in requests if not request.params]
            notes = {one.id: Refused(request=one, at=time.time(), reason=str(error)) for one in lists}
            await self._cache.note(encode(notes))

    def failed(self, requests: Sequence[Request], error: BaseException) -> None:
        """Log and record a failure. An outage makes many requests fail, but is logged as one warning."""
        reason, level = str(error), logging.INFO if self.ledger.has_recent_failures() else logging.WARNING
        if isinstance(error, StoreFullError):
            reason = "answered, but the disk is full"
        elif isinstance(error, StoreError):
            reason = "answered, but the cache could not be written"
        elif not isinstance(error, UpstreamError):
            reason = f"answered, but that could not be stored ({type(error).__name__})"
            level = logging.ERROR
        log.log(level, "Open5e %s when asked for %s.", reason, ", ".join(r.path for r in requests) or "a name")
        endpoint_fails = not (isinstance(error, UpstreamError) and error.is_about_request)
        for request in requests:
            self.ledger.record_failure(whole(request.path) if endpoint_fails else request, reason)

    async def _yield_to_answers(self, name: str) -> None:
        """Yield to answers while no caller waits for this work."""
        until = time.monotonic() + _YIELD_SECONDS
        # Three independent conditions; an event for each would be no clearer.
        while not self._tasks.is_awaited(name) and self._busy() and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
