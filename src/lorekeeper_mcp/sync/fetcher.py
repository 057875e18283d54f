"""Fetching from Open5e into the cache: each request once, to its end, whoever waits for it.

What is held is served at once; past its time it is renewed behind the answer, a family's whole endpoints together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from lorekeeper_mcp.sources.open5e.requests import Request, whole
from lorekeeper_mcp.store.cache import Cache, PendingRecord
from lorekeeper_mcp.store.errors import StoreError, StoreFullError
from lorekeeper_mcp.store.memory.catalog import Entry
from lorekeeper_mcp.sync.fetch_ledger import Fetched, FetchLedger
from lorekeeper_mcp.sync.ingest import Ingestor, Progress, families_of, is_superseded

log = logging.getLogger(__name__)
_YIELD_SECONDS = 3.0  # how long a page that nobody waits for lets answers go first


class FetchState(Enum):
    """How far a request is answered."""

    HELD = "held"
    STALE = "stale"  # held, past its time
    PENDING = "pending"
    FAILED = "failed"
    OFFLINE = "offline"


@dataclass(frozen=True)
class FetchStatus:
    """A request and how far it is answered; ``at`` is when, ``reason`` why not, or why not again."""

    request: Request
    state: FetchState
    at: float | None = None
    reason: str = ""
    unreadable: int = 0

    @property
    def answered(self) -> bool:
        """Whether all that Open5e had for the request is in the cache."""
        return self.state in (FetchState.HELD, FetchState.STALE)


@dataclass
class _Running:
    """Work under way: since when, for which requests, and how many callers wait for it.

    ``promised`` once a caller has been told that it goes on without him.
    """

    task: asyncio.Task[None]
    began: float
    requests: Sequence[Request]
    waiting: int = 0
    detached: bool = False


class Fetcher:
    """Owns the requests under way. ``client`` is None where the network must not be used.

    ``busy`` says whether answers are being given just now, to which the fetching of what nobody waits for gives way.
    """

    def __init__(
        self, client: Open5eClient | None, cache: Cache, holdings: FetchLedger, busy: Callable[[], bool] = lambda: False
    ) -> None:
        self._client = client
        self._cache = cache
        self.holdings = holdings
        self.intake = Ingestor(client, cache)
        self._busy = busy
        self._running: dict[str, _Running] = {}
        self.listeners: list[Callable[[Progress], None]] = []

    async def aclose(self) -> None:
        """Stop what is under way; what was stored stays."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()

    async def upstream_error(self) -> str:
        """Ask Open5e for the least there is: why that fails, empty where it does not."""
        if self._client is None:
            return "may not be asked"
        try:
            await self._client.probe()
        except UpstreamError as error:
            return str(error)
        return ""

    def missing(self, requests: Iterable[Request]) -> list[Request]:
        """The requests to which the cache does not hold the whole answer."""
        return [request for request in requests if self.holdings.held(request) is None]

    async def ensure(self, requests: Iterable[Request], seconds: float) -> list[FetchStatus]:
        """Have each request answered; after so many seconds what is not yet here goes on without the caller.

        What is held, however old, is not waited for. The time runs from when a request was started, so that a
        second caller does not wait as long again.
        """
        wanted = list(requests)
        started = [(request, found) for request in wanted if (found := self._start(request))]
        awaited = [found for request, found in started if self.holdings.held(request) is None]
        if awaited:
            longest = max(max(0.05, found.began + seconds - time.monotonic()) for found in awaited)
            await self._wait(awaited, longest)
        return [self.status(request) for request in wanted]

    async def fetch_now(self, request: Request) -> FetchStatus:
        """Have a request answered, and renewed if it is past its time, however long that takes."""
        if found := self._start(request):
            await self._wait([found], None)
        return self.status(request)

    @staticmethod
    async def _wait(runs: Sequence[_Running], seconds: float | None) -> None:
        """Wait for some work. A caller who is cancelled takes with him what he alone was waiting for."""
        for run in runs:
            run.waiting += 1
        try:
            await asyncio.wait({run.task for run in runs}, timeout=seconds)
            for run in runs:
                run.detached = True
        except asyncio.CancelledError:
            for run in runs:
                if run.waiting == 1 and not run.detached:
                    run.task.cancel()
            raise
        finally:
            for run in runs:
                run.waiting -= 1

    def _start(self, request: Request) -> _Running | None:
        """What answers the request, something running where that covers it; None where nothing is to be done."""
        held = self.holdings.held(request)
        if (held and self.holdings.fresh(held)) or self._client is None or self.holdings.recent_failure(request):
            return None
        for running in self._running.values():
            if any(one.covers(request) for one in running.requests):
                return running
        if held is None:
            return self._run(request.id, [request], self._fetch(request))
        if held.request.params:
            return self._run(held.request.id, [held.request], self._fetch(held.request))
        family = min(families_of(request))
        return self._run(f"renew {family}", self._stale_of(family), self._renew(family))

    def _run(self, name: str, requests: Sequence[Request], work: Coroutine[None, None, None]) -> _Running:
        task = asyncio.create_task(work, name=f"fetch {name}")
        self._running[name] = running = _Running(task, time.monotonic(), requests)
        task.add_done_callback(lambda _: self._running.pop(name, None))
        return running

    def status(self, request: Request) -> FetchStatus:
        """How far a request is answered at present."""
        held = self.holdings.held(request)
        failure = self.holdings.recent_failure(request) or ""
        if held:
            fresh = self.holdings.fresh(held)
            reason = "" if fresh else "may not be asked" if self._client is None else failure
            return FetchStatus(
                request, FetchState.HELD if fresh else FetchState.STALE, held.at, reason, held.unreadable
            )
        if self._client is None:
            return FetchStatus(request, FetchState.OFFLINE)
        if failure:
            return FetchStatus(request, FetchState.FAILED, reason=failure)
        return FetchStatus(request, FetchState.PENDING)

    # -- the work itself

    async def look(self) -> None:
        """Take over what other processes have fetched."""
        self.holdings.load(await self._cache.ledger())

    async def _fetch(self, request: Request) -> None:
        """Answer a request. Other processes that fetch the same endpoint whole are waited for, not repeated."""
        whole_endpoint = not request.params
        try:
            for path in request.endpoint.requires:
                await self.require(path)
            if not whole_endpoint:
                await self._ingest(request)
                return
            async with self._cache.turn(f"fetch-{request.path.replace('/', '-')}"):
                await self.look()
                held = self.holdings.held(request)
                if held is None or not self.holdings.fresh(held):
                    await self._ingest(request)
        except (UpstreamError, StoreError) as error:
            self._failed([request], error)

    async def _ingest(self, request: Request) -> None:
        fetched = await self.intake.store(request, self._tell, lambda: self._yield_to_answers(request))
        await self._cache.note(fetched.entry())
        self.holdings.fetched(fetched)

    async def _renew(self, family: Family) -> None:
        """Ask again for all that is held of a family and past its time, and put it in place all at once."""
        async with self._cache.turn(f"renew-{family}"):
            await self.look()
            arrivals: list[PendingRecord] = []
            fetched: list[Fetched] = []
            gone: list[Callable[[Entry], bool]] = []
            for request in self._stale_of(family):
                try:
                    records, done = await self.intake.collect(request, self._tell)
                except UpstreamError as error:
                    self._failed([request], error)
                    continue
                arrivals += [PendingRecord(record) for record in records]
                fetched.append(done)
                gone.append(is_superseded(request, {record.id for record in records}))
            if not fetched:
                return
            try:
                await self._cache.renew(family, arrivals, lambda entry: any(goes_(entry) for goes_ in gone))
                await self._cache.note({id_: entry for done in fetched for id_, entry in done.entry().items()})
            except StoreError as error:
                self._failed([done.request for done in fetched], error)
                return
            for done in fetched:
                self.holdings.fetched(done)

    def _stale_of(self, family: Family) -> list[Request]:
        """The endpoints of a family that are held whole and past their time."""
        requests = [whole(endpoint.path) for endpoint in ENDPOINTS]
        return [
            request
            for request in requests
            if family in families_of(request)
            and (held := self.holdings.held(request))
            and not self.holdings.fresh(held)
            and not self.holdings.recent_failure(request)
        ]

    async def require(self, path: str) -> None:
        """Have an endpoint whole that the records of another need."""
        needed = whole(path)
        if self.holdings.held(needed) is None and (found := self._start(needed)):
            await self._wait([found], None)
        if self.holdings.held(needed) is None:
            raise UpstreamError(self.holdings.recent_failure(needed) or "gave no list of documents")

    def _failed(self, requests: Sequence[Request], error: UpstreamError | StoreError) -> None:
        # One trouble hits many requests; it is said once.
        level = logging.INFO if self.holdings.troubled() else logging.WARNING
        reason = str(error)
        if isinstance(error, StoreFullError):
            reason = "answered, but the disk is full"
        elif isinstance(error, StoreError):
            reason = "answered, but the cache could not be written"
        log.log(level, "Open5e %s when asked for %s.", reason, ", ".join(request.path for request in requests))
        for request in requests:
            self.holdings.failed(request, reason)

    def _tell(self, progress: Progress) -> None:
        for listener in self.listeners:
            listener(progress)

    async def _yield_to_answers(self, request: Request) -> None:
        """Let answers go first while nobody waits for this request."""
        until = time.monotonic() + _YIELD_SECONDS
        running = self._running.get(request.id)
        # Three conditions that change apart: an event for each would be no clearer.
        while (running is None or not running.waiting) and self._busy() and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
