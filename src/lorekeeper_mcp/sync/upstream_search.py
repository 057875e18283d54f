"""Open5e's own search, the quickest way to a named record until its list is stored."""

from __future__ import annotations

import asyncio
import contextlib

from lorekeeper_mcp.models import Kind, Source, family_of
from lorekeeper_mcp.sources.open5e.client import Open5eClient
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH, endpoints_of
from lorekeeper_mcp.sources.open5e.requests import Request, by_keys, list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.fetcher import Fetcher

_SEARCH = Request("v2/search")  # the request under which failures are recorded
_MAX_REMEMBERED = 1000  # searches that are not repeated, for instance for the next page of an answer


class UpstreamSearch:
    """Searches Open5e and stores the results. ``client`` is None if the network must not be used."""

    def __init__(self, client: Open5eClient | None, cache: Cache, fetcher: Fetcher) -> None:
        self._client = client
        self._cache = cache
        self._fetcher = fetcher
        self._done: dict[tuple[str, str], None] = {}

    async def find(self, text: str, kinds: frozenset[Kind], seconds: float) -> None:
        """Fetch the results of a search within a time limit. Never raises, since the lists have these records, too."""
        if self._client is None:
            return
        models = [
            endpoint.searchable_as
            for endpoint in endpoints_of(kinds)
            if endpoint.searchable_as and self._fetcher.missing([list_request(endpoint.path)])
        ]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as searches:
                for model in models:
                    if (text, model) not in self._done:
                        searches.create_task(self._find(text, model, self._client))

    async def _find(self, text: str, model: str, client: Open5eClient) -> None:
        try:
            if self._fetcher.ledger.recent_failure(_SEARCH):
                return
            missing: dict[str, set[str]] = {}
            for hit in await client.search(text, model):
                if not self._is_stored(hit.path, hit.key):
                    missing.setdefault(hit.path, set()).add(hit.key)
            for path, keys in missing.items():
                for request in by_keys(path, keys):
                    await self._fetcher.require(request)
                    await self._fetcher.ingestor.add(request)
        except Exception as error:  # noqa: BLE001 - one search fails alone, and is only a shortcut
            self._fetcher.note_failure([_SEARCH], error)
        else:
            self._done[text, model] = None
            if len(self._done) > _MAX_REMEMBERED:
                del self._done[next(iter(self._done))]

    def _is_stored(self, path: str, key: str) -> bool:
        """Whether a record is stored already, or its endpoint is not used."""
        endpoint = BY_PATH.get(path)
        if endpoint is None:
            return True
        entries = [self._cache.catalog.of(family_of(kind)).get(f"{kind}:{key}") for kind in endpoint.kinds]
        return any(entry is not None and entry.source is not Source.OPEN5E_V1 for entry in entries)
