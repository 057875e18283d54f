"""The log of a process: limited, so that no reader blocks it, but never silent for good under HTTP."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest

from lorekeeper_mcp.runtime import configure_logging, log_failure


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def flood() -> None:
    for number in range(1000):
        logging.getLogger("lorekeeper_mcp.test").error("%s %s", number, "x" * 400)


def test_logging_to_a_pipe_stops_after_its_limit(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("WARNING")
    flood()
    flood()
    assert len(capsys.readouterr().err) < 48_100


def test_a_server_logs_again_in_the_next_period_and_says_what_was_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    time_ = 100.0
    configure_logging("WARNING", period=60, clock=lambda: time_)
    flood()
    first = capsys.readouterr().err
    assert 40_000 < len(first) < 48_100
    time_ += 60
    logging.getLogger("lorekeeper_mcp.test").error("the disk is full")
    logged = capsys.readouterr().err.splitlines()
    assert logged == [
        f"warning: {1000 - first.count('x ') - len(first.splitlines())} log lines were dropped: too many at once.",
        "error: the disk is full",
    ]


async def test_a_background_task_reports_its_failure_when_it_fails(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("no such page")

    task = asyncio.create_task(fail(), name="background fill")
    task.add_done_callback(log_failure)
    await asyncio.wait([task])
    await asyncio.sleep(0)  # callbacks run in the next round of the loop
    assert "background fill failed: ValueError: no such page" in caplog.text
