"""A server as a client starts it: a process with the protocol on its standard streams."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BARE = """
from fastmcp import FastMCP
server = FastMCP("bare")
@server.tool
def nothing() -> None: ...
server.run(transport="stdio", show_banner=False)
"""
BARE_COMMAND = (sys.executable, "-c", BARE)
OUR_COMMAND = (sys.executable, "-m", "lorekeeper_mcp")
NOWHERE = "http://127.0.0.1:9"


def environment(db: Path, url: str = NOWHERE, **variables: str) -> dict[str, str]:
    """The environment of a process that shares nothing with the user's own data and runs no background tasks."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(db.parent),
        "XDG_DATA_HOME": str(db.parent / "data"),
        "XDG_CONFIG_HOME": str(db.parent / "config"),
        "FASTMCP_CHECK_FOR_UPDATES": "off",
        "LOREKEEPER_MILVUS_DB_PATH": str(db),
        "LOREKEEPER_OPEN5E_BASE_URL": url,
        "LOREKEEPER_BACKGROUND_FILL": "false",
        **variables,
    }


@dataclass
class Server:
    """A running server. Times in seconds since its process was started."""

    process: subprocess.Popen[bytes]
    began: float
    initialized: float = 0.0
    listed: float = 0.0
    calls: int = 2

    def send(self, number: int | None, method: str, **params: object) -> None:
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def reply(self) -> dict[str, object]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the server has ended")
        answer: dict[str, object] = json.loads(line)
        return answer

    def age(self) -> float:
        return time.perf_counter() - self.began

    def call(self, tool: str, arguments: Mapping[str, object]) -> tuple[float, dict[str, object]]:
        """Milliseconds of a call, and the structured half of its answer."""
        return self.together([(tool, arguments)])[0]

    def together(self, calls: Sequence[tuple[str, Mapping[str, object]]]) -> list[tuple[float, dict[str, object]]]:
        """Send several calls at once: for each the milliseconds until its answer, in the order of arrival."""
        start = time.perf_counter()
        for tool, arguments in calls:
            self.calls += 1
            self.send(self.calls, "tools/call", name=tool, arguments=dict(arguments))
        answers = []
        for _ in calls:
            result = self.reply().get("result")
            if not isinstance(result, dict) or result.get("isError"):
                raise RuntimeError(f"a call failed: {result}")
            answers.append((1000 * (time.perf_counter() - start), result["structuredContent"]))
        return answers

    def memory(self) -> float:
        """Resident megabytes; 0 if the system does not provide them (they are read from /proc)."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return 0.0
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


@contextlib.contextmanager
def served(command: Sequence[str], variables: Mapping[str, str]) -> Iterator[Server]:
    """Start a server, initialize it and list its tools; it ends with the block."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, env=dict(variables), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        server = Server(process, start)
        client = {"name": "benchmark", "version": "1"}
        server.send(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        server.reply()
        server.initialized = server.age()
        server.send(None, "notifications/initialized")
        server.send(2, "tools/list")
        server.reply()
        server.listed = server.age()
        try:
            yield server
        finally:
            process.kill()
