"""The ledger of answered and failed requests to Open5e, and the state of a request that follows from it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from lorekeeper_mcp.sources.open5e.requests import Request, ledger_request, list_request
from lorekeeper_mcp.store.ledger import Note, decode

_RECHECK = 12  # times the pause after an error, before a retired list or one with unreadable records is fetched again


def _read_request(request: Request | str) -> Request:
    return ledger_request(request) if isinstance(request, str) else request


class _RequestNote(Note):
    """A note about a request, whose id is the note's name. ``at`` in epoch seconds."""

    request: Annotated[Request, BeforeValidator(_read_request)] = Field(exclude=True)
    at: float = 0.0


class Fetch(_RequestNote):
    """A request whose pages are all stored.

    ``unreadable`` counts the records that could not be stored; ``examples`` are some of their names. ``retired`` if the
    endpoint no longer exists, so that the cache has everything there is.
    """

    prefix: ClassVar[str] = "open5e:"
    count: int = 0
    unreadable: int = 0
    examples: tuple[str, ...] = ()
    retired: bool = False


class Refusal(_RequestNote):
    """A list that was refused because it had shrunk too much; ``reason`` is a clause about Open5e."""

    prefix: ClassVar[str] = "refused:"
    reason: str = ""


class FetchState(Enum):
    """The state of a request."""

    FRESH = "fresh"
    STALE = "stale"  # stored, but expired
    PENDING = "pending"
    FAILED = "failed"
    OFFLINE = "offline"


@dataclass(frozen=True)
class FetchStatus:
    """A request with its state, the time of its answer, and the reason for a failed fetch or refresh.

    A pending one has a reason, too, while Open5e sends nothing.
    """

    request: Request
    state: FetchState
    at: float | None = None
    reason: str = ""
    unreadable: int = 0

    @property
    def is_answered(self) -> bool:
        """Whether the cache has the whole answer to the request."""
        return self.state in (FetchState.FRESH, FetchState.STALE)

    @property
    def is_arriving(self) -> bool:
        """Whether the answer will be complete in a moment."""
        return self.state is FetchState.PENDING and not self.reason


class FetchLedger:
    """The requests that were answered, and those that failed within the last minutes.

    ``ttl_seconds`` is how long an answer is fresh, ``error_ttl_seconds`` how long a failed request is not retried.
    ``rejected`` has the requests whose parameters Open5e rejects, so that their whole lists are fetched instead.
    ``recorded`` counts the fetches and refusals that this process has recorded.
    """

    def __init__(self, ttl_seconds: float, error_ttl_seconds: float) -> None:
        self._ttl = ttl_seconds
        self._error_ttl = error_ttl_seconds
        self._fetched: dict[str, dict[frozenset[tuple[str, str]], Fetch]] = {}
        self._refused: dict[Request, Refusal] = {}
        self._failed: dict[Request, tuple[float, str]] = {}  # monotonic times and reasons
        self.rejected: set[Request] = set()
        self.recorded = 0
        self._last_failure_at = float("-inf")

    def load(self, ledger: Mapping[str, Mapping[str, object]]) -> None:
        """Load the entries of the ledger, including those of other processes."""
        self._fetched = {}
        for fetched in decode(ledger, Fetch).values():
            self._add(fetched)
        self._refused = {refused.request: refused for refused in decode(ledger, Refusal).values()}

    def record_fetch(self, fetched: Fetch) -> None:
        """Record that the whole answer to a request is stored."""
        self._add(fetched)
        self.recorded += 1
        self._failed.pop(fetched.request, None)
        self._failed.pop(list_request(fetched.request.path), None)

    def record_refusal(self, refusal: Refusal) -> None:
        """Record that a list was refused, for the status of this process."""
        self._refused[refusal.request] = refusal
        self.recorded += 1

    def _add(self, fetched: Fetch) -> None:
        self._fetched.setdefault(fetched.request.path, {})[fetched.request.params] = fetched

    def record_failure(self, request: Request, reason: str) -> None:
        """Record a failed request or endpoint, which is not retried for a while."""
        self._last_failure_at = time.monotonic()
        self._failed[request] = self._last_failure_at, reason

    def recent_failure(self, request: Request) -> str | None:
        """Return why the request or its whole endpoint is not retried now; None if it may be."""
        for asked in (request, list_request(request.path)):
            failed_at, reason = self._failed.get(asked, (float("-inf"), ""))
            if time.monotonic() - failed_at < self._error_ttl:
                return reason
        return None

    def forget_failures(self) -> None:
        """Let every failed request be retried now."""
        self._failed.clear()

    def has_recent_failures(self) -> bool:
        """Whether anything has failed within the last minute."""
        return time.monotonic() - self._last_failure_at < 60

    def covering_fetch(self, request: Request) -> Fetch | None:
        """Return the newest fetch that covers a request, whatever its age."""
        fetches = self._fetched.get(request.path, {}).values()
        covering = (fetched for fetched in fetches if fetched.request.covers(request))
        return max(covering, key=lambda fetched: fetched.at, default=None)

    def is_fresh(self, fetched: Fetch) -> bool:
        """Whether a fetch is fresh. It is not if its time is in the future, since then the clock was set back.

        Archives do not change and stay fresh. A list with unreadable records is fetched again sooner.
        """
        if fetched.unreadable:
            return self._is_younger(fetched, min(self._ttl, _RECHECK * self._error_ttl))
        return fetched.request.endpoint.is_archive or self._is_younger(fetched, self._ttl)

    def needs_recheck(self, fetched: Fetch) -> bool:
        """Whether to check if a retired endpoint is back."""
        return fetched.retired and not self._is_younger(fetched, _RECHECK * self._error_ttl)

    @staticmethod
    def _is_younger(fetched: Fetch, seconds: float) -> bool:
        return -60 < time.time() - fetched.at < seconds

    def refused(self) -> list[Refusal]:
        """Return the lists that were refused when they were last fetched."""
        fetches = ((self.covering_fetch(refused.request), refused) for refused in self._refused.values())
        return [refused for fetched, refused in fetches if fetched is None or fetched.at < refused.at]
