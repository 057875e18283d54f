"""The fork server runs a command as ``python -m`` does, and leaves no process behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forked_command import LAUNCHER, command_line, fork_server

PROBE = """
import os, sys, time
print(sys.argv[1:], os.getcwd(), os.environ["LAMP"], __name__, sys.stdin.read(), end=" ")
sys.stdout.flush()
{ending}
"""


@pytest.fixture
def forked(tmp_path: Path) -> list[str]:
    """The beginning of the command line of a probe in ``tmp_path``."""
    command = command_line("probe")
    if str(LAUNCHER) not in command:
        pytest.skip("processes cannot be waited for as files here")
    return command


def start(command: list[str], folder: Path, ending: str) -> subprocess.Popen[str]:
    (folder / "probe.py").write_text(PROBE.format(ending=ending))
    return subprocess.Popen(
        [*command, "wick", "ash \udcff"],
        cwd=folder,
        env={"LAMP": "bright"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + 10
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def servers(path: str) -> int:
    """The number of processes of a fork server, commands included."""
    lines = (file.read_bytes() for file in Path("/proc").glob("[0-9]*/cmdline"))
    return sum(f"tests.fork_server\0{path}".encode() in line for line in lines)


@pytest.mark.parametrize("ending", ["sys.exit(3)", "os.kill(os.getpid(), 15)", "raise SystemExit('out')", "os.abort()"])
def test_a_forked_command_has_the_input_output_and_end_of_python_m(
    forked: list[str], tmp_path: Path, ending: str
) -> None:
    outcomes = []
    for command in (forked, [sys.executable, "-m", "probe"]):
        process = start(command, tmp_path, ending)
        outcomes.append((*process.communicate("dusk", timeout=60), process.returncode))
    assert outcomes[0] == outcomes[1]
    assert f"{tmp_path} bright __main__ dusk" in outcomes[0][0]


def test_a_command_ends_when_its_launcher_is_killed(forked: list[str], tmp_path: Path) -> None:
    process = start(forked, tmp_path, "print(os.getpid(), flush=True); time.sleep(600)")
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    pid = int(process.stdout.readline().split()[-1])
    assert is_running(pid)
    process.kill()
    process.wait()
    assert eventually(lambda: not is_running(pid))


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("has_begun", [False, True])
def test_a_launcher_that_is_killed_while_it_sends_leaves_no_process(has_begun: bool) -> None:
    path = fork_server.__wrapped__()  # a server of its own: commands of other tests still run in that of all tests
    assert servers(path) == 1
    with socket.socket(socket.AF_UNIX) as launcher:
        launcher.connect(path)
        assert eventually(lambda: servers(path) == 2)
        if has_begun:
            socket.send_fds(launcher, [(100).to_bytes(8, "big")], [0, 1, 2])
            launcher.sendall(b"half")
    assert eventually(lambda: servers(path) == 1)
