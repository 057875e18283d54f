"""A process that serves the recorded Open5e over HTTP, with its quirks, a request log and faults on demand."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from tests.recorded import FOLDER


@dataclass(frozen=True)
class Replay:
    """A running replay server."""

    url: str

    def log(self) -> list[dict[str, Any]]:
        """Requests served since the last reset: path, query, status, fault."""
        requests: list[dict[str, Any]] = httpx.get(f"{self.url}/__log").json()
        return requests

    def reset(self) -> None:
        """Forget the log and all faults."""
        httpx.post(f"{self.url}/__reset")

    def fault(self, mode: str, *, path: str = "/", times: int = -1, seconds: float = 30) -> None:
        """Spoil the next answers: 500, 503, 429, html, truncated, drop, slow, malformed or wrongshape."""
        httpx.post(f"{self.url}/__fault", json={"mode": mode, "path": path, "times": times, "seconds": seconds})


@contextlib.contextmanager
def serve() -> Iterator[Replay]:
    """Run a replay server on a free port until the block ends."""
    command = [sys.executable, str(FOLDER / "replay.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Replay(process.stdout.readline().strip())
        finally:
            process.terminate()
