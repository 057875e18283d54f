"""The repository on a store that holds everything already, with the network left alone."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from lorekeeper_mcp.filters import FILTERS
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.process import settle_environment
from lorekeeper_mcp.query import Query
from lorekeeper_mcp.repository.answer import Answer
from lorekeeper_mcp.repository.repository import Repository
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.tools.arguments import applied
from lorekeeper_mcp.tools.catalog import KIND_TOOLS
from lorekeeper_mcp.tools.content_types import EVERYTHING

FAMILY_OF_TOOL: dict[str, Family] = {tool.name: tool.family for tool in KIND_TOOLS}


@contextlib.asynccontextmanager
async def opened(store: Path) -> AsyncIterator[Repository]:
    """The repository on a store; records that it lacks are not fetched."""
    settle_environment()
    repository = await Repository.open(load_settings(milvus_db_path=store, offline=True), patient=True)
    try:
        yield repository
    finally:
        await repository.aclose()


async def ask(repository: Repository, tool: str, text: str, filters: Mapping[str, object], limit: int = 20) -> Answer:
    """What a tool answers with, without the layer of the protocol. ``filters`` are canonical values."""
    if tool == "search_all":
        query = Query(Family.RULES, EVERYTHING, text, limit=limit)
        return await repository.search_all(query, EVERYTHING)
    chosen = next(one for one in KIND_TOOLS if one.name == tool)
    rows = (*applied(FILTERS[chosen.family], filters), *chosen.implied(filters))
    kinds: frozenset[Kind] = chosen.kinds(filters)
    return await repository.search(dataclasses.replace(Query(chosen.family, kinds, text, limit=limit), filters=rows))
