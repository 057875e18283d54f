"""A process that owns a store while several commands use it."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.end_to_end.clients import NOWHERE, environment
from tests.forked_command import command_line

HELLO = (
    b"""{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
"capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}}""".replace(b"\n", b" ")
    + b"\n"
)


@contextlib.contextmanager
def running_owner(db: Path, offline: str = "true", url: str = NOWHERE) -> Iterator[Path]:
    """Let a server own a store: commands then take a fraction of the time that opening the store takes."""
    with subprocess.Popen(
        command_line(),
        env=environment(db, url, LOREKEEPER_OFFLINE=offline),
        cwd=db.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin
        process.stdin.write(HELLO)  # it joins after its first reply
        process.stdin.flush()
        while not (db / "owner.json").exists():
            assert process.poll() is None
            time.sleep(0.02)
        yield db
        process.kill()
