"""Milvus Lite's folder, which follows the row file: filled from it, and the source of a new one if it is lost.

A child process, which runs this module, has it open: Milvus Lite takes several times the memory of its rows and keeps
most of it, and its Python code would slow down answers.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store import errors
from lorekeeper_mcp.store.errors import OlderFormatError, StoreBusyError, StoreError, StoreFullError, translate_errors
from lorekeeper_mcp.store.lite.folder_marker import check_path, delete_milvus_files, milvus_content
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import batches, versions
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
    except StoreError as error:
        if stop.is_set() or isinstance(error, StoreFullError | StoreBusyError):
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


@translate_errors()
def _run_milvus(task: Literal["fill", "restore"], path: Path, encoder: str, file: Path, stop: threading.Event) -> None:
    """Run ``fill`` or ``restore`` on a store's folder and a row file, in a child process.

    Raises StoreError, also if it is stopped, or killed after a time without progress: opening Milvus may hang.
    """
    command = [sys.executable, "-m", "lorekeeper_mcp.store.lite.milvus_folder", task, str(path), encoder, str(file)]
    child = subprocess.Popen(  # noqa: S603 - our own module
        command,
        stdin=subprocess.PIPE,  # the child ends when this end of it is closed, for whatever reason
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
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


# -- in the child process


def fill(path: Path, encoder: str, file: Path) -> None:
    """Bring Milvus in line with the row file. A killed fill is completed by the next one. Raises StoreError."""
    with open_milvus(path, encoder) as store, contextlib.closing(RowFile(file)) as rows:
        store.drop_others()
        for family in Family:
            _report_progress()
            versions_in_file, versions_in_milvus = versions(rows.briefs(family)), store.versions(family)
            store.delete(family, versions_in_milvus.keys() - versions_in_file.keys())
            changed = [id_ for id_, version in versions_in_file.items() if versions_in_milvus.get(id_) != version]
            for batch in batches(changed):
                store.upsert(family, rows.rows(family, batch))
                _report_progress()
        store.replace_ledger(rows.ledger())


def restore(path: Path, encoder: str, file: Path) -> None:
    """Write all rows of Milvus to a new row file. Raises StoreError."""
    with open_milvus(path, encoder) as store, contextlib.closing(RowFile(file)) as rows:
        rows.use_encoder(encoder)
        for family in Family:
            _report_progress()
            for batch in batches(store.versions(family)):
                rows.put(family, store.rows(family, batch))
                _report_progress()
        rows.note(store.ledger())
        rows.in_milvus = True
        rows.settle()


@contextlib.contextmanager
def open_milvus(path: Path, encoder: str) -> Iterator[MilvusStore]:
    """Open Milvus on a folder for a while. Raises StoreError."""
    if is_locked(path):  # the owner's lock is ours, so this is a process that does not know of it
        raise StoreBusyError("Another process uses it.")
    from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415 - a second

    try:
        with contextlib.closing(MilvusStore(str(path), encoder)) as store:
            yield store
    finally:
        server_manager_instance.release_server(str(path))  # closing a client does not free the lock


def is_locked(path: Path) -> bool:
    """Whether another process holds Milvus Lite's lock on a folder."""
    try:
        with FileLock(path / "LOCK", timeout=0):
            return False
    except Timeout:
        return True


def _report_progress() -> None:
    """Write a line, without which the parent counts this process as hanging after some time."""
    sys.stdout.write("\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    """Wait until the parent has ended or closed its end, and end too."""
    os.read(0, 1)
    os._exit(1)


def main() -> None:
    """Run the task on the command line, and write an error to standard output as JSON."""
    task, path, encoder, file = sys.argv[1:]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        with translate_errors():
            {"fill": fill, "restore": restore}[task](Path(path), encoder, Path(file))
    except StoreError as error:
        sys.stdout.write(json.dumps([type(error).__name__, str(error)]))
        sys.exit(1)


if __name__ == "__main__":
    main()
