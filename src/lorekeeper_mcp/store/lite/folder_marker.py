"""The marker file in our folders: this program only moves (quarantines), writes or deletes what it created."""

from __future__ import annotations

import contextlib
import datetime
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lorekeeper_mcp.store.errors import ForeignPathError
from lorekeeper_mcp.store.store_files import OWNER_FILE, OWNER_LOCK

_MARKER = ".lorekeeper"
_KEPT_STORES = 2  # of those in quarantine, for inspection
_ASIDE = ".aside-"
_PREFIX = "lorekeeper_"
_COLLECTIONS = "collections"
_LITE_FILES = ("aliases.json", "database_properties.json", "databases", ".database-staging")  # of Milvus Lite 3.2
_ROW_FILE = re.compile(r"rows-[0-9a-f]{8}\.sqlite")
_CHUNK = 1 << 20  # bytes
_NOT_CONTENT = frozenset({".DS_Store", "desktop.ini"})  # files that file managers create in any folder
_ADVICE = "Nothing there was changed. Choose another path with --db-path or LOREKEEPER_MILVUS_DB_PATH."


def check_path(path: Path) -> None:
    """Raise ForeignPathError if no store may be opened or created here; its message is a sentence for the user.

    An unreadable path passes: opening it will fail with the reason.
    """
    with contextlib.suppress(OSError):
        if path.exists() and not (path.is_dir() and is_ours(path)):
            what = "folder with content" if path.is_dir() else "file"
            raise ForeignPathError(f"{path} is a {what} that LoreKeeper did not create. {_ADVICE}")


def is_ours(folder: Path) -> bool:
    """Whether a folder is one of our stores, perhaps copied without the marker, or empty. Raises OSError."""
    names = {file.name for file in folder.iterdir()} - _NOT_CONTENT
    return not names or _MARKER in names or any(_ROW_FILE.fullmatch(name) for name in names)


def claim(folder: Path) -> None:
    """Create a store's folder and mark it as ours. Raises OSError."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    if not (folder / _MARKER).exists():
        (folder / _MARKER).touch()


def milvus_content(folder: Path) -> Iterator[bytes]:
    """Yield the bytes of Milvus Lite's files of a store, without its lock and others' collections. Raises OSError."""
    files = (file for part in _milvus_parts(folder) for file in (part, *part.rglob("*")) if file.is_file())
    for file in sorted(files):
        with file.open("rb") as opened:
            yield from iter(partial(opened.read, _CHUNK), b"")


def delete_milvus_files(folder: Path) -> None:
    """Delete the files that ``milvus_content`` reads. Raises OSError."""
    for part in _milvus_parts(folder):
        shutil.rmtree(part) if part.is_dir() else part.unlink()


def _milvus_parts(folder: Path) -> list[Path]:
    files = [folder / name for name in _LITE_FILES]
    return [part for part in (*files, *(folder / _COLLECTIONS).glob(f"{_PREFIX}*")) if part.exists()]


def quarantine(path: Path) -> Path:
    """Move the content of a store of ours into a new folder, and return its path. Raises OSError.

    The folder itself and the lock on it stay. A quarantine that is killed is completed by the next opening.
    """
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")
    quarantined = path.with_name(f"{path.stem}{_ASIDE}{stamp}{path.suffix}")
    claim(quarantined)
    for file in path.iterdir():
        if file.name not in (_MARKER, OWNER_LOCK, OWNER_FILE):
            file.rename(quarantined / file.name)
    for old in quarantined_stores(path)[:-_KEPT_STORES]:
        with contextlib.suppress(OSError):
            shutil.rmtree(old)
    return quarantined


def quarantined_stores(path: Path) -> list[Path]:
    """Return our quarantined stores beside a store, oldest first; never other files."""
    name = re.compile(re.escape(path.stem + _ASIDE) + r"\d{8}-\d{6}(-\d+)?" + re.escape(path.suffix))
    stores = []
    for folder in path.parent.glob(f"*{path.suffix}"):
        with contextlib.suppress(OSError):
            if name.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink() and is_ours(folder):
                stores.append(folder)
    return sorted(stores)
