"""A reader that closes the pipe: the command ends silently, as Unix commands do."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PRINTING = (
    "from lorekeeper_mcp.cli.broken_pipe import exit_on_broken_pipe\nwith exit_on_broken_pipe(): print('x' * {size})"
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGPIPE")
@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "lorekeeper_mcp", "--help"],
        [sys.executable, "-c", PRINTING.format(size=10)],
        [sys.executable, "-c", PRINTING.format(size=1_000_000)],
    ],
    ids=["help", "at the end", "while writing"],
)
def test_a_closed_pipe_ends_the_command_without_an_error(command: list[str]) -> None:
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE


def test_a_reader_that_stays_gets_all_output() -> None:
    done = subprocess.run([sys.executable, "-c", PRINTING.format(size=10)], capture_output=True, text=True, check=True)
    assert done.stdout == "x" * 10 + "\n"
