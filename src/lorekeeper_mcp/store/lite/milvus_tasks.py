"""The tasks of the child process that ``milvus_folder`` starts, where Milvus Lite is open."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from lorekeeper_mcp.models import Family
from lorekeeper_mcp.store.errors import StoreBusyError, StoreError, translate_errors
from lorekeeper_mcp.store.memory.row_file import RowFile
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.rows import batches, versions


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
