"""What Open5e's own search finds of records that are not all held yet: the quickest way to something named."""

from __future__ import annotations

import asyncio
import logging

from lorekeeper_mcp.models import Kind, Source, family_of
from lorekeeper_mcp.sources.open5e.client import Open5eClient, UpstreamError
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH, endpoints_of
from lorekeeper_mcp.sources.open5e.requests import Request, by_keys, whole
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.sync.fetcher import Fetcher
from lorekeeper_mcp.sync.ingest import Progress

log = logging.getLogger(__name__)
_SEARCH = Request("v2/search")  # under which a failure is remembered


class UpstreamSearch:
    """Searches upstream and stores what it finds. ``client`` is None where the network must not be used."""

    def __init__(self, client: Open5eClient | None, cache: Cache, fetcher: Fetcher) -> None:
        self._client = client
        self._cache = cache
        self._fetcher = fetcher

    async def find(self, text: str, kinds: frozenset[Kind], seconds: float) -> None:
        """Fetch what the search finds within so many seconds; quiet where it fails."""
        if self._client is None or self._fetcher.holdings.recent_failure(_SEARCH):
            return
        models = [
            endpoint.searchable_as
            for endpoint in endpoints_of(kinds)
            if endpoint.searchable_as and self._fetcher.missing([whole(endpoint.path)])
        ]
        searches = [asyncio.create_task(self._find(text, model, self._client)) for model in models]
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
                        await self._fetcher.require(needed)
                    await self._fetcher.intake.store(request, _quietly, _at_once)
        except (UpstreamError, StoreError) as error:
            log.warning("Open5e %s when searched for %s.", error, model)
            self._fetcher.holdings.failed(_SEARCH, str(error))

    def _holds(self, path: str, key: str) -> bool:
        """Whether a record found by search is held already, or is of no endpoint that is used."""
        endpoint = BY_PATH.get(path)
        return endpoint is None or any(
            (entry := self._cache.catalog.get(family_of(kind), f"{kind}:{key}")) and entry.source is Source.OPEN5E_V2
            for kind in endpoint.kinds
        )


def _quietly(_: Progress) -> None:
    """Tell nobody of a page."""


async def _at_once() -> None:
    """Give way to nobody."""
