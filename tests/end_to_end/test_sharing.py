"""Several processes on one data folder."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.conftest import Processes
from tests.end_to_end.busy_client import ask_without_end
from tests.end_to_end.clients import PYTHON, ask, environment, names, over_stdio

KILLS = 20


@pytest.mark.chaos
async def test_four_servers_and_two_commands_start_together_on_an_empty_folder(tmp_path: Path) -> None:
    db = tmp_path / "x.db"

    async def server() -> list[str]:
        async with over_stdio(db, start=PYTHON, LOREKEEPER_OFFLINE="true") as client:
            return names(await ask(client, "search_creature", search="Owlbear"))

    async def command(*arguments: str) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "lorekeeper_mcp",
            *arguments,
            env=environment(db, LOREKEEPER_OFFLINE="true"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, err = await process.communicate()
        assert process.returncode == 0, err
        return out.decode()

    *answers, page, status = await asyncio.gather(
        *(server() for _ in range(4)), command("show", "srd_fireball"), command("status", "--json")
    )
    assert [answer[0] for answer in answers] == ["Owlbear"] * 4
    assert "# Fireball" in page
    assert json.loads(status)["notice"] == ""
    later_status = await command("status", "--json")
    spells = next(kind for kind in json.loads(later_status)["kinds"] if kind["kind"] == "spell")
    assert spells["records"] == 319 + 339


@pytest.mark.chaos
def test_answers_continue_while_owners_are_killed_repeatedly(own: Path, processes: Processes) -> None:
    """Each time one of the others takes over; none of them fails or answers wrongly, and nothing is lost."""
    with contextlib.ExitStack() as stack:
        servers: dict[int, Connection] = {}
        for _ in range(3):
            start(stack, processes, own, servers)
        owners = set()
        for _ in range(KILLS):
            owner = owner_of(own, servers)
            owners.add(owner)
            start(stack, processes, own, servers)
            os.kill(owner, signal.SIGKILL)
            drained(servers.pop(owner))
            for results in servers.values():  # each answers, and continues to after the kill
                for _ in range(4):
                    assert results.poll(30), "no answer"
                    number, fault = results.recv()
                    assert not fault, (number, fault)
                drained(results)
        assert len(owners) == KILLS
        assert not list(own.parent.glob("own.aside*"))


def start(stack: contextlib.ExitStack, processes: Processes, db: Path, servers: dict[int, Connection]) -> None:
    pid, results = stack.enter_context(processes(ask_without_end, db))
    servers[pid] = results


def owner_of(db: Path, servers: dict[int, Connection]) -> int:
    """The process that owns the store, once it has said so."""
    for _ in range(1000):
        with contextlib.suppress(OSError, ValueError):
            owner = int(json.loads((db / "owner.json").read_text())["pid"])
            if owner in servers and servers[owner].poll(0.01):
                return owner
        time.sleep(0.01)
    raise AssertionError("nobody owns the store")


def drained(results: Connection) -> None:
    """Read everything sent so far, and check that none of it is wrong."""
    with contextlib.suppress(EOFError, OSError):
        while results.poll(0):
            _, fault = results.recv()
            assert not fault, fault
