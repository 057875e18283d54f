"""The repository on a filled store, without network access."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lorekeeper_mcp.answer import Answer
from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.models import FAMILIES
from lorekeeper_mcp.query import FamilyQuery, Query
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.runtime import configure_environment
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.tools.arguments import active_filters
from lorekeeper_mcp.tools.content_types import EVERYTHING
from lorekeeper_mcp.tools.kind_tools import KIND_TOOLS


@dataclass(frozen=True)
class Opened:
    """An open store: its cache, and the repository that answers from it."""

    cache: Cache
    repository: Repository


@contextlib.asynccontextmanager
async def opened(store: Path) -> AsyncIterator[Opened]:
    """Open a store; records that it lacks are not fetched."""
    configure_environment()
    settings = load_settings(milvus_db_path=store, offline=True, cache_ttl_days=3650)
    cache = await Cache.open(settings)
    repository = Repository(settings, cache, wait_for_model=True)
    repository.fetcher.ledger.load(await cache.ledger())
    try:
        yield Opened(cache, repository)
    finally:
        await repository.aclose()


def query_of(tool: str, text: str, filters: Mapping[str, object], limit: int = 20) -> FamilyQuery:
    """The query that a call of a kind tool makes. ``filters`` are canonical values."""
    chosen = next(spec for spec in KIND_TOOLS if spec.name == tool)
    rows = (*active_filters(FILTERS[chosen.family], filters), *chosen.implied(filters))
    kinds = chosen.kinds(filters)
    return FamilyQuery(
        family=chosen.family,
        kinds=kinds,
        search=text,
        filters=rows,
        limit=limit,
        has_chosen_kinds=kinds != chosen.kinds({}),
    )


def queries_of(tool: str, text: str, filters: Mapping[str, object]) -> list[FamilyQuery]:
    """The same for any tool: ``search_all`` makes one for every family."""
    if tool != "search_all":
        return [query_of(tool, text, filters)]
    families = ((family, EVERYTHING.intersection(kinds)) for family, kinds in FAMILIES.items())
    return [FamilyQuery(family=family, kinds=kinds, search=text) for family, kinds in families if kinds]


async def ask(store: Opened, tool: str, text: str, filters: Mapping[str, object], limit: int = 20) -> Answer:
    """The answer of a tool, without the protocol layer."""
    if tool == "search_all":
        return await store.repository.search_all(Query(kinds=EVERYTHING, search=text, limit=limit))
    return await store.repository.search(query_of(tool, text, filters, limit))
