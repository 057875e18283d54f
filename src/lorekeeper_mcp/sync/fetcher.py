"""Fetches Open5e's lists into the cache. A request runs once and to its end, however many callers wait for it.

What is asked for is compared with the ledger; what is missing or stale is fetched and stored page by page, and noted in
the ledger. Old records are served meanwhile. Every failure is recorded, so that no request stays pending without a task
that works on it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.requests import Request, list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError, StoreFullError
from lorekeeper_mcp.store.ledger import encode
from lorekeeper_mcp.sync.fetch_ledger import Fetch, FetchLedger, FetchState, FetchStatus, Refusal
from lorekeeper_mcp.sync.ingest import Ingestor, ListRefusedError, own_entries

log = logging.getLogger(__name__)
_OFFLINE = "is not contacted: LOREKEEPER_OFFLINE is set"
_SILENT = "has not answered yet"
_YIELD_SECONDS = 3.0  # how long a page that no caller awaits yields to answers


@dataclass
class FetchTask:
    """A running task: its requests, and the number of waiting callers.

    It is ``detached`` once a caller's timeout is over, and then continues in the background.
    """

    task: asyncio.Task[None]
    requests: Sequence[Request]
    waiting: int = 0
    detached: bool = False


class FetchTasks:
    """Owns the running tasks. ``on_error`` is called with every exception that a task does not handle."""

    def __init__(self, on_error: Callable[[Sequence[Request], BaseException], None]) -> None:
        self._on_error = on_error
        self._running: dict[str, FetchTask] = {}

    async def aclose(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def start(
        self, name: str, requests: Sequence[Request], work: Callable[[], Coroutine[None, None, None]]
    ) -> FetchTask:
        """Start a task, or return the running one with that name, unless that is being cancelled."""
        if (running := self._running.get(name)) is not None and not running.task.cancelling():
            return running
        task = asyncio.create_task(work(), name=f"fetch {name}")
        self._running[name] = running = FetchTask(task, requests)
        task.add_done_callback(partial(self._end, name, running))
        return running

    def _end(self, name: str, running: FetchTask, task: asyncio.Task[None]) -> None:
        if self._running.get(name) is running:
            del self._running[name]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._on_error(running.requests, error)

    def find_covering(self, request: Request) -> FetchTask | None:
        """Return a running task that covers a request and is not being cancelled, or None."""
        for running in self._running.values():
            if not running.task.cancelling() and any(fetched.covers(request) for fetched in running.requests):
                return running
        return None

    def is_awaited(self, name: str) -> bool:
        """Whether a caller is waiting for a task."""
        running = self._running.get(name)
        return running is not None and running.waiting > 0

    @staticmethod
    async def wait(runs: Sequence[FetchTask], seconds: float | None = None) -> None:
        """Wait for tasks, at most ``seconds``. A cancelled caller cancels the tasks that only it awaits."""
        if not runs:
            return
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


class Fetcher:
    """Owns the running requests. ``client`` is None if the network must not be used.

    ``busy`` says whether answers are in progress; fetches that no caller awaits yield to those.
    """

    def __init__(
        self, client: Open5eClient | None, cache: Cache, ledger: FetchLedger, busy: Callable[[], bool] = lambda: False
    ) -> None:
        self._client = client
        self._cache = cache
        self.ledger = ledger
        self.ingestor = Ingestor(client, cache)
        self._busy = busy
        self._tasks = FetchTasks(self.note_failure)
        self._looked_up: dict[Request, float] = {}  # when, in epoch seconds

    async def aclose(self) -> None:
        """Cancel running fetches; stored pages stay."""
        await self._tasks.aclose()
        if self._client is not None:
            await self._client.aclose()

    async def upstream_error(self) -> str:
        """Send the smallest possible request to Open5e, and return why it failed; "" if it succeeded."""
        if self._client is None:
            return _OFFLINE
        try:
            await self._client.probe()
        except UpstreamError as error:
            return str(error)
        return ""

    async def reload_ledger(self) -> Mapping[str, Mapping[str, object]]:
        """Load and return the stored ledger, which has what other processes of the same Milvus server have fetched.

        It is read again if something was recorded meanwhile, which the first reading may not have.
        """
        recorded = -1
        while recorded != self.ledger.recorded:
            recorded = self.ledger.recorded
            stored = await self._cache.ledger()
        self.ledger.load(stored)
        return stored

    def missing(self, requests: Iterable[Request]) -> list[Request]:
        """Return the requests whose whole answer is not in the cache."""
        return [request for request in requests if self.ledger.covering_fetch(request) is None]

    async def ensure(
        self, requests: Iterable[Request], seconds: float, *, completions: bool = False
    ) -> list[FetchStatus]:
        """Fetch each request; those that exceed the timeout continue in the background.

        A request is not awaited if its answer is stored, however old, nor without ``completions`` if it only completes
        records.
        """
        required = list(requests)
        awaited: list[FetchTask] = []
        for request in required:
            running = self._start_or_join(request)
            is_awaited = completions or not request.endpoint.completes
            if running is not None and is_awaited and not self.ledger.covering_fetch(request):
                awaited.append(running)
        await self._tasks.wait(awaited, seconds)
        return [self.status(request) for request in required]

    async def look_up(self, requests: Iterable[Request], seconds: float) -> list[FetchStatus]:
        """Fetch requests for names, so that these records are stored before their whole lists.

        What completes records follows once they are stored. An empty answer does not prove that a record does not
        exist, so only this process remembers it.
        """
        required = list(dict.fromkeys(requests))
        until = time.monotonic() + seconds
        for completes in (False, True):
            running = [
                self._tasks.start(f"look up {request.id}", [], partial(self._look_up, request))
                for request in required
                if bool(request.endpoint.completes) is completes and self.status(request).state is FetchState.PENDING
            ]
            await self._tasks.wait(running, max(0.0, until - time.monotonic()))
            if not all(run.task.done() for run in running):
                break
        return [self.status(request) for request in required]

    async def fetch_now(self, request: Request) -> FetchStatus:
        """Fetch a request, or refresh it if it is stale, however long that takes."""
        began = time.time()
        for _ in range(2):  # a refresh may have started before this request was stale
            if (running := self._start_or_join(request)) is None:
                break
            await self._tasks.wait([running])
            if (fetched := self.ledger.covering_fetch(request)) and fetched.at >= began:
                break
        return self.status(request)

    def _start_or_join(self, request: Request) -> FetchTask | None:
        """Return a running fetch that covers the request, started if needed; None if there is nothing to fetch."""
        if request in self.ledger.rejected:
            request = list_request(request.path)
        fetched = self.ledger.covering_fetch(request)
        if self._client is None or self.ledger.recent_failure(request) or not self._is_due(fetched):
            return None
        if (running := self._tasks.find_covering(request)) is not None:
            return running
        due = request if fetched is None else fetched.request
        return self._tasks.start(due.id, [due], partial(self._fetch, due))

    def _is_due(self, fetched: Fetch | None) -> bool:
        return fetched is None or not self.ledger.is_fresh(fetched) or self.ledger.needs_recheck(fetched)

    def status(self, request: Request) -> FetchStatus:
        """Return the current state of a request."""
        fetched = self.ledger.covering_fetch(request)
        asked = list_request(request.path) if request in self.ledger.rejected else request
        is_silent = self._client is not None and self._client.is_silent
        failure = self.ledger.recent_failure(asked) or (_SILENT if is_silent else "")
        if fetched is None and request in self._looked_up:
            return FetchStatus(request, FetchState.FRESH, self._looked_up[request])
        if fetched is not None and self.ledger.is_fresh(fetched):
            return FetchStatus(request, FetchState.FRESH, fetched.at, unreadable=fetched.unreadable)
        if fetched is not None:
            reason = _OFFLINE if self._client is None else failure
            return FetchStatus(request, FetchState.STALE, fetched.at, reason, fetched.unreadable)
        if self._client is None:
            return FetchStatus(request, FetchState.OFFLINE)
        state = FetchState.FAILED if failure not in ("", _SILENT) else FetchState.PENDING
        return FetchStatus(request, state, reason=failure)

    def silent_seconds(self) -> float:
        """Return for how long Open5e has been asked for records and has sent none."""
        return 0.0 if self._client is None else self._client.silent_seconds()

    # -- the tasks

    async def _look_up(self, request: Request) -> None:
        try:
            await self.require(request)
            await self.ingestor.add(request, partial(self._yield_to_answers, f"look up {request.id}"))
            self._looked_up[request] = time.time()
        except (UpstreamError, StoreError) as error:
            self.note_failure([request], error)

    async def _fetch(self, request: Request) -> None:
        """Fetch a request, unless another process of the same Milvus server has."""
        try:
            await self.require(request)
            if not request.params:
                await self.reload_ledger()
            if request.params or self._is_due(self.ledger.covering_fetch(request)):
                is_known = self.ledger.covering_fetch(list_request(request.path)) is not None
                pause = partial(self._yield_to_answers, request.id)
                await self._note(await self.ingestor.store(request, pause, is_known=is_known))
        except UpstreamError as error:
            await self._handle_upstream_error(request, error)
        except StoreError as error:
            self.note_failure([request], error)

    async def _handle_upstream_error(self, request: Request, error: UpstreamError) -> None:
        """Handle a failed request: fetch the whole list, retire an archive, or record the failure."""
        whole_list = list_request(request.path)
        if error.refuses_request and request != whole_list:
            log.info("Open5e %s when asked for %s; asking for the whole list.", error, request.id)
            self.ledger.rejected.add(request)
            if running := self._start_or_join(whole_list):
                await self._tasks.wait([running])
        elif error.is_gone and request.endpoint.is_archive and not await self.upstream_error():
            log.info("Open5e no longer has %s.", request.path)
            count = len(own_entries(whole_list, self._cache.catalog))
            await self._note(Fetch(request=whole_list, at=time.time(), count=count, retired=True))
        else:
            await self._record_failure(request, error)

    async def _note(self, fetched: Fetch) -> None:
        await self._cache.note(encode({fetched.request.id: fetched}))
        self.ledger.record_fetch(fetched)

    async def require(self, request: Request) -> None:
        """Make sure that the lists on which the records of a request depend are stored. Raises UpstreamError.

        A request for a name depends on no list that it completes, since its records are stored already.
        """
        completed = request.endpoint.completes if request.params else ""
        for needed in (list_request(path) for path in request.endpoint.requires if path != completed):
            if self.ledger.covering_fetch(needed) is None and (running := self._start_or_join(needed)):
                await self._tasks.wait([running])
            if self.ledger.covering_fetch(needed) is None:
                raise UpstreamError(self.ledger.recent_failure(needed) or "did not return the list of documents")

    async def _record_failure(self, request: Request, error: UpstreamError) -> None:
        """Record a failure; in the ledger, too, if `status` should report it later."""
        self.note_failure([request], error)
        if isinstance(error, ListRefusedError) and not request.params:
            refusal = Refusal(request=request, at=time.time(), reason=str(error))
            await self._cache.note(encode({request.id: refusal}))
            self.ledger.record_refusal(refusal)

    def note_failure(self, requests: Sequence[Request], error: BaseException) -> None:
        """Log and record a failure. An outage makes many requests fail, but is logged as one warning."""
        reason, level = str(error), logging.INFO if self.ledger.has_recent_failures() else logging.WARNING
        if isinstance(error, StoreFullError):
            reason = "answered, but the disk is full"
        elif isinstance(error, StoreError):
            reason = "answered, but the cache could not be written"
        elif not isinstance(error, UpstreamError):
            reason = f"answered, but that could not be stored ({type(error).__name__})"
            level = logging.ERROR
        log.log(
            level, "Open5e %s when asked for %s.", reason, ", ".join(request.path for request in requests) or "a name"
        )
        endpoint_fails = not (isinstance(error, UpstreamError) and error.is_about_request)
        for request in requests:
            self.ledger.record_failure(list_request(request.path) if endpoint_fails else request, reason)

    async def _yield_to_answers(self, name: str) -> None:
        """Yield to answers while no caller waits for this work."""
        until = time.monotonic() + _YIELD_SECONDS
        # Three independent conditions; an event for each would be no clearer.
        while not self._tasks.is_awaited(name) and self._busy() and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
