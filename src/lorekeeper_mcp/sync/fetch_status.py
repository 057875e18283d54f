"""How far a request to Open5e is answered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lorekeeper_mcp.sources.open5e.requests import Request


class FetchState(Enum):
    """How far a request is answered."""

    FRESH = "fresh"
    STALE = "stale"  # stored, but expired
    PENDING = "pending"
    FAILED = "failed"
    OFFLINE = "offline"


@dataclass(frozen=True)
class FetchStatus:
    """A request and how far it is answered; ``at`` is when, ``reason`` why not, or why not again."""

    request: Request
    state: FetchState
    at: float | None = None
    reason: str = ""
    unreadable: int = 0

    @property
    def answered(self) -> bool:
        """Whether all that Open5e had for the request is in the cache."""
        return self.state in (FetchState.FRESH, FetchState.STALE)
