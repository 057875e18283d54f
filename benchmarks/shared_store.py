"""Measures the cost of another process beside the owner: memory, first answer, warm questions, a command."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.answer_times import QUESTIONS
from benchmarks.figures import Figure, median
from benchmarks.processes import BARE_COMMAND, OUR_COMMAND, environment, served

_WARMING_SECONDS = 10.0  # without a call, so that the owner can finish its warm-up
_SETTLING_SECONDS = 2.0  # a relay connects to the owner after its first reply


def measure(db: Path, times: int) -> Iterator[Figure]:
    """Yield every figure, alternating with the owner's own and with a bare server."""
    variables = environment(db, LOREKEEPER_OFFLINE="true")
    with served(OUR_COMMAND, variables) as owner:
        owner.call("search_spell", {"search": "Fireball"})
        time.sleep(_WARMING_SECONDS)
        firsts, memory, bare = [], [], []
        for number in range(times):
            with served(OUR_COMMAND, variables) as relay:
                first, _ = relay.call("search_spell", {"level": number, "limit": 10})
                firsts.append(first / 1000)
                for text in QUESTIONS:
                    relay.call("search_spell", {"search": text, "limit": 10})
                memory.append(relay.memory())
            with served(BARE_COMMAND, variables) as server:
                bare.append(server.memory())
        yield Figure("further process: first answer", median(firsts), "s", times, 0.2)
        yield Figure(
            "further process: memory", median(memory), "MB", times, 1.4, median(bare), "bare", of_yardstick=True
        )
        with served(OUR_COMMAND, variables) as relay:
            time.sleep(_SETTLING_SECONDS)
            own: list[float] = []
            relayed: list[float] = []
            for number in range(times):
                for text in QUESTIONS:
                    for server, taken in ((owner, own), (relay, relayed)):  # no question twice: embeddings are cached
                        call = {"search": f"{text} {number} {id(taken)}", "limit": 10, "detail": "brief"}
                        taken.append(server.call("search_spell", call)[0])
            yield Figure(
                "further process: question",
                median(relayed),
                "ms",
                len(own),
                1.5,
                median(own),
                "owner",
                of_yardstick=True,
            )
        shown = [_processor_seconds(variables, "show", "fireball") for _ in range(times)]
        empty = [_processor_seconds(variables, "--version") for _ in range(times)]
        yield Figure("show fireball: processor", median(shown), "s", times, 1.0, median(empty), "--version")


def _processor_seconds(variables: dict[str, str], *arguments: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "lorekeeper_mcp", *arguments], env=variables, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
