"""The state of a request to Open5e."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lorekeeper_mcp.sources.open5e.requests import Request


class FetchState(Enum):
    """The state of a request."""

    FRESH = "fresh"
    STALE = "stale"  # stored, but expired
    PENDING = "pending"
    FAILED = "failed"
    OFFLINE = "offline"


@dataclass(frozen=True)
class FetchStatus:
    """A request with its state, the time of its answer, and the reason for a failed fetch or refresh."""

    request: Request
    state: FetchState
    at: float | None = None
    reason: str = ""
    unreadable: int = 0

    @property
    def answered(self) -> bool:
        """Whether the cache has the whole answer to the request."""
        return self.state in (FetchState.FRESH, FetchState.STALE)
