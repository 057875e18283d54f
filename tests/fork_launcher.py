"""Takes the place of a command that ``fork_server`` runs: ``fork_launcher.py SOCKET MODULE ARGUMENT...``."""

from __future__ import annotations

import os
import signal
import socket
import sys


def main() -> None:
    """Send what the command needs, and end as it ends."""
    path, *command = sys.argv[1:]
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(path)
        variables = [f"{name}={value}" for name, value in os.environ.items()]
        texts = [os.getcwd(), str(len(command)), *command, *variables]  # noqa: PTH109 - pathlib takes longer to import
        body = "\0".join(texts).encode(errors="surrogateescape")
        socket.send_fds(server, [len(body).to_bytes(8, "big")], [0, 1, 2])
        server.sendall(body)
        status = int(server.recv(100) or signal.SIGKILL)  # nothing if what attends to the command was killed
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


main()
