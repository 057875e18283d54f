"""Killed at any moment: acknowledged records are there once after the restart, and nothing counts as damaged."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from lorekeeper_mcp.models import Family, Kind, Source, Spell
from lorekeeper_mcp.settings import load_settings
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS
from lorekeeper_mcp.sources.open5e.requests import list_request
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.sync.fetch_ledger import FetchLedger
from tests.conftest import Processes
from tests.recorded import needs_recorded
from tests.replay import Replay
from tests.store.killed_processes import fill_from, spell, touched, write
from tests.store.opened import ids

WRITES, FILLS = 30, 8


def kill_after(pid: int, messages: Connection, seconds: float) -> list[tuple[str, int]]:
    """Kill a process some seconds after its first message, and return all its messages."""
    received = [messages.recv()]
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):  # a fast machine may have finished by then
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(EOFError, OSError):
        while True:
            received.append(messages.recv())
    return received


class Expected:
    """The possible states of each spell: texts, or None if it may be absent."""

    def __init__(self) -> None:
        self.spells: dict[int, set[str | None]] = {}
        self.notes: set[int] = set()

    def begin(self, step: int) -> None:
        """From now on a spell may be as it was, or as the step makes it."""
        for number, states in self._made(step).items():
            self.spells[number] = self.spells.get(number, {None}) | states

    def done(self, step: int) -> None:
        self.spells |= self._made(step)
        if step % 4 == 3:
            self.notes.add(step)

    def _made(self, step: int) -> dict[int, set[str | None]]:
        written: dict[int, set[str | None]] = {
            n: {None if step % 4 == 2 else spell(n, step).text} for n in touched(step)
        }
        removed: dict[int, set[str | None]] = (
            {n: {None} for n in self.spells if n not in written} if step % 4 == 1 else {}
        )
        return written | removed


async def in_milvus(cache: Cache) -> set[str]:
    """Ids of the spells that Milvus has."""
    milvus = await cache.read(lambda store: store.milvus())
    return await cache.read(lambda _: ids(milvus, Family.SPELLS))


async def check(db: Path, expected: Expected, unfinished: int | None) -> None:
    cache = await Cache.open(load_settings(milvus_db_path=db))
    try:
        await cache.open_milvus()
        assert not cache.store.notice
        assert await in_milvus(cache) == {entry.id for entry in cache.catalog}
        records = await cache.records(cache.catalog)
        texts = {
            int(key.removeprefix("spell:own_")): record.text
            for key, record in records.items()
            if isinstance(record, Spell)
        }
        for number, states in expected.spells.items():
            assert texts.get(number) in states, (number, states, unfinished)
        assert not texts.keys() - expected.spells.keys()
        assert {f"step {step}" for step in expected.notes} <= (await cache.ledger()).keys()
        expected.spells = {number: {texts.get(number)} for number in expected.spells}
    finally:
        await cache.aclose()


@pytest.mark.chaos
@pytest.mark.parametrize("settles", [True, False])
async def test_kills_of_the_writer_lose_no_acknowledged_write(
    processes: Processes, tmp_path: Path, settles: bool
) -> None:
    chance = random.Random(20)
    expected = Expected()
    step, steps_done = 0, 0
    cache = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db"))
    await cache.open_milvus()  # the first records of a new store may be lost until Milvus is opened
    await cache.aclose()
    for _ in range(WRITES):
        with processes(write, tmp_path / "x.db", step, settles) as (pid, messages):
            received = kill_after(pid, messages, chance.uniform(0.0, 2.0))
        unfinished = None
        for word, number in received:
            if word == "begins":
                expected.begin(number)
                unfinished = number
            else:
                expected.done(number)
                unfinished = None
                steps_done += 1
            step = number + 1
        await check(tmp_path / "x.db", expected, unfinished)
    assert steps_done > WRITES // 4
    assert not list(tmp_path.glob("x.aside*"))


@pytest.mark.chaos
@needs_recorded
async def test_a_repeatedly_killed_fill_ends_with_every_record_once(
    processes: Processes, tmp_path: Path, replay: Replay
) -> None:
    chance = random.Random(21)
    db = tmp_path / "x.db"
    for _ in range(FILLS):
        with processes(fill_from, db, replay.url) as (pid, messages):
            received = kill_after(pid, messages, chance.uniform(0.0, 2.5))
        await check_fill(db)
        if ("full", 0) in received:
            break
    with processes(fill_from, db, replay.url) as (_, messages):
        while messages.recv() != ("full", 0):
            pass
    assert await check_fill(db) == len(ENDPOINTS)


async def check_fill(db: Path) -> int:
    """Check that each endpoint that the ledger calls fetched is stored completely; return how many there are."""
    cache = await Cache.open(load_settings(milvus_db_path=db))
    try:
        assert not cache.store.notice
        ledger = FetchLedger(1e9, 1)
        ledger.load(await cache.ledger())
        whole_ones = [(e, fetched) for e in ENDPOINTS if (fetched := ledger.covering_fetch(list_request(e.path)))]
        for endpoint, fetched in whole_ones:
            source = Source.OPEN5E_V1 if endpoint.path.startswith("v1/") else Source.OPEN5E_V2
            stored = [e for e in cache.catalog if e.kind in endpoint.kinds and e.source is source]
            assert len(stored) == fetched.count, endpoint.path
        spells = [entry.id for entry in cache.catalog if entry.kind is Kind.SPELL]
        assert len(spells) == len(set(spells)) == len(await in_milvus(cache))
        return len(whole_ones)
    finally:
        await cache.aclose()
