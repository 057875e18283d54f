"""Which requests Open5e has answered, and when: whether the cache can hold the whole answer to a request."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from lorekeeper_mcp.sources.open5e.requests import Request, ledger_request, whole
from lorekeeper_mcp.store.ledger import FetchNote, RefusalNote, decode, encode

_RECHECK = 12  # times the rest after an error: when a list with unreadable records, or a retired one, is asked again


@dataclass(frozen=True)
class Fetched:
    """A request whose every page was stored. ``at`` in epoch seconds.

    ``unreadable`` records could not be stored; ``examples`` are names of some. ``retired`` where the endpoint is no
    longer there: what the cache has of it is then all there is.
    """

    request: Request
    at: float
    count: int
    unreadable: int = 0
    examples: tuple[str, ...] = ()
    retired: bool = False

    def entry(self) -> dict[str, dict[str, object]]:
        """Return the ledger's entry for it."""
        note = FetchNote(
            at=self.at, count=self.count, unreadable=self.unreadable, examples=self.examples, retired=self.retired
        )
        return encode({self.request.id: note})


@dataclass(frozen=True)
class Refused:
    """A list that had lost too much to be believed. ``at`` in epoch seconds, ``reason`` a clause about Open5e."""

    request: Request
    at: float
    reason: str

    def entry(self) -> dict[str, dict[str, object]]:
        """Return the ledger's entry for it."""
        return encode({self.request.id: RefusalNote(at=self.at, reason=self.reason)})


@dataclass(frozen=True)
class _Failed:
    at: float
    reason: str


class FetchLedger:
    """The requests that were answered, and those that failed within the last minutes.

    ``ttl_seconds`` is how long an answer is fresh, ``error_ttl_seconds`` how long a failed request rests.
    """

    def __init__(self, ttl_seconds: float, error_ttl_seconds: float) -> None:
        self._ttl = ttl_seconds
        self._error_ttl = error_ttl_seconds
        self._fetched: dict[str, dict[frozenset[tuple[str, str]], Fetched]] = {}
        self._refused: dict[Request, Refused] = {}
        self._failed: dict[Request, _Failed] = {}
        self._rejected: set[Request] = set()
        self._last_trouble = float("-inf")

    def load(self, ledger: Mapping[str, Mapping[str, object]]) -> None:
        """Take over what the ledger says, whoever wrote it."""
        self._fetched, self._refused = {}, {}
        for id_, fetch in decode(ledger, FetchNote).items():
            request = ledger_request(id_)
            self._add(Fetched(request, fetch.at, fetch.count, fetch.unreadable, fetch.examples, fetch.retired))
        for id_, refusal in decode(ledger, RefusalNote).items():
            request = ledger_request(id_)
            self._refused[request] = Refused(request, refusal.at, refusal.reason)

    def fetched(self, fetched: Fetched) -> None:
        """Record that a request has been answered and stored whole."""
        self._add(fetched)
        self._failed.pop(fetched.request, None)
        self._failed.pop(whole(fetched.request.path), None)

    def _add(self, fetched: Fetched) -> None:
        self._fetched.setdefault(fetched.request.path, {})[fetched.request.params] = fetched

    def failed(self, request: Request, reason: str) -> None:
        """Record that a request has failed: it rests for a while; a failed whole endpoint rests altogether."""
        self._last_trouble = time.monotonic()
        self._failed[request] = _Failed(self._last_trouble, reason)

    def rejected(self, request: Request) -> None:
        """Record that Open5e does not accept a request's parameters: its endpoint is then asked for whole."""
        self._rejected.add(request)

    def is_rejected(self, request: Request) -> bool:
        """Whether Open5e did not accept the request's parameters."""
        return request in self._rejected

    def recent_failure(self, request: Request) -> str | None:
        """Return why the request, or its whole endpoint, is left alone at present, if it is."""
        for failed in (self._failed.get(request), self._failed.get(whole(request.path))):
            if failed and time.monotonic() - failed.at < self._error_ttl:
                return failed.reason
        return None

    def troubled(self) -> bool:
        """Whether anything has failed within the last minute."""
        return time.monotonic() - self._last_trouble < 60

    def covering_fetch(self, request: Request) -> Fetched | None:
        """Return the newest fetch that covers a request, whatever its age."""
        covering = (f for f in self._fetched.get(request.path, {}).values() if f.request.covers(request))
        return max(covering, key=lambda fetched: fetched.at, default=None)

    def fresh(self, fetched: Fetched) -> bool:
        """Whether a fetch is young enough not to be repeated; one from the future (a clock set back) is not.

        An archive does not change: it is fetched once. A list with unreadable records is tried again sooner.
        """
        if fetched.unreadable:
            return self._is_younger(fetched, min(self._ttl, _RECHECK * self._error_ttl))
        return fetched.request.endpoint.is_archive or self._is_younger(fetched, self._ttl)

    def recheck_due(self, fetched: Fetched) -> bool:
        """Whether to see if a retired endpoint has come back."""
        return fetched.retired and not self._is_younger(fetched, _RECHECK * self._error_ttl)

    @staticmethod
    def _is_younger(fetched: Fetched, seconds: float) -> bool:
        return -60 < time.time() - fetched.at < seconds

    def refused(self) -> list[Refused]:
        """Return the lists that were last not believed, and have not been answered since."""
        return [
            refused
            for request, refused in self._refused.items()
            if (known := self.covering_fetch(request)) is None or known.at < refused.at
        ]
