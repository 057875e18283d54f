"""Runs Milvus Lite in a child process, which reads the row file and writes the folder, or the other way around.

Milvus Lite takes several times the memory of its rows and keeps most of it, and its Python code would slow down answers
in the process that has it open.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Literal

from lorekeeper_mcp.store import errors

_POLL_SECONDS = 0.1


def run_milvus(task: Literal["fill", "restore"], path: Path, encoder: str, file: Path, stop: threading.Event) -> None:
    """Run a task of ``milvus_tasks`` on a store's folder and a row file. Raises StoreError, also if it is stopped."""
    command = [sys.executable, "-m", "lorekeeper_mcp.store.lite.milvus_tasks", task, str(path), encoder, str(file)]
    try:
        child = subprocess.Popen(  # noqa: S603 - our own module
            command,
            stdin=subprocess.PIPE,  # the child ends when this end of it is closed, for whatever reason
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise errors.StoreError(f"Milvus was not started: {error}") from error
    with child:
        while child.poll() is None:
            if stop.wait(_POLL_SECONDS):
                child.kill()
        if child.returncode != 0:
            raise errors.StoreError("LoreKeeper is shutting down.") if stop.is_set() else _fault(child)


def _fault(child: subprocess.Popen[bytes]) -> errors.StoreError:
    """The error that the child has written as JSON: its type and its message."""
    said = child.stdout.read().decode("utf-8", "replace").splitlines() if child.stdout else []
    try:
        name, message = json.loads(said[-1])
        return getattr(errors, name, errors.StoreError)(message)
    except (ValueError, IndexError):
        return errors.StoreError(f"Milvus ended with code {child.returncode}.")
