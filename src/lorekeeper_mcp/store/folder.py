"""The folder of a local store: Milvus Lite's files, the index beside them, and the marks of this program.

Milvus Lite opens without an error after files were lost or cut short, and SQLite answers from a file in which a bit
flipped. So the folder has checksums of both while they are at rest: removed before a change, recorded when no write is
in progress, compared when the store is opened. Imports neither SQLite nor Milvus.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from lorekeeper_mcp.store.errors import ForeignPathError, StoreFullError

FORMAT = 9  # of what Milvus stores; increase it only when older rows cannot be read any more
SHAPE = f"format_{FORMAT:08x}"  # in the owner file: a version with another shape has a folder of its own
OWNER_LOCK = "owner.lock"  # held by the process that has the store open
OWNER_FILE = "owner.json"  # the address at which other processes reach it
INDEX = "index.sqlite"
_CHECKSUMS = "checksums.json"
_MARKER = ".lorekeeper"  # this program only moves, writes or deletes what it created
_ASIDE = ".aside"
_COLLECTIONS = "collections"
_LITE_FILES = ("aliases.json", "database_properties.json", "databases", ".database-staging")  # of Milvus Lite 3.2
_CHUNK = 1 << 20  # bytes
_NOT_CONTENT = frozenset({".DS_Store", "desktop.ini"})  # files that file managers create in any folder
_ADVICE = "Nothing there was changed. Choose another path with --db-path or LOREKEEPER_MILVUS_DB_PATH."
Checksum = tuple[int, int]  # size and CRC-32


def check_path(path: Path) -> None:
    """Raise ForeignPathError if no store may be opened or created here; its message is a sentence for the user.

    An unreadable path passes: opening it will fail with the reason.
    """
    with contextlib.suppress(OSError):
        if path.exists() and not (path.is_dir() and _is_ours(path)):
            what = "folder with content" if path.is_dir() else "file"
            raise ForeignPathError(f"{path} is a {what} that LoreKeeper did not create. {_ADVICE}")


def _is_ours(folder: Path) -> bool:
    """Whether a folder is one of our stores, perhaps copied without the marker, or empty. Raises OSError."""
    names = {file.name for file in folder.iterdir()} - _NOT_CONTENT
    return not names or not names.isdisjoint((_MARKER, INDEX))


def claim(folder: Path) -> None:
    """Create a store's folder and mark it as ours. Raises OSError."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    if not (folder / _MARKER).exists():
        (folder / _MARKER).touch()


def path_of_shape(store: Path) -> Path:
    """Our folder while the owner of this one is a version of the program whose data has another format."""
    mark = f".{FORMAT:08x}"
    return store.with_stem(f"{store.stem.removesuffix(mark)}{mark}")


def has_collections(folder: Path, names: Iterable[str] = ("",)) -> bool:
    """Whether Milvus Lite has collections whose names begin with one of these."""
    return any(next((folder / _COLLECTIONS).glob(f"{name}*"), None) is not None for name in names)


def is_locked(folder: Path) -> bool:
    """Whether Milvus Lite has the folder open, in this or in another process."""
    try:
        with FileLock(folder / "LOCK", timeout=0):
            return False
    except Timeout:
        return True


def release_milvus(folder: Path) -> None:
    """Free Milvus Lite's lock, which closing a client does not do."""
    from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415 - a second

    server_manager_instance.release_server(str(folder))


def wait_for_compaction(folder: Path) -> None:
    """Wait until Milvus Lite, which is open, has ended what a flush started in the background.

    It has no public way to do this, so this reads private attributes. Raises AttributeError if another version has
    none: the files then get no checksums, and the next start compares Milvus and the index instead.
    """
    from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415 - a second

    _, database, _ = server_manager_instance._servers[str(folder.absolute())]
    for collection in database._collections.values():
        collection._wait_for_bg()


def can_write(folder: Path) -> bool:
    """Whether there is room to write some kilobytes."""
    with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
        return probe.write(bytes(1 << 17)) == 1 << 17
    return False


def bytes_on_disk(store: Path) -> int:
    """The size of a store."""
    return sum(file.stat().st_size for file in store.rglob("*") if file.is_file())


# -- checksums


def read_checksums(folder: Path) -> dict[str, Checksum]:
    """Return the checksums of ``milvus`` and ``index``; nothing if they are not at rest or the file is damaged."""
    try:
        line, _, body = (folder / _CHECKSUMS).read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return {}
    return {name: (size, crc) for name, (size, crc) in json.loads(body).items()} if line == _seal(body) else {}


def write_checksums(folder: Path, checksums: dict[str, Checksum]) -> None:
    """Record the checksums of files at rest. Raises OSError."""
    body = json.dumps(checksums)
    write_private(folder / _CHECKSUMS, f"{_seal(body)}\n{body}")


def forget_checksums(folder: Path) -> None:
    """Remove the checksums before the files change. Raises StoreFullError."""
    try:
        (folder / _CHECKSUMS).unlink(missing_ok=True)
    except OSError as error:
        raise StoreFullError(str(error)) from error


def _seal(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def checksum(chunks: Iterable[bytes]) -> Checksum:
    """Return the size and the checksum of some bytes. Raises OSError."""
    size = crc = 0
    for chunk in chunks:
        size, crc = size + len(chunk), zlib.crc32(chunk, crc)
    return size, crc


def milvus_checksum(folder: Path) -> Checksum:
    """Return the checksum of Milvus Lite's files, without its lock and others' collections. Raises OSError."""
    parts = [*(folder / name for name in _LITE_FILES), *(folder / _COLLECTIONS).glob("lorekeeper_*")]
    files = sorted(file for part in parts for file in (part, *part.rglob("*")) if file.is_file())

    def content() -> Iterator[bytes]:
        for file in files:
            with file.open("rb") as opened:
                yield from iter(partial(opened.read, _CHUNK), b"")

    return checksum(content())


def write_private(file: Path, text: str) -> None:
    """Replace a file atomically by one that only the user can read. Raises OSError, and then it is unchanged."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


# -- quarantine


def quarantine(path: Path) -> Path:
    """Move the content of a store of ours into a folder beside it, instead of the content that was moved before.

    The folder itself and the lock on it stay. Returns the other one. Raises OSError or ForeignPathError.
    """
    quarantined = path.with_name(f"{path.stem}{_ASIDE}{path.suffix}")
    check_path(quarantined)
    shutil.rmtree(quarantined, ignore_errors=True)
    claim(quarantined)
    for file in path.iterdir():
        if file.name not in (_MARKER, OWNER_LOCK, OWNER_FILE):
            file.rename(quarantined / file.name)
    return quarantined


def quarantined_stores(path: Path) -> list[Path]:
    """Return our quarantined stores beside a store, also those of older versions."""
    folders = (folder for folder in path.parent.glob(f"*{path.suffix}") if folder.stem.startswith(path.stem + _ASIDE))
    return sorted(folder for folder in folders if folder.is_dir() and _is_ours(folder))
