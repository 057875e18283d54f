"""Time limits of an answer: how long it waits for Open5e and for the embedding model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from lorekeeper_mcp.sync.fetch_ledger import FetchState, FetchStatus

UPSTREAM_SECONDS = 7.0  # for Open5e, before the answer is returned as incomplete
DOCUMENTS_SECONDS = 5.0  # of these, for the list of documents if the query names documents
MODEL_SECONDS = 1.0  # for the model, before the answer is ranked by names and words alone
QUICK_MODEL_SECONDS = 10.0  # for a model that normally loads faster than that
_TROUBLED_SECONDS = 9.0  # for both together, if Open5e fails
_PATIENT_SECONDS = 120.0  # for the model in a command, which would load it again next time
_MIN_SECONDS = 0.5
_OPENING_SECONDS = 1.5  # the part of opening a store that does not count as waiting
_AFTER_OPENING_SECONDS = 0.5  # after an opening, answers that start within this time count as having waited for it


@dataclass(frozen=True)
class Opening:
    """The start and end of opening the store, in monotonic seconds; filling a new one takes seconds."""

    began: float
    ended: float

    def waited(self) -> float:
        """Return how many seconds an answer that starts now has waited for the opening."""
        has_waited = time.monotonic() - self.ended < _AFTER_OPENING_SECONDS
        return max(0.0, self.ended - self.began - _OPENING_SECONDS) if has_waited else 0.0


@dataclass(frozen=True)
class Deadline:
    """The time limits of one answer. ``began`` is monotonic; ``wait_for_model`` waits until the model is loaded."""

    began: float
    wait_for_model: bool = False

    @classmethod
    def after(cls, waited: float = 0.0, *, wait_for_model: bool = False) -> Deadline:
        """Return the deadline of an answer that starts now and has already waited some seconds for Open5e."""
        return cls(time.monotonic() - waited, wait_for_model)

    def seconds_left(self) -> float:
        """Return how many seconds the answer may still wait for Open5e."""
        return max(_MIN_SECONDS, self.began + UPSTREAM_SECONDS - time.monotonic())

    def model_seconds(self, statuses: Sequence[FetchStatus], *, loads_quickly: bool) -> float:
        """Return how many seconds the answer may wait for the model."""
        if self.wait_for_model:
            return _PATIENT_SECONDS
        seconds = QUICK_MODEL_SECONDS if loads_quickly else MODEL_SECONDS
        if any(status.state in (FetchState.FAILED, FetchState.PENDING) for status in statuses):
            seconds = min(seconds, max(_MIN_SECONDS, self.began + _TROUBLED_SECONDS - time.monotonic()))
        return seconds
