"""Runs commands in forks of a process that has imported what they import; see ``forked_command``."""

from __future__ import annotations

import contextlib
import gc
import os
import runpy
import select
import signal
import socket
import sys
import tempfile

from lorekeeper_mcp.runtime import configure_environment

configure_environment()

import lorekeeper_mcp.cli.app  # noqa: E402
import lorekeeper_mcp.server  # noqa: E402, F401
import tests.open5e.endpoints  # noqa: E402, F401

Command = tuple[str, list[str]]  # a module, and arguments


def serve(path: str) -> Command | None:
    """Accept launchers until standard input is closed; in the process of a command, return what to run."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listener, 0], [], [])
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if listener not in ready:
                return None
            launcher, _ = listener.accept()
            with launcher:
                if os.fork() == 0:
                    listener.close()
                    return attend(launcher)


def receive(launcher: socket.socket) -> tuple[list[str], list[int]]:
    """Return the texts and the open files that a launcher sends. If it is killed meanwhile, end this process."""
    size, files, _, _ = socket.recv_fds(launcher, 8, 3)
    body = bytearray()
    while not size or len(body) < int.from_bytes(size, "big"):
        if not (part := launcher.recv(1 << 20)):
            os._exit(0)
        body += part
    return body.decode(errors="surrogateescape").split("\0"), files


def attend(launcher: socket.socket) -> Command:
    """Fork the process of a command, in which this returns, and tell its launcher how it ended."""
    (folder, count, *texts), files = receive(launcher)
    module, *arguments = texts[: int(count)]
    process = os.fork()
    if process == 0:
        launcher.close()
        become(folder, dict(text.split("=", 1) for text in texts[int(count) :]), files)
        return module, arguments
    for file in (*files, 0, 1):
        os.close(file)  # or a reader would wait for us
    select.select([launcher, os.pidfd_open(process)], [], [])
    ended, status = os.waitpid(process, os.WNOHANG)
    if ended:
        with contextlib.suppress(OSError):  # the launcher was killed at the same time
            launcher.sendall(str(status).encode())
    else:  # the launcher was killed
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    os._exit(0)


def become(folder: str, variables: dict[str, str], files: list[int]) -> None:
    """Take over what belongs to a process."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    with contextlib.ExitStack() as left_open:
        sys.stdin = left_open.enter_context(open(0, errors="surrogateescape", closefd=False))
        sys.stdout = left_open.enter_context(open(1, "w", errors="surrogateescape", closefd=False))
        sys.stderr = left_open.enter_context(open(2, "w", buffering=1, errors="backslashreplace", closefd=False))
        left_open.pop_all()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None
    sys.path[:1] = [folder, *filter(None, variables.get("PYTHONPATH", "").split(os.pathsep))]


def main() -> None:
    """Serve, and run the command in its process."""
    gc.collect()
    gc.freeze()
    if (command := serve(sys.argv[1])) is not None:
        module, arguments = command
        sys.argv[1:] = arguments
        runpy.run_module(module, run_name="__main__", alter_sys=True)


main()
