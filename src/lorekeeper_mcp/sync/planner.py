"""The requests to Open5e that cover a query."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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
    by_part = ((requests.by_name(request, part, part=True), request) for request in required)
    return [request if narrowed is None or request.endpoint.completes else narrowed for narrowed, request in by_part]


def may_be_name(search: str) -> bool:
    """Whether a text may be the name of a record."""
    return bool(fold(search)) and not is_pattern(search) and len(search.split()) <= _MAX_NAME_WORDS


def name_lookups(missing: Iterable[Request], names: Collection[str]) -> tuple[list[Request], list[Request]]:
    """Return quick requests for everything with some names in missing lists, and the lists without such a request."""
    lookups: list[Request] = []
    whole: list[Request] = []
    for request in missing:
        for name in names:
            lookup = requests.by_name(request, name)
            lookups += [lookup] if lookup else []
            whole += [] if lookup or request in whole else [request]
    return lookups, whole
