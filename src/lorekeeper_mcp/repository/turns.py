"""Turns: of calls that come together, a few compute at a time, in the order in which they came."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_PLACES = 2  # calls that compute at a time; more would only end later


class BusyError(Exception):
    """Too many calls came together; the message is for the caller."""

    def __init__(self) -> None:
        super().__init__("busy: too many calls came at once. Call again in a moment, and fewer at a time.")


class Turns:
    """A queue by number. A call that fetches in between keeps its number, and goes before those that came later."""

    def __init__(self) -> None:
        self._free = _PLACES
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    @property
    def are_taken(self) -> bool:
        """Whether a call computes."""
        return self._free < _PLACES

    def number(self) -> int:
        """Return the number of a call."""
        return next(self._numbers)

    @asynccontextmanager
    async def turn(self, number: int, seconds: float | None = None) -> AsyncIterator[None]:
        """Wait for a turn and take it. Raises BusyError after some seconds."""
        await self._wait(number, seconds)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, number: int, seconds: float | None) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (number, turn))
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:  # also a cancelled call has to pass its turn on
            if turn.done() and not turn.cancelled():  # it came in the same moment
                self._pass_on()
            if isinstance(error, TimeoutError):
                raise BusyError from None
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
