"""The requests that answer a query: endpoints and their parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.corrections import corrected_keys
from lorekeeper_mcp.filters import FILTERS, Filter
from lorekeeper_mcp.models import Edition
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.sources.open5e.endpoints import BY_PATH, ENDPOINTS, GAME_SYSTEMS, V1_DOCUMENTS, Endpoint

PAGE_SIZE = 500
_MIN_PART = 4  # letters of a name that are worth a request
_PLAIN = re.compile(r"[a-z0-9][a-z0-9 -]*[a-z0-9]|[a-z0-9]")  # a text that matches the same way here and upstream


@dataclass(frozen=True)
class Request:
    """All pages of an endpoint with some parameters; without parameters, the whole endpoint."""

    path: str
    params: frozenset[tuple[str, str]] = frozenset()

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint of the request."""
        return BY_PATH[self.path]

    @property
    def id(self) -> str:
        """The id of the request in the ledger."""
        return f"{self.path}?{'&'.join(f'{k}={v}' for k, v in sorted(self.params))}"

    def covers(self, other: Request) -> bool:
        """Whether this request's results include all of the other's."""
        return self.path == other.path and self.params <= other.params


def list_request(path: str) -> Request:
    """Return the request for a whole endpoint."""
    return Request(path)


def requests_for(query: FamilyQuery) -> list[Request]:
    """Return requests that cover every match of the query's filters, documents and edition, whatever its search text.

    Supplements are always included: without them a match may lack half of its text.
    """
    kinds = query.possible_kinds
    return [
        request
        for endpoint in ENDPOINTS
        if endpoint.kinds & kinds and _concerns(endpoint, query)
        for request in (
            Request(endpoint.path, frozenset(_params(endpoint, query).items())),
            *_wrongly_left_out(endpoint, query),
        )
    ]


def _wrongly_left_out(endpoint: Endpoint, query: FamilyQuery) -> list[Request]:
    """The records that Open5e filters by a wrong value: these are fetched by key, corrected, and filtered in the cache.

    They are requested whenever a sent filter uses a corrected value, and always all of them, so that the
    next query is a cache hit.
    """
    sent = [active.filter for active in query.filters if active.params(endpoint.path)]
    if not _corrected_keys(endpoint, sent):
        return []
    return by_keys(endpoint.path, _corrected_keys(endpoint, (row for rows in FILTERS.values() for row in rows)))


def _corrected_keys(endpoint: Endpoint, filters: Iterable[Filter]) -> frozenset[str]:
    """The keys of an endpoint's records with a correction of a value that one of the filters compares upstream."""
    fields = frozenset(column.name for row in filters if endpoint.path in row.upstream for column in row.columns)
    return frozenset(key for kind in endpoint.kinds for key in corrected_keys(kind, fields))


def _concerns(endpoint: Endpoint, query: FamilyQuery) -> bool:
    if endpoint.is_archive and query.edition is Edition.E2024:  # version 1 ended before
        return False
    if query.documents is None:
        return True
    # v2 has none of the documents that only v1 has.
    wanted = query.documents if endpoint.is_archive else query.documents.difference(V1_DOCUMENTS)
    return bool(wanted if endpoint.documents is None else wanted & endpoint.documents)


def _params(endpoint: Endpoint, query: FamilyQuery) -> dict[str, str]:
    params: dict[str, str] = {}
    for active in query.filters:
        params |= active.params(endpoint.path)
    if endpoint.by_document and query.documents is not None:
        params["document__key__in"] = ",".join(sorted(query.documents))
    if endpoint.by_edition and query.edition is not None:
        params["document__gamesystem__key__in"] = GAME_SYSTEMS[query.edition]
    return params


def by_name(request: Request, name: str, *, part: bool = False) -> Request | None:
    """Return a request for all records with a name, or whose names contain a ``part``; None if that is not possible.

    Some endpoints compare whole names only. Apostrophes, accents and case beyond ASCII match differently
    upstream, so only the longest plain part of a name is sent. The key of a record is a name, too.
    """
    param = request.endpoint.name
    text = name.strip().lower()
    if "_" in text and param and not request.endpoint.is_archive:
        return Request(request.path, request.params | {("key__in", text)})
    text = text.rpartition("_")[2]
    plain = max(_PLAIN.findall(text), key=len, default="")
    if param is None or len(plain) < min(len(text), _MIN_PART) or len(text) > 80:
        return None
    if param.endswith("iexact") and (part or plain != text):
        return None
    return Request(request.path, request.params | {(param, plain)})


def by_keys(path: str, keys: Iterable[str]) -> list[Request]:
    """Return requests for single records, each short enough for a request line of 4,094 bytes."""
    requests: list[Request] = []
    line: list[str] = []
    size = 0
    for key in sorted(keys):
        if line and size + len(key) + 3 > 3000:
            requests.append(Request(path, frozenset({("key__in", ",".join(line))})))
            line, size = [], 0
        line.append(key)
        size += len(key) + 3
    return [*requests, Request(path, frozenset({("key__in", ",".join(line))}))] if line else requests


def ledger_request(id_: str) -> Request:
    """Return the request for an id in the ledger."""
    path, _, tail = id_.partition("?")
    pairs = (pair.partition("=") for pair in tail.split("&") if pair)
    return Request(path, frozenset((name, value) for name, _, value in pairs))


def parameters(request: Request) -> list[Mapping[str, str]]:
    """Return every parameter as sent, without the page, for each list of the endpoint."""
    return [{**always, **dict(request.params)} for always in request.endpoint.lists]
