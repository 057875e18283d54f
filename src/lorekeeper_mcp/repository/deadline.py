"""Time limits of an answer, counted from the call's arrival: the wait for Open5e and for the embedding model."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass

UPSTREAM_SECONDS = 6.5  # for Open5e, before the answer is returned as incomplete
MODEL_SECONDS = 1.0  # for the model, before the answer is ranked by names and words alone
LOADING_SECONDS = 6.5  # for the embedded SRDs and imported books, before the answer does without the rest of them
_TURN_SECONDS, _MIN_TURN_SECONDS = 5.5, 2.0  # for other calls that compute, before the call is turned away
_MOST_SECONDS = 7.0  # for everything
_PATIENT_SECONDS = 120.0  # for the model in a command, which would load it again next time
_MIN_SECONDS = 0.3  # an answer that comes from nearby takes less

_arrival: ContextVar[float] = ContextVar("arrival")


@contextlib.contextmanager
def counted_from_now(waited: float = 0.0) -> Iterator[None]:
    """Count the time limits of the answer within from now, or earlier if the call has ``waited`` some seconds already.

    Opening the store counts, too. An inner use of this changes nothing.
    """
    if _arrival.get(None) is not None:
        yield
        return
    token = _arrival.set(time.monotonic() - waited)
    try:
        yield
    finally:
        _arrival.reset(token)


@dataclass(frozen=True)
class Deadline:
    """The time limits of one answer. ``began`` is monotonic; ``wait_for_model`` waits until the model is loaded."""

    began: float
    wait_for_model: bool = False

    @classmethod
    def of_call(cls, *, wait_for_model: bool = False) -> Deadline:
        """Return the deadline of the call in progress."""
        return cls(_arrival.get(time.monotonic()), wait_for_model)

    def seconds_left(self, silence: float = 0.0) -> float:
        """Return how many seconds the answer may still wait for Open5e, which has sent nothing for ``silence`` seconds.

        Answers share the wait for a silent Open5e: those that come later do not wait as long again.
        """
        waited = max(time.monotonic() - self.began, silence)
        return max(_MIN_SECONDS, UPSTREAM_SECONDS - waited)

    def loading_seconds(self) -> float | None:
        """Return how many seconds the answer may wait for records that are being loaded; None for a command."""
        return None if self.wait_for_model else self._until(LOADING_SECONDS)

    def turn_seconds(self) -> float:
        """Return how many seconds the call may wait for its turn."""
        return max(_MIN_TURN_SECONDS, self._until(_TURN_SECONDS))

    def model_seconds(self, *, loads_quickly: bool) -> float:
        """Return how many seconds the answer may wait for the model, which in a quiet process takes less than one."""
        if self.wait_for_model:
            return _PATIENT_SECONDS
        rest = self._until(_MOST_SECONDS)
        return rest if loads_quickly else min(rest, MODEL_SECONDS)

    def _until(self, seconds: float) -> float:
        return max(_MIN_SECONDS, self.began + seconds - time.monotonic())
