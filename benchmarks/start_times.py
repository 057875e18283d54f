"""Start and memory against a bare FastMCP server with one empty tool, in turn."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, median
from benchmarks.processes import BARE_COMMAND, OUR_COMMAND, environment, served

_IDLE_SECONDS = 0.2  # a server is idle before its warm-up, which begins 0.3 s after the last reply


def measure(db: Path, times: int) -> Iterator[Figure]:
    """Yield start, help and idle memory; the first start of each is not counted, since it reads files from the disk."""
    starts: dict[str, list[tuple[float, float, float]]] = {"bare": [], "ours": []}
    variables = environment(db, LOREKEEPER_OFFLINE="true")
    for _ in range(times + 1):
        for name, command in (("bare", BARE_COMMAND), ("ours", OUR_COMMAND)):
            with served(command, variables) as server:
                time.sleep(_IDLE_SECONDS)
                starts[name].append((server.initialized, server.listed, server.memory()))
    bare, ours = ([median([times[i] for times in starts[name][1:]]) for i in range(3)] for name in ("bare", "ours"))
    yield Figure("start to initialize", ours[0], "s", times, 1.15, bare[0], "bare", of_yardstick=True)
    yield Figure("start to tools/list", ours[1], "s", times, 1.15, bare[1], "bare", of_yardstick=True)
    yield Figure("memory after tools/list", ours[2], "MB", times, 130, bare[2], "bare")
    empty = median([_seconds("-c", "pass") for _ in range(times)])
    for option in ("--help", "--version"):
        taken = median([_seconds("-m", "lorekeeper_mcp", option) for _ in range(times)])
        yield Figure(option, 1000 * taken, "ms", times, 150, 1000 * empty, "python -c pass")


def _seconds(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
