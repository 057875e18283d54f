"""Tracks whether answers are in progress, so that background work can yield to them."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Iterator

PAUSE_SECONDS = 0.3  # after a reply, before more is loaded, since a client lists the tools right after initialization
QUIET_SECONDS = 3.0  # after the start and after each answer, before anything is fetched in the background


class IdleTracker:
    """Counts the answers in progress."""

    def __init__(self) -> None:
        self._answering = 0
        self._last = time.monotonic()
        self.first = asyncio.Event()  # set after the first answer

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Count an answer while the block runs."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            self._last = time.monotonic()
            self.first.set()

    def busy(self) -> bool:
        """Whether an answer is in progress."""
        return self._answering > 0

    async def wait_until_idle(self, seconds: float, at_most: float = math.inf) -> None:
        """Wait until no answer has been in progress for ``seconds``, but no longer than ``at_most`` seconds."""
        until = time.monotonic() + at_most
        while (now := time.monotonic()) < until:
            rest = seconds - (now - self._last)
            if rest <= 0 and not self.busy():
                return
            await asyncio.sleep(min(max(0.05, rest), until - now))
