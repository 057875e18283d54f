"""How long a call has waited for owners that ended before they answered, so that the next one waits less for Open5e.

The client's own process notes when the call arrived, and tells the owner in the ``_meta`` of the request.
"""

from __future__ import annotations

import math
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastmcp import Context

_ARRIVAL: ContextVar[float | None] = ContextVar("arrival", default=None)  # of the call that this task answers
_WAITED = "lorekeeper/waited"


def note_arrival() -> None:
    """Note the arrival time of the call."""
    _ARRIVAL.set(time.monotonic())


def seconds_waited(ctx: Context) -> float:
    """Return the seconds that the call has waited, here or in the relay that passed it on."""
    if (arrival := _ARRIVAL.get()) is not None:
        return time.monotonic() - arrival
    meta = ctx.request_context.meta if ctx.request_context else None
    waited = (meta or {}).get(_WAITED, 0.0)
    return float(waited) if isinstance(waited, float | int) and math.isfinite(waited) else 0.0


def waiting_time_meta(ctx: Context) -> dict[str, float]:
    """Return the metadata that passes the waiting time to the owner."""
    return {_WAITED: seconds_waited(ctx)}
