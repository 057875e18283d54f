"""Maintenance of the store for background work, commands and the status report: fetches, embedding, errors."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator

from lorekeeper_mcp.models import FAMILIES, Family
from lorekeeper_mcp.search.engine import SearchEngine
from lorekeeper_mcp.sources.open5e import requests
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from lorekeeper_mcp.sources.open5e.requests import Request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.fetch_ledger import Fetched, Refused
from lorekeeper_mcp.sync.fetch_status import FetchStatus
from lorekeeper_mcp.sync.fetcher import Fetcher
from lorekeeper_mcp.sync.ingest import Progress


class Maintenance:
    """Maintenance work. It owns nothing: ``Repository`` closes the objects it uses."""

    def __init__(self, cache: Cache, fetcher: Fetcher, engine: SearchEngine) -> None:
        self._cache = cache
        self._fetcher = fetcher
        self._engine = engine

    def warm_up_steps(self) -> Iterator[Callable[[], Awaitable[object]]]:
        """Yield steps that load what the first searches need: the model, then the index of each family."""
        yield self._engine.load_model
        yield from self._cache.index.warm_up_steps()

    async def upstream_fault(self) -> str:
        """Return why Open5e cannot be reached at present; "" if it answers."""
        return await self._fetcher.upstream_error()

    # -- fetches

    def statuses(self, wanted: Iterable[Request]) -> list[FetchStatus]:
        """Return the states of some requests."""
        return [self._fetcher.status(request) for request in wanted]

    async def fetch_now(self, request: Request) -> FetchStatus:
        """Fetch a request from Open5e, however long that takes."""
        return await self._fetcher.fetch_now(request)

    @contextlib.contextmanager
    def syncing(self, listener: Callable[[Progress], None], *, accept_removals: bool) -> Iterator[None]:
        """Call ``listener`` for each stored page; with ``accept_removals``, store lists that lost many records, too."""
        self._fetcher.listeners.append(listener)
        self._fetcher.accept_removals |= accept_removals
        try:
            yield
        finally:
            self._fetcher.listeners.remove(listener)
            self._fetcher.accept_removals = False

    def refused_lists(self) -> list[Refused]:
        """Return the lists that were refused at the last fetch because they had shrunk too much."""
        return self._fetcher.ledger.refused()

    def unreadable_lists(self) -> list[Fetched]:
        """Return the fetched lists with unreadable records."""
        fetches = [self._fetcher.ledger.covering_fetch(requests.whole(endpoint.path)) for endpoint in ENDPOINTS]
        return [fetch for fetch in fetches if fetch is not None and fetch.unreadable]

    # -- embedding

    def waiting_for_embedding(self) -> int:
        """Return how many records have no embedding yet."""
        return sum(self._cache.pending(family, frozenset(kinds)) for family, kinds in FAMILIES.items())

    async def embed_rest(self, on_progress: Callable[[int], object] = lambda _: None) -> None:
        """Embed the records without an embedding; ``on_progress`` is called with the number that is left."""
        for family in Family:
            await self._engine.embedding.embed(family, lambda: on_progress(self.waiting_for_embedding()))
