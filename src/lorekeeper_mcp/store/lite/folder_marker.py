"""The marker file in our folders: this program only moves (quarantines), writes or deletes what it created.

Stores from before the marker are recognised by their content: only files of Milvus Lite 3.2, and only collections with
our names.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from lorekeeper_mcp.store.errors import ForeignPathError
from lorekeeper_mcp.store.sibling_files import integrity_path, is_row_file, locks_path, owner_path, row_files

_MARKER = ".lorekeeper"
_KEPT_STORES = 2  # of those in quarantine, for inspection
_ASIDE = ".aside-"
_MARKER_TEXT = "lorekeeper-mcp made this folder and may move or delete it.\n"
_PREFIX = "lorekeeper_"
_LOCK = "LOCK"  # of Milvus Lite
_COLLECTIONS = "collections"
_LITE_FILES = frozenset(
    {_LOCK, "aliases.json", _COLLECTIONS, "database_properties.json", "databases", ".database-staging"}
)
_CHUNK = 1 << 20  # bytes
_NOT_CONTENT = frozenset({".DS_Store", "desktop.ini"})  # files that file managers create in any folder
_INTEGRITY_FILE = re.compile(rb"[0-9a-f]{8}\n\{")
_ADVICE = "Nothing there was changed; choose another path with --db-path or LOREKEEPER_MILVUS_DB_PATH."


def check_path(path: Path) -> None:
    """Raise ForeignPathError if no store may be opened or created here; its message is a sentence for the user.

    An unreadable path passes: opening it will fail with the reason.
    """
    with contextlib.suppress(OSError):
        if path.exists() and not path.is_dir():
            raise ForeignPathError(f"{path} is a file that LoreKeeper did not make. {_ADVICE}")
        if path.exists() and not is_ours(path):
            raise ForeignPathError(f"{path} is a folder that contains other things than LoreKeeper's cache. {_ADVICE}")
        if not path.exists() or not any(path.iterdir()):  # a new store writes to its neighbours
            for neighbour in _foreign_neighbours(path):
                raise ForeignPathError(
                    f"A cache in {path} would write to {neighbour}, which LoreKeeper did not make. {_ADVICE}"
                )


def is_ours(folder: Path) -> bool:
    """Whether a folder is one of our stores, or empty. Raises OSError if it cannot be read."""
    if (folder / _MARKER).is_file():
        return True
    present = {file.name for file in folder.iterdir()} - _NOT_CONTENT
    return (
        present <= _LITE_FILES
        and all(name.startswith(_PREFIX) for name in _names(folder / _COLLECTIONS))
        and not _names(folder / "databases")
    )


def _names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if file.name not in _NOT_CONTENT] if folder.is_dir() else []


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
    files = [folder / name for name in _LITE_FILES - {_LOCK, _COLLECTIONS}]
    return [part for part in (*files, *(folder / _COLLECTIONS).glob(f"{_PREFIX}*")) if part.exists()]


def claim(folder: Path) -> None:
    """Create and mark a store's folder, or mark an existing one. Raises OSError if it cannot be created."""
    folder.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):  # on a full disk an older store stays without a marker
        if not (folder / _MARKER).exists():
            (folder / _MARKER).write_text(_MARKER_TEXT, encoding="utf-8")


def _foreign_neighbours(path: Path) -> list[Path]:
    """The files that the store would write to but that are not ours."""
    tests = {
        integrity_path(path): _is_integrity_file,
        owner_path(path): _is_owner_file,
        locks_path(path): _is_lock_folder,
        **{file: is_row_file for file in row_files(path) if file.suffix == ".sqlite"},
    }
    return [file for file, is_known in tests.items() if file.exists() and not is_known(file)]


def _is_integrity_file(file: Path) -> bool:
    return file.is_file() and _INTEGRITY_FILE.match(file.read_bytes()[:16]) is not None


def _is_owner_file(file: Path) -> bool:
    try:
        card = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return False
    # Older versions wrote "pid" and "uri".
    return isinstance(card, dict) and {"pid"} < card.keys() <= {"pid", "uri", "port", "token", "version", "shape"}


def _is_lock_folder(folder: Path) -> bool:
    return folder.is_dir() and all(file.suffix == ".lock" for file in folder.iterdir())


def quarantine(path: Path) -> Path:
    """Rename a store of ours, move its row files into it, and return the new path. Raises OSError."""
    claim(path)
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")
    quarantined = path.with_name(f"{path.stem}{_ASIDE}{stamp}{path.suffix}")
    path.rename(quarantined)
    for file in row_files(path):
        if file.suffix != ".sqlite" or is_row_file(file):
            file.rename(quarantined / file.name)
    with contextlib.suppress(OSError):
        integrity_path(path).unlink()
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
