"""Background tasks that embed records that were stored without a vector."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from lorekeeper_mcp.embedding.embedder import EmbeddingUnavailableError
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.search.names.name_index import FamilyIndex
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError

log = logging.getLogger(__name__)


class EmbeddingTasks:
    """At most one task per family. Close it with ``aclose``."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._tasks: dict[Family, asyncio.Task[None]] = {}
        self._turns = {family: asyncio.Lock() for family in Family}

    async def aclose(self) -> None:
        """Stop; finished embeddings are stored."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def start(self, family: Family, index: FamilyIndex, kinds: Iterable[Kind]) -> list[str]:
        """Start embedding the records without a vector; return a hint for each kind that still has some."""
        if not any(index.without_vector[kind] for kind in kinds):
            return []
        task = self._tasks.get(family)
        if task is None or task.done():
            self._tasks[family] = asyncio.create_task(self.embed(family))
        return ["Some records are not embedded yet and match by keyword only; ask again later."]

    async def embed(self, family: Family, on_progress: Callable[[], object] = lambda: None) -> None:
        """Embed all records without a vector, after any running task of the family has finished."""
        async with self._turns[family]:
            try:
                while await self._cache.embed_pending(family):
                    on_progress()
            except (EmbeddingUnavailableError, StoreError) as error:
                log.warning("Records could not be embedded: %s.", error)
