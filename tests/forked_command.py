"""The command, started from a process that has imported it: importing takes each start a second of processor time.

``command_line()`` takes the place of ``python -m lorekeeper_mcp``. It starts a small launcher, which sends its files,
arguments, environment and folder to the fork server of this test run. That forks a process, which runs the command as
``python -m`` does; the launcher ends as the command ends, and the command ends if the launcher is killed.

Tests of imports, signals and start-up need the command itself. Where processes cannot be waited for as files, every
test gets it.
"""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cached_bytecode import bytecode_variables

ROOT = Path(__file__).parents[1]
LAUNCHER = Path(__file__).with_name("fork_launcher.py")


def command_line(module: str = "lorekeeper_mcp") -> list[str]:
    """The beginning of a command line that runs a module's command, for its arguments to follow."""
    if not _has_pidfd():
        return [sys.executable, "-m", module]
    return [sys.executable, "-I", "-S", str(LAUNCHER), fork_server(), module]


@functools.cache
def _has_pidfd() -> bool:
    """Whether processes can be waited for as files: only Linux can, and a sandbox may forbid it."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


@functools.cache
def fork_server() -> str:
    """Start the fork server of this process, and return the path of its socket."""
    folder = tempfile.TemporaryDirectory(prefix="forks-")
    path = str(Path(folder.name) / "socket")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fork_server", path],
        env={**bytecode_variables(), "PATH": os.environ["PATH"], "HOME": folder.name},
        cwd=ROOT,
        stdin=subprocess.PIPE,  # it ends when this is closed
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C ends the launchers, and so the commands
    )
    assert process.stdin
    assert process.stdout
    assert process.stdout.readline() == b"listening\n", "The fork server did not start."
    atexit.register(folder.cleanup)
    atexit.register(process.wait)
    atexit.register(process.stdin.close)
    return path
