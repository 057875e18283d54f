"""The integrity file beside a store: counts, digests and checksums that reveal loss and damage.

Milvus Lite opens without an error after files were lost or truncated (measured: a missing Parquet file or a truncated
log means fewer rows and no error). The integrity file has the number of rows in each collection, a digest of their ids
and times, and the checksum of each file. It also lists the rows that are being written, so that a killed process causes
neither a false alarm nor a gap.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from lorekeeper_mcp.store.lite.sibling_paths import integrity_path
from lorekeeper_mcp.store.schema import PREFIX

_MODULUS = 2**64


class RowDigest(BaseModel, frozen=True):
    """A number of rows and the sum of their digests modulo 2**64, which does not depend on their order."""

    rows: int = 0
    digest: int = 0

    def plus(self, rows: Mapping[str, int]) -> RowDigest:
        """Return the digest with more rows: a map from id to the time of the last change in epoch seconds."""
        return RowDigest(rows=self.rows + len(rows), digest=(self.digest + _digest(rows)) % _MODULUS)

    def minus(self, rows: Mapping[str, int]) -> RowDigest:
        """Return the digest without some rows."""
        return RowDigest(rows=self.rows - len(rows), digest=(self.digest - _digest(rows)) % _MODULUS)


def _digest(rows: Mapping[str, int]) -> int:
    hashes = (hashlib.blake2b(f"{id_}\0{at}".encode(), digest_size=8).digest() for id_, at in rows.items())
    return sum(int.from_bytes(digest) for digest in hashes) % _MODULUS


class IntegrityState(BaseModel):
    """The content of the integrity file.

    ``versions`` counts the changes of the ledger, to compare with the row file. ``tallies`` are by collection and
    exclude the rows in ``unsure``, which a process is writing or was writing when it died. ``files`` are sizes and
    CRC-32 checksums by path below the store's folder; a manifest, which is rewritten with every change, has its version
    instead of its size. A new store has its rows in the row file alone until they are copied to Milvus: ``in_milvus``
    is False and ``tallies`` are by alias. ``row_file`` is the size and checksum of the row file while nothing is being
    written to it.
    """

    in_milvus: bool = True

    versions: dict[str, int] = Field(default_factory=dict)
    tallies: dict[str, RowDigest] = Field(default_factory=dict)
    unsure: dict[str, list[str]] = Field(default_factory=dict)
    files: dict[str, tuple[int, int]] = Field(default_factory=dict)
    row_file: tuple[int, int] | None = None


Signature = tuple[int, int, int]


class IntegrityFile:
    """The integrity file of one store. It is replaced atomically, so no reader sees half of it."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.path = integrity_path(store)

    def signature(self) -> Signature | None:
        """Return a value that changes with every write; None if there is no file."""
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_ino, stat.st_size

    def read(self) -> IntegrityState | None:
        """Return the state; None if there is no file or its checksum is wrong."""
        try:
            text = self.path.read_text(encoding="utf-8")
            checksum, _, body = text.partition("\n")
            return IntegrityState.model_validate_json(body) if checksum == _checksum(body) else None
        except (OSError, UnicodeDecodeError, ValidationError):
            return None

    def write(self, state: IntegrityState) -> None:
        """Replace the file. Raises OSError, and then the old file is unchanged."""
        body = state.model_dump_json()
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            draft.touch(mode=0o600)
            draft.write_text(f"{_checksum(body)}\n{body}", encoding="utf-8")
            draft.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def immutable_files(store: Path, known: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return sizes and checksums of the store's immutable files.

    Milvus Lite never changes a data file once its manifest names it, nor a schema. A ``known`` file is not read again
    while its size is the same.
    """
    found: dict[str, tuple[int, int]] = {}
    for collection in _collections(store):
        if (manifest := _version_and_sum(collection)) is not None:
            found[_manifest_name(store, collection)] = manifest
        for file in [collection / "schema.json", *_named_files(collection), *_indexes(collection)]:
            name = file.relative_to(store).as_posix()
            with contextlib.suppress(OSError):  # merged away a moment ago
                size = file.stat().st_size
                old = known.get(name)
                found[name] = old if old is not None and old[0] == size else (size, zlib.crc32(file.read_bytes()))
    return found


def damaged_files(store: Path, state: IntegrityState) -> list[str]:
    """Return the files whose checksum is wrong, except indexes. Call it before the store is opened."""
    damaged: list[str] = []
    for collection in _collections(store):
        name = _manifest_name(store, collection)
        if not _manifest_as_written(collection, state.files.get(name)):
            damaged.append(name)
        for file in [collection / "schema.json", *_named_files(collection)]:
            path = file.relative_to(store).as_posix()
            if not file.is_file() or not _as_written(file, state.files.get(path)):
                damaged.append(path)
    return damaged


def drop_unsettled_indexes(store: Path, state: IntegrityState) -> None:
    """Delete each index that the integrity file does not list with this checksum, before the store is opened.

    Milvus Lite rebuilds it. It writes indexes in place, and does not open with one that a kill has truncated.
    """
    for collection in _collections(store):
        for file in _indexes(collection):
            known = state.files.get(file.relative_to(store).as_posix())
            if known is None or not _as_written(file, known):
                file.unlink()


def _as_written(file: Path, known: tuple[int, int] | None) -> bool:
    """Whether a file has its checksum. An unlisted file passes: a merge may have written it since."""
    if known is None:
        return True
    data = file.read_bytes()
    return (len(data), zlib.crc32(data)) == known


def remove_orphans(store: Path) -> None:
    """Delete our collections that no alias names: a killed process was building or dropping them.

    Call it before the store is opened, while no other process can be building one.
    """
    current, folder = set(collections_by_alias(store).values()), store / "collections"
    if not current or not all((folder / name).is_dir() for name in current):
        return  # the aliases themselves may be damaged
    for collection in folder.iterdir():
        if collection.name not in current and collection.name.startswith(f"{PREFIX}_"):
            shutil.rmtree(collection, ignore_errors=True)


def collections_by_alias(store: Path) -> dict[str, str]:
    """Return the current collections by alias, read from the files; nothing if they are unreadable."""
    try:
        aliases = json.loads((store / "aliases.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(alias): str(name) for alias, name in aliases.items()} if isinstance(aliases, dict) else {}


def _collections(store: Path) -> list[Path]:
    """The folders of the current collections, or of all if the current ones are not known."""
    folder, current = store / "collections", set(collections_by_alias(store).values())
    found = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    return [path for path in found if not current or path.name in current]


def _indexes(collection: Path) -> list[Path]:
    return sorted(collection.glob("partitions/*/indexes/*"))


def _manifest(collection: Path) -> dict[str, object]:
    """The manifest; empty if it is unreadable: Milvus Lite then uses the previous one."""
    try:
        read = json.loads((collection / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _named_files(collection: Path) -> list[Path]:
    """The data files that the manifest names."""
    partitions = _manifest(collection).get("partitions")
    return [
        collection / "partitions" / str(partition) / str(name)
        for partition, lists in (partitions.items() if isinstance(partitions, dict) else ())
        if isinstance(lists, dict)
        for names in lists.values()
        if isinstance(names, list)
        for name in names
    ]


def _manifest_name(store: Path, collection: Path) -> str:
    return (collection / "manifest.json").relative_to(store).as_posix()


def _version_and_sum(collection: Path) -> tuple[int, int] | None:
    version = _manifest(collection).get("version")
    with contextlib.suppress(OSError):
        data = (collection / "manifest.json").read_bytes()
        return (version, zlib.crc32(data)) if isinstance(version, int) else None
    return None


def _manifest_as_written(collection: Path, known: tuple[int, int] | None) -> bool:
    """Whether a manifest is the one in the integrity file, or a later one that a merge has written since.

    An unreadable one passes: Milvus Lite uses the previous one, and the tally shows whether rows are lost.
    """
    found = _version_and_sum(collection)
    return known is None or found is None or found == known or found[0] > known[0]
