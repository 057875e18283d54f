"""The log of a process, which no reader can block."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from lorekeeper_mcp.runtime import configure_logging, log_failure


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot say whether a pipe is full")
def test_a_reader_that_pauses_blocks_no_writer_and_learns_what_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    log = logging.getLogger("lorekeeper_mcp.test")
    with os.fdopen(writing, "w") as pipe, os.fdopen(reading) as reader:
        monkeypatch.setattr(sys, "stderr", pipe)
        configure_logging("WARNING")
        for number in range(1000):
            log.error("%s %s", number, "x" * 400)
        lines = [reader.readline() for _ in range(50)]
        log.error("the disk is full")
        pipe.close()
        *more, dropped, last = reader.read().splitlines()
    assert dropped == f"warning: {1000 - len(lines) - len(more)} log lines were dropped, as nobody read them."
    assert last == "error: the disk is full"


async def test_a_background_task_reports_its_failure_when_it_fails(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("no such page")

    task = asyncio.create_task(fail(), name="background fill")
    task.add_done_callback(log_failure)
    await asyncio.wait([task])
    await asyncio.sleep(0)  # callbacks run in the next round of the loop
    assert "background fill failed: ValueError: no such page" in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE")
@pytest.mark.parametrize("code", ["print(1)", "print('x' * 1_000_000)"], ids=["at the end", "while writing"])
def test_a_closed_pipe_ends_a_command_without_an_error(code: str) -> None:
    program = f"from lorekeeper_mcp.runtime import end_with_the_reader\nend_with_the_reader()\n{code}"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE
