"""A folder whose files are imported when they appear or change: homebrew for people without a command line."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

from lorekeeper_mcp.homebrew.batch_reader import read_files
from lorekeeper_mcp.homebrew.import_paths import find, in_batches, load_files
from lorekeeper_mcp.homebrew.importer import import_files
from lorekeeper_mcp.homebrew.library import HomebrewLibrary, file_id
from lorekeeper_mcp.store.cache import Cache

log = logging.getLogger(__name__)
CHECK_SECONDS = 30.0
_SETTLED_SECONDS = 2.0  # a file that changed later may still be written


class WatchedFolder:
    """The files of a folder as they were at the last check. A file that is deleted keeps its books."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[str, tuple[int, int]] = {}

    async def import_changes(self, cache: Cache, library: HomebrewLibrary) -> int:
        """Import the files that the library does not have; return how many. Raises OSError and StoreError."""
        stamps = await asyncio.to_thread(self._current_stamps)
        newest = max((changed for changed, _ in stamps.values()), default=0)
        if stamps == self._stamps or newest > time.time_ns() - _SETTLED_SECONDS * 1e9:
            return 0
        known = {stored.id for files in library.current().values() for stored in files}
        count = 0
        batches = in_batches(load_files([str(self._folder)]))
        while batch := await asyncio.to_thread(next, batches, None):
            new = [file for file in batch if file.fault or file_id(file.data, file.name) not in known]
            read, _ = await read_files(new, library, cache=cache)
            for report in await import_files(cache, library, read):
                skipped = f"{len(report.skips)} items were skipped" if report.skips else ""
                if problem := report.fault or skipped:
                    log.warning("%s in the homebrew folder: %s", report.file, problem)
            count += len(read)
        self._stamps = stamps
        return count

    def _current_stamps(self) -> dict[str, tuple[int, int]]:
        files = [path for path in map(Path, find([str(self._folder)])) if path.is_file()]
        return {str(path): (stat.st_mtime_ns, stat.st_size) for path in files for stat in [path.stat()]}
