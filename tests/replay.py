"""A process that serves an Open5e over HTTP, with its quirks, a request log and faults on demand."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

from tests.served_open5e import SERVER

ROOT = Path(__file__).parents[1]
_OPENER = build_opener(ProxyHandler({}))


@dataclass(frozen=True)
class Replay:
    """A running replay server."""

    url: str

    def log(self) -> list[dict[str, Any]]:
        """Requests served since the last reset: path, query, status, fault."""
        requests: list[dict[str, Any]] = json.loads(self._answer("__log"))
        return requests

    def reset(self) -> None:
        """Forget the log and all faults."""
        self._answer("__reset", {})

    def fault(self, mode: str, *, path: str = "/", times: int = -1, seconds: float = 30) -> None:
        """Spoil the next answers: 500, 503, 429, html, truncated, drop, slow, malformed or wrongshape."""
        self._answer("__fault", {"mode": mode, "path": path, "times": times, "seconds": seconds})

    def _answer(self, path: str, body: dict[str, object] | None = None) -> bytes:
        """What the server replies. httpx would read all certificates for each request."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}/{path}", data, {"Content-Type": "application/json"})
        with _OPENER.open(request, timeout=60) as reply:
            answer: bytes = reply.read()
        return answer


@contextlib.contextmanager
def serve() -> Iterator[Replay]:
    """Run a replay server on a free port until the block ends."""
    with subprocess.Popen([sys.executable, *SERVER], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield Replay(process.stdout.readline().strip())
        finally:
            process.terminate()
