"""What has been fetched, and when: whether the cache can hold the whole answer to a request."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.sources.open5e.endpoints import endpoints_of
from lorekeeper_mcp.sources.open5e.requests import Request, ledger_request

_MARK = "open5e:"


@dataclass(frozen=True)
class Fetched:
    """A request whose every page was stored. ``at`` in epoch seconds; ``unreadable`` records were left out."""

    request: Request
    at: float
    count: int
    unreadable: int = 0

    def entry(self) -> dict[str, dict[str, object]]:
        """As it stands in the ledger."""
        return {_MARK + self.request.id: {"at": self.at, "count": self.count, "unreadable": self.unreadable}}


@dataclass(frozen=True)
class _Failed:
    at: float
    reason: str


class FetchLedger:
    """The requests that were answered, and those that failed of late."""

    def __init__(self, ttl_seconds: float, error_ttl_seconds: float) -> None:
        self._ttl = ttl_seconds
        self._error_ttl = error_ttl_seconds
        self._fetched: dict[str, dict[frozenset[tuple[str, str]], Fetched]] = {}
        self._failed: dict[str, _Failed] = {}

    def load(self, ledger: Mapping[str, Mapping[str, object]]) -> None:
        """Take over what the ledger tells, whoever fetched it."""
        self._fetched = {}
        for id_, entry in ledger.items():
            if id_.startswith(_MARK):
                at, count, bad = (float(str(entry.get(name) or 0)) for name in ("at", "count", "unreadable"))
                self.fetched(Fetched(ledger_request(id_.removeprefix(_MARK)), at, int(count), int(bad)))

    def fetched(self, fetched: Fetched) -> None:
        """A request has been answered and stored whole."""
        self._fetched.setdefault(fetched.request.path, {})[fetched.request.params] = fetched
        self._failed.pop(fetched.request.path, None)

    def failed(self, request: Request, reason: str) -> None:
        """A request has failed: its endpoint is left alone for a while."""
        self._failed[request.path] = _Failed(time.monotonic(), reason)

    def recent_failure(self, request: Request) -> str | None:
        """Why the endpoint is left alone at present, if it is."""
        failed = self._failed.get(request.path)
        return failed.reason if failed and time.monotonic() - failed.at < self._error_ttl else None

    def troubled(self) -> bool:
        """Whether any endpoint has failed within the last minute."""
        return any(time.monotonic() - failed.at < 60 for failed in self._failed.values())

    def held(self, request: Request) -> Fetched | None:
        """The newest fetch that covers a request, whatever its age."""
        covering = (f for f in self._fetched.get(request.path, {}).values() if f.request.covers(request))
        return max(covering, key=lambda fetched: fetched.at, default=None)

    def fresh(self, fetched: Fetched) -> bool:
        """Whether a fetch is young enough not to be repeated; one from the future (a clock set back) is not."""
        return -60 < time.time() - fetched.at < self._ttl

    def reachable_since(self) -> float | None:
        """When something was last fetched, in epoch seconds."""
        return max((f.at for of_path in self._fetched.values() for f in of_path.values()), default=None)

    def settled(self, kind: Kind) -> bool:
        """Whether everything that Open5e v2 has of a kind has been fetched."""
        paths = [endpoint.path for endpoint in endpoints_of(frozenset({kind})) if endpoint.path.startswith("v2/")]
        return bool(paths) and all(self.held(Request(path)) for path in paths)
