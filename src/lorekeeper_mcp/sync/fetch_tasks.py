"""Fetch tasks: one per name, awaited by any number of callers, and cancelled with the last of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial

from lorekeeper_mcp.sources.open5e.requests import Request


@dataclass
class FetchTask:
    """A running task: its requests, and the number of waiting callers.

    It is ``detached`` once a caller's timeout is over, and then continues in the background.
    """

    task: asyncio.Task[None]
    requests: Sequence[Request]
    waiting: int = 0
    detached: bool = False


class FetchTasks:
    """Owns the running tasks. ``on_error`` is called with every exception that a task does not handle."""

    def __init__(self, on_error: Callable[[Sequence[Request], BaseException], None]) -> None:
        self._on_error = on_error
        self._running: dict[str, FetchTask] = {}

    async def aclose(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        tasks = [running.task for running in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def start(
        self, name: str, requests: Sequence[Request], work: Callable[[], Coroutine[None, None, None]]
    ) -> FetchTask:
        """Start a task, or return the running one with that name, unless that is being cancelled."""
        if (running := self._running.get(name)) is not None and not running.task.cancelling():
            return running
        task = asyncio.create_task(work(), name=f"fetch {name}")
        self._running[name] = running = FetchTask(task, requests)
        task.add_done_callback(partial(self._end, name, running))
        return running

    def _end(self, name: str, running: FetchTask, task: asyncio.Task[None]) -> None:
        if self._running.get(name) is running:
            del self._running[name]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._on_error(running.requests, error)

    def find_covering(self, request: Request) -> FetchTask | None:
        """Return a running task that covers a request and is not being cancelled, or None."""
        for running in self._running.values():
            if not running.task.cancelling() and any(fetched.covers(request) for fetched in running.requests):
                return running
        return None

    def is_awaited(self, name: str) -> bool:
        """Whether a caller is waiting for a task."""
        running = self._running.get(name)
        return running is not None and running.waiting > 0

    @staticmethod
    async def wait(runs: Sequence[FetchTask], seconds: float | None = None) -> None:
        """Wait for tasks, at most ``seconds``. A cancelled caller cancels the tasks that only it awaits."""
        if not runs:
            return
        for run in runs:
            run.waiting += 1
        try:
            await asyncio.wait({run.task for run in runs}, timeout=seconds)
            for run in runs:
                run.detached = True
        except asyncio.CancelledError:
            for run in runs:
                if run.waiting == 1 and not run.detached:
                    run.task.cancel()
            raise
        finally:
            for run in runs:
                run.waiting -= 1
