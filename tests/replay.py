"""A process that serves an Open5e over HTTP, with its quirks, a request log and faults on demand."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.served_open5e import SERVER

ROOT = Path(__file__).parents[1]


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
    with subprocess.Popen([sys.executable, *SERVER], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield Replay(process.stdout.readline().strip())
        finally:
            process.terminate()
