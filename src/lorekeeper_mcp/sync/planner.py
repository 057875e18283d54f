"""The requests to Open5e that cover a query."""

from __future__ import annotations

from collections.abc import Sequence

from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.names.name_index import is_pattern, literal_part
from lorekeeper_mcp.sources.open5e import requests
from lorekeeper_mcp.sources.open5e.requests import Request
from lorekeeper_mcp.text import fold

_MAX_NAME_WORDS = 5  # longer questions are not names


def required_requests(query: FamilyQuery) -> list[Request]:
    """Return the requests that cover a query; for a pattern, requests for names that contain its literal part."""
    required = requests.requests_for(query)
    if not is_pattern(query.search):
        return required
    part = literal_part(query.search)
    return [requests.by_name(request, part, part=True) or request for request in required]


def name_lookups(query: FamilyQuery, missing: Sequence[Request]) -> list[Request]:
    """Return quick requests for the searched name, so that named records are stored before their whole lists."""
    if not fold(query.search) or is_pattern(query.search) or len(query.search.split()) > _MAX_NAME_WORDS:
        return []
    lookups = (requests.by_name(request, query.search) for request in missing)
    return [lookup for lookup in lookups if lookup is not None]
