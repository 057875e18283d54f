"""Milvus Lite's folder, which follows the row file: filled from it, and the source of a new one if it is lost.

A child process has it open: Milvus Lite takes several times the memory of its rows and keeps most of it, and its Python
code would slow down answers.
"""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal

from lorekeeper_mcp.store import errors
from lorekeeper_mcp.store.errors import OlderFormatError, StoreBusyError, StoreError, StoreFullError, translate_errors
from lorekeeper_mcp.store.lite.folder_marker import check_path, delete_milvus_files, milvus_content
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.schema import ledger_name
from lorekeeper_mcp.store.store_files import IntegrityFile, checksum

log = logging.getLogger(__name__)
_WORK = "restoring"  # a folder below it
_POLL_SECONDS = 0.1
_PATIENCE_SECONDS = 300.0  # without a line from the child, which writes one after each batch


@translate_errors()
def fill_folder(path: Path, encoder: str, rows: RowFile, stop: threading.Event) -> None:
    """Bring Milvus in line with the row file. A killed or stopped fill is completed by the next one.

    A folder that is damaged or cannot be used is emptied and filled again. Raises StoreError.
    """
    check_path(path)  # again: this may be hours after the store was opened
    rows.check()  # before Milvus is changed, from which a damaged row file is rebuilt
    if rows.path is None or rows.alone:
        raise StoreFullError
    integrity = IntegrityFile(path)
    recorded = integrity.read().milvus
    integrity.update(milvus=None)
    if recorded is not None and recorded != checksum(milvus_content(path)):
        log.warning("Milvus' files in %s were changed or damaged, and are being rebuilt.", path)
        delete_milvus_files(path)
    try:
        _run_milvus("fill", path, encoder, rows.path, stop)
    except (StoreFullError, StoreBusyError):
        raise
    except StoreError as error:
        if stop.is_set():
            raise
        rows.check()  # so the fault is not there
        log.warning("Milvus in %s is being refilled: %s", path, error)
        delete_milvus_files(path)
        _run_milvus("fill", path, encoder, rows.path, stop)
    integrity.update(milvus=checksum(milvus_content(path)))


def make_row_file(path: Path, encoder: str, file: Path) -> None:
    """Make the row file from Milvus as it was filled last.

    It is read from a copy, since opening changes its files, whose checksum is still needed if this process is killed.
    Raises OlderFormatError, StoreError if Milvus is not whole, or OSError.
    """
    if not any((path / "collections").glob(f"{ledger_name()}_*")):
        raise OlderFormatError("Milvus has no collections of this version of LoreKeeper.")
    recorded = IntegrityFile(path).read().milvus
    if recorded is None or recorded != checksum(milvus_content(path)):
        raise StoreError("Milvus's files do not match their checksum.")
    work = path / _WORK
    shutil.rmtree(work, ignore_errors=True)
    try:
        shutil.copytree(path, work / path.name, ignore=shutil.ignore_patterns("LOCK", "rows-*", "owner.*", _WORK))
        _run_milvus("restore", work / path.name, encoder, work / file.name, threading.Event())
        (work / file.name).replace(file)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _run_milvus(task: Literal["fill", "restore"], path: Path, encoder: str, file: Path, stop: threading.Event) -> None:
    """Run a task of ``milvus_tasks`` on a store's folder and a row file.

    Raises StoreError, also if it is stopped, or killed after a time without progress: opening Milvus may hang.
    """
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
        raise StoreError(f"Milvus was not started: {error}") from error
    last_line, last_progress = b"", time.monotonic()

    def listen() -> None:
        nonlocal last_line, last_progress
        for line in child.stdout or ():
            last_line, last_progress = line, time.monotonic()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    with child:
        while child.poll() is None:
            if stop.wait(_POLL_SECONDS) or time.monotonic() - last_progress > _PATIENCE_SECONDS:
                child.kill()
        listener.join()
    if child.returncode != 0:
        raise StoreError("LoreKeeper is shutting down.") if stop.is_set() else _error(last_line, child.returncode)


def _error(line: bytes, code: int) -> StoreError:
    """The error that the child has written as JSON: its type and its message."""
    try:
        name, message = json.loads(line)
        return getattr(errors, name, StoreError)(message)
    except (ValueError, TypeError):
        return StoreError(f"Milvus ended with code {code}.")
