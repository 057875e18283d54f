"""An empty folder, four clients, an import and a sync started at once, and the store's owner killed repeatedly.

Run it with ``-s`` to see what each kill hits and how long the slowest answers took.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import McpError, ToolError

from lorekeeper_mcp.sharing.owner import OwnerCard, read_owner_card
from tests.end_to_end.clients import PYTHON, ROOT, ask, environment, over_stdio
from tests.end_to_end.test_filling import one_page_cases
from tests.oracle import document, records
from tests.replay import Replay
from tests.served_open5e import COMMAND

CLIENTS, KILLS = 4, 15
SECONDS = 8.0  # between two kills
PAUSE = 0.1  # of a client, between an answer and its next question
ZAPS = 200
TEXTS = ("undead that drain life", "protection from evil", "how does grappling work", "a ring of fire resistance")
Question = tuple[str, Mapping[str, Any]]
Answer = tuple[int, list[str]]  # how many there are, and the keys of the first


def questions() -> list[Question]:
    """Filters, names, texts, and the imported records, alternating."""
    filters: list[Question] = []
    for tool, case in one_page_cases()[::5]:
        documents = sorted({document(record) for record in records(tool)})
        filters.append((tool, {case.argument: case.value, "documents": documents, "limit": 50, "detail": "brief"}))
    alternating: list[Question] = []
    for number, filter_question in enumerate(filters):
        zap = ("search_spell", {"search": f"Zapping Zap {number * 7 % ZAPS}", "limit": 1})
        text = ("search_all", {"query": TEXTS[number % len(TEXTS)], "limit": 5})
        alternating += [filter_question, zap, ("search_spell", {"search": "Fireball", "limit": 1}), text]
    return alternating


def homebrew() -> str:
    """A book of two hundred spells."""
    spells = " ".join(
        f':zap-{n} {{:option-pack "My Book" :name "Zapping Zap {n}" :key :zap-{n} :school "evocation" :level {n % 10} '
        f':description "Zaps lantern number {n}."}}'
        for n in range(ZAPS)
    )
    return f"{{:orcpub.dnd.e5/spells {{{spells}}}}}"


@dataclass
class Storm:
    """A store, the processes that use it, and the observations. Times in seconds since the start."""

    db: Path
    url: str
    expected: Mapping[str, Answer]  # the answers of a process with everything stored
    imported: bool = False  # the import was acknowledged
    is_over: bool = False
    commands: dict[str, int] = field(default_factory=dict)  # the process of each running command
    cards: dict[int, OwnerCard] = field(default_factory=dict)  # of the killed owners, by process
    killed_commands: int = 0
    lost_connections: int = 0  # of clients
    complete_answers: int = 0
    seconds: list[tuple[float, float, str]] = field(default_factory=list)  # when asked, how long, what
    faults: list[str] = field(default_factory=list)
    start: float = field(default_factory=time.monotonic)

    def log(self, message: str) -> None:
        sys.stderr.write(f"{time.monotonic() - self.start:6.1f} {message}\n")


def keys(answer: Mapping[str, Any]) -> Answer:
    return answer["total"], [result["key"] for result in answer["results"]]


async def check(client: Client, storm: Storm, question: Question) -> None:
    """Ask and compare: all results if the answer says that it is complete, no wrong ones in any case."""
    tool, arguments = question
    was_imported = storm.imported
    start = time.monotonic()
    try:
        answer = await ask(client, tool, **arguments)
    except ToolError as error:
        if not str(error).startswith("busy:"):  # what a server that is just starting says rather than be late
            storm.faults.append(f"{question}: {error}")
        return
    storm.seconds.append((start - storm.start, time.monotonic() - start, f"{tool} {arguments}"))
    storm.complete_answers += answer["complete"]
    (expected_total, expected_keys), (answer_total, answer_keys) = storm.expected[str(question)], keys(answer)
    search = str(arguments.get("search", ""))
    if tool == "search_all":
        is_by_words = any(reason in (answer["hint"] or "") for reason in ("keywords alone", "by keyword only"))
        wrong = answer["complete"] and not is_by_words and answer_keys != expected_keys
    elif search.startswith("Zap"):
        is_other_zap = answer_keys[:1] != expected_keys[:1] and any("zap" in key for key in answer_keys)
        wrong = answer_keys != expected_keys if was_imported else is_other_zap
    elif search:
        wrong = answer_keys != expected_keys
    elif answer["complete"]:
        wrong = (expected_total, expected_keys) != (answer_total, answer_keys)
    else:  # second pages are not compared
        wrong = expected_total == len(expected_keys) and not set(answer_keys) <= set(expected_keys)
    if wrong or not (answer["complete"] or answer["hint"]):
        storm.faults.append(
            f"{question}: {answer_total} {answer_keys}, not {expected_total} {expected_keys}: {answer['hint']}"
        )


async def keep_asking(storm: Storm, turn: int) -> None:
    """One client: it asks without a pause, and restarts its server when that is killed."""
    every_question = questions()
    while not storm.is_over:
        try:
            async with over_stdio(storm.db, storm.url, start=PYTHON, LOREKEEPER_BACKGROUND_FILL="true") as client:
                while not storm.is_over:
                    await check(client, storm, every_question[turn % len(every_question)])
                    turn += 1
                    await asyncio.sleep(PAUSE)
        except McpError as error:  # compared with the number of kills at the end
            storm.lost_connections += 1
            storm.log(f"a client lost its server: {error!r}")


async def command(storm: Storm, *arguments: str) -> None:
    """Run a command until it succeeds: one that was killed itself is run again."""
    while True:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            COMMAND,
            *arguments,
            env={"PYTHONPATH": str(ROOT), **environment(storm.db, storm.url)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=storm.db.parent,
        )
        storm.commands[arguments[0]] = process.pid
        _, err = await process.communicate()
        storm.log(f"{arguments[0]} ended with {process.returncode}")
        del storm.commands[arguments[0]]
        if process.pid not in storm.cards:
            if process.returncode != 0:
                storm.faults.append(f"{arguments}: {err.decode()[-2000:]}")
            return
        storm.killed_commands += 1


async def import_homebrew(storm: Storm) -> None:
    file = storm.db.parent / "mine.orcbrew"
    file.write_text(homebrew())
    await command(storm, "import", str(file))
    storm.imported = True


async def kill_owners(storm: Storm) -> None:
    for _ in range(KILLS):
        await asyncio.sleep(SECONDS)
        while (card := read_owner_card(storm.db)) is None or card.pid in storm.cards:
            await asyncio.sleep(0.05)
        storm.cards[card.pid] = card
        storm.log(f"kill {next((name for name, pid in storm.commands.items() if pid == card.pid), 'a server')}")
        os.kill(card.pid, signal.SIGKILL)


def processes_of(db: Path) -> list[str]:
    """The processes that were started with a store."""
    command_lines = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(db).encode() in (folder / "environ").read_bytes():
                command_lines.append((folder / "cmdline").read_text())
    return command_lines


def listens(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


async def answers(client: Client) -> dict[str, Answer]:
    """A server's answers once it has everything, by question."""
    answers_by_question = {}
    for question in questions():
        if str(question) not in answers_by_question:
            answer = await ask(client, question[0], **question[1])
            assert answer["complete"], answer["hint"]
            answers_by_question[str(question)] = keys(answer)
    return answers_by_question


@contextlib.asynccontextmanager
async def alone(db: Path, replay: Replay) -> AsyncIterator[Client]:
    """The only process on a store, which has everything by now."""
    storm = Storm(db, replay.url, {})
    await import_homebrew(storm)
    await command(storm, "sync")
    assert not storm.faults, storm.faults
    async with over_stdio(storm.db, replay.url, start=PYTHON) as client:
        yield client


@pytest.mark.chaos
@pytest.mark.timeout(1500)
async def test_clients_get_every_answer_while_owners_are_killed(tmp_path: Path, replay: Replay) -> None:
    (tmp_path / "alone").mkdir()
    (tmp_path / "shared").mkdir()
    async with alone(tmp_path / "alone" / "x.db", replay) as client:
        storm = Storm(tmp_path / "shared" / "x.db", replay.url, await answers(client))
    async with asyncio.TaskGroup() as group:
        for work in (
            *(keep_asking(storm, n * 9) for n in range(CLIENTS)),
            import_homebrew(storm),
            command(storm, "sync"),
        ):
            group.create_task(work)
        await kill_owners(storm)
        await asyncio.sleep(SECONDS)
        storm.is_over = True
    summarize(storm)
    assert not storm.faults, "\n".join(storm.faults)
    assert storm.lost_connections == KILLS - storm.killed_commands, "only who is killed loses its connection"
    assert not processes_of(storm.db)
    assert not [card.port for card in storm.cards.values() if listens(card.port)]
    names = {path.name for path in storm.db.parent.iterdir()}
    assert not {name for name in names if any(part in name for part in ("owner", "standby", "aside"))}, names
    async with alone(storm.db, replay) as client:
        assert await answers(client) == storm.expected


def summarize(storm: Storm) -> None:
    """Print the figures of a run; nothing is asserted about time."""
    taken = sorted(seconds for _, seconds, _ in storm.seconds)
    storm.log(
        f"{len(taken)} answers, {storm.complete_answers} complete; median {statistics.median(taken):.3f} s, "
        f"95 % {taken[len(taken) * 95 // 100]:.2f} s; {storm.killed_commands} commands killed; the slowest:"
    )
    for start, seconds, call in sorted(storm.seconds, key=lambda answer: -answer[1])[:12]:
        storm.log(f"  {seconds:6.2f} s at {start:6.1f}: {call[:100]}")
