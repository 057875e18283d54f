"""Quarantined stores: renamed with the date; the newest few are kept for inspection."""

from __future__ import annotations

import contextlib
import datetime
import re
import shutil
from pathlib import Path

from lorekeeper_mcp.store.lite.folder_marker import claim, is_ours
from lorekeeper_mcp.store.sibling_files import integrity_path, is_row_file, row_files

_KEPT_STORES = 2
_MARK = ".aside-"


def quarantine(path: Path) -> Path:
    """Rename a store of ours, move its row files into it, and return the new path. Raises OSError."""
    claim(path)
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}{_MARK}{stamp}{path.suffix}")
    for number in range(2, 1000):
        if not aside.exists():
            break
        aside = path.with_name(f"{path.stem}{_MARK}{stamp}-{number}{path.suffix}")
    path.rename(aside)
    for file in row_files(path):
        if file.suffix != ".sqlite" or is_row_file(file):
            file.rename(aside / file.name)
    with contextlib.suppress(OSError):
        integrity_path(path).unlink()
    for old in quarantined_stores(path)[:-_KEPT_STORES]:
        with contextlib.suppress(OSError):
            shutil.rmtree(old)
    return aside


def quarantined_stores(path: Path) -> list[Path]:
    """Return our quarantined stores beside a store, oldest first; never other files."""
    named = re.compile(re.escape(path.stem + _MARK) + r"\d{8}-\d{6}(-\d+)?" + re.escape(path.suffix))
    return sorted(file for file in path.parent.glob(f"*{path.suffix}") if named.fullmatch(file.name) and _ours(file))


def _ours(folder: Path) -> bool:
    try:
        return folder.is_dir() and not folder.is_symlink() and is_ours(folder)
    except OSError:
        return False
