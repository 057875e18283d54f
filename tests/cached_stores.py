"""Stores that many tests start with, cached between runs below ``.pytest_cache`` under a hash of what made them."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock

import lorekeeper_mcp
from tests.recorded import FOLDER

PACKAGE = Path(lorekeeper_mcp.__file__).parent
# The code that decides what is stored, and how; code that searches or prints is left out.
ROOMS = ("corrections", "embedding", "filters", "models", "passages", "sources", "store", "sync")
MODULES = ("homebrew/library.py", "homebrew/reconciler.py", "repository/repository.py", "text.py")
LIBRARIES = ("pymilvus", "milvus-lite")
OLDEST = 3 * 86_400  # seconds; fetched data counts as fresh for seven days
KEPT = 2  # per name: ours and that of another branch


def source_hash() -> str:
    """A hash of the code and the data that fill a store."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(_files()):
        digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes())
    for file in sorted((Path(__file__).parent / "open5e").glob("*.py")):
        digest.update(file.read_bytes())
    for file in sorted(FOLDER.rglob("*")) if FOLDER.is_dir() else ():
        if file.is_file():
            digest.update(f"{file.relative_to(FOLDER)} {file.stat().st_size}".encode())
    digest.update(" ".join(version(name) for name in LIBRARIES).encode())
    return digest.hexdigest()


def _files() -> Iterator[Path]:
    for room in ROOMS:
        yield from (f for f in (PACKAGE / room).rglob("*") if f.is_file() and f.suffix != ".pyc")
    yield from (PACKAGE / name for name in MODULES)


def cached_store(folder: Path, name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder with a store ``store.db`` and its books; ``make`` fills it if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{name}.lock"):
        store_folder = folder / f"{name}-{source_hash()}"
        if not store_folder.exists() or time.time() - store_folder.stat().st_mtime > OLDEST:
            shutil.rmtree(store_folder, ignore_errors=True)
            draft = folder / f"{name}-draft"
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            make(draft / "store.db")
            draft.rename(store_folder)
            versions = sorted(folder.glob(f"{name}-*"), key=lambda store: store.stat().st_mtime)
            for old in versions[:-KEPT]:
                shutil.rmtree(old, ignore_errors=True)
        return store_folder


def copy_store(store: Path, db: Path) -> Path:
    """Copy a store without its books."""
    return Path(shutil.copytree(store, db))


def copy_cached_store(kept_in: Path, db: Path) -> Path:
    """Copy a cached store to another name."""
    for path in kept_in.iterdir():
        target = db.with_name(db.stem + path.name.removeprefix("store"))
        shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
    return db
