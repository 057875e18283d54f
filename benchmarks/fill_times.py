"""Measures a new user's first start: the time until the built-in data, and all of Open5e, can be found."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.processes import OUR_COMMAND, Server, environment, served

_MAX_SECONDS = 600.0
_LATE = ("search_rule", "search_equipment", "search_creature", "search_spell", "search_character_option")


@contextlib.contextmanager
def replayed(recorded: Path) -> Iterator[str]:
    """Yield the address of a server that replays the recorded data."""
    command = [sys.executable, str(recorded / "replay.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def first_start(db: Path) -> Figure:
    """Seconds from the very first start to the first answer, from the built-in data."""
    with served(OUR_COMMAND, environment(db, LOREKEEPER_OFFLINE="true")) as server:
        server.call("search_creature", {"search": "undead that drain life", "limit": 3})
        return Figure("embedded SRD: first answer of all", server.age(), "s", 1)


def measure(db: Path, recorded: Path) -> Iterator[Figure]:
    """Seconds from the first start until everything is found by words, and until everything is found by meaning."""
    variables = {"LOREKEEPER_BACKGROUND_FILL": "true"}
    with replayed(recorded) as url, served(OUR_COMMAND, environment(db, url, **variables)) as server:
        words = _until(server, "by words")
        yield Figure("all of Open5e found by words", words, "s", 1, 60)
        yield Figure("all of Open5e found by meaning", _until(server, "by meaning"), "s", 1, 90)


def _until(server: Server, how: str) -> float:
    """The server's age when every tool's answers are complete, or no longer mention records without embeddings."""
    waiting = list(_LATE)
    while waiting:
        arguments = {"limit": 1, "detail": "brief", "search": "a light in the dark" if how == "by meaning" else ""}
        _, answer = server.call(waiting[0], arguments)
        hint = str(answer["hint"] or "")
        if answer["complete"] and not (how == "by meaning" and "not yet by meaning" in hint):
            waiting.pop(0)
        elif server.age() > _MAX_SECONDS:
            raise RuntimeError(f"{waiting[0]} is not complete after {_MAX_SECONDS:.0f} s: {hint}")
        else:
            time.sleep(0.5)
    return server.age()
