"""Expands files, folders, globs, zip archives and standard input to files, limited in number and size."""

from __future__ import annotations

import contextlib
import glob
import itertools
import json
import lzma
import os
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.foundry import MANIFESTS, pack_title
from lorekeeper_mcp.sources.imported import MAX_FILE

SUFFIXES = frozenset({".orcbrew", ".edn", ".json", ".md", ".markdown", ".yaml", ".yml", ".db"})
_ARCHIVE = ".zip"
_PACK_BYTES = 20_000_000  # of the documents of a folder that are stored as one file
_BATCH_BYTES = MAX_FILE  # that many, since files may refer to others of their batch
_MANIFEST_ABOVE = 6  # folders above a file in which its manifest may be
STDIN = "-"
_MEGABYTE = 1024 * 1024
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, NotImplementedError, EOFError, ValueError, OSError,
)  # fmt: skip
"""Errors of a zip archive that is truncated, damaged, encrypted or compressed with an unknown method."""


@dataclass(frozen=True)
class ImportFile:
    """A file to import. ``name`` is its name without the extension; ``path`` tells files of one name apart.

    ``named`` is False if it was found in a folder or an archive, so that it may not be homebrew at all. ``folder`` is
    the title of that, or of the module that the file belongs to: the book of a file in a format that names none.
    ``fault`` says why it is unreadable.
    """

    shown: str
    name: str = ""
    path: str = ""
    data: bytes = b""
    named: bool = True
    fault: str = ""
    folder: str = ""


@dataclass(frozen=True)
class PathLimits:
    """The largest number of files in a folder or an archive, and the largest file and unpacked archive in bytes."""

    files: int = 10_000
    file: int = MAX_FILE
    archive: int = 256 * _MEGABYTE


LIMITS = PathLimits()


class ImportPathError(ValueError):
    """The path does not exist or is unreadable; the message says why, without the path."""


def find(named: Sequence[str], limits: PathLimits = LIMITS) -> list[str]:
    """Return the files, each once, in the order given; a path without a match is kept for ``load`` to report."""
    return list(dict.fromkeys(file for path in named for file in _files(path, limits.files)))


def _files(named: str, most: int) -> Iterator[str]:
    path = Path(named).expanduser()
    if named == STDIN:
        yield named
    elif path.is_file():
        yield str(path)
    elif path.is_dir():
        inside = list(itertools.islice(_inside(path), most + 1))
        yield from sorted(map(str, inside[:most]))
        if len(inside) not in range(1, most + 1):
            yield named  # for ``load`` to report
    else:
        matches = itertools.islice(glob.iglob(str(path), recursive=True), most)  # noqa: PTH207 - Path.glob takes no absolute pattern
        yield from sorted(match for match in matches if Path(match).is_file()) or [named]


def _inside(folder: Path) -> Iterator[Path]:
    """The possible homebrew files in a folder, with FIFOs, devices and loops of links, which ``load`` reports."""
    return (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES | {_ARCHIVE} and not path.is_dir())


def load(file: str, *, folder: str = "", limits: PathLimits = LIMITS) -> list[ImportFile]:
    """Return a file, or the files of an archive, each with its fault. Raises ImportPathError if it is unreadable.

    ``folder`` is the folder in which it was found, if it was not named itself: it may not be homebrew at all.
    """
    named = not folder
    if file == STDIN:
        return [ImportFile("standard input", "", "", sys.stdin.buffer.read(limits.file + 1))]
    path = Path(file).expanduser()
    if path.is_dir():
        if next(_inside(path), None):
            raise ImportPathError(f"it has more than {limits.files:,} files; the rest are not read.")
        raise ImportPathError(f"no file in this folder ends in {', '.join(sorted(SUFFIXES))}.")
    if path.exists() and not path.is_file():
        raise ImportPathError("it is not a regular file.")
    try:
        if path.suffix.lower() == _ARCHIVE or zipfile.is_zipfile(path):
            return _unpacked(file, path, limits, named=named)
        if path.stat().st_size > limits.file:
            raise ImportPathError(f"it is larger than {limits.file // _MEGABYTE} MB.")
        with path.open("rb") as opened:
            data = opened.read(limits.file + 1)
    except OSError as error:
        raise ImportPathError(f"it cannot be read: {error.strerror or error}.") from None
    title = _title_beside(path) or (Path(folder).resolve().name if folder else "")
    return [ImportFile(file, path.stem, str(path.resolve()), data, named=named, folder=title)]


def _title_beside(path: Path) -> str:
    """The title in the manifest of the module or the system that a file belongs to."""
    for parent in list(path.resolve().parents)[:_MANIFEST_ABOVE]:
        for manifest in (parent / name for name in MANIFESTS):
            with contextlib.suppress(OSError):
                if manifest.is_file() and manifest.stat().st_size <= _MEGABYTE:
                    return pack_title(manifest.read_bytes(), path.resolve().relative_to(parent))
    return ""


def _title_in_archive(archive: zipfile.ZipFile, path: PurePosixPath) -> str:
    """The same for a file in an archive."""
    for parent in path.parents:
        for manifest in (parent / name for name in MANIFESTS):
            with contextlib.suppress(KeyError, *_BROKEN):
                if archive.getinfo(str(manifest)).file_size <= _MEGABYTE:
                    return pack_title(archive.read(str(manifest)), path.relative_to(parent))
    return ""


def load_files(named: Sequence[str]) -> Iterator[ImportFile]:
    """Yield the files to import; one that is unreadable has the reason."""
    return with_packs(file for path in find(named) for file in _loaded(path, _folder_of(path, named)))


def _folder_of(path: str, named: Sequence[str]) -> str:
    """The named folder in which a file was found; empty for a file that was named itself."""
    folders = (name for name in named if Path(name).expanduser() in Path(path).parents)
    return "" if path in named else next(folders, "")


def _loaded(path: str, folder: str) -> list[ImportFile]:
    """Read a file, or the files of an archive. One that is unreadable has the reason."""
    try:
        return load(path, folder=folder)
    except ImportPathError as error:
        return [ImportFile(path, fault=str(error))]


def with_packs(files: Iterable[ImportFile]) -> Iterator[ImportFile]:
    """Yield the files, with those of a folder that are each one document of Foundry as one file of all of them."""
    packs: dict[str, list[tuple[str, str]]] = {}
    sizes = Counter[str]()
    for file in files:
        document = formats.foundry_document(file.data) if file.folder and not file.named else None
        if document is None:
            yield file
            continue
        documents = packs.setdefault(file.folder, [])
        documents.append((file.path, json.dumps(document)))
        sizes[file.folder] += len(documents[-1][1])
        if sizes[file.folder] > _PACK_BYTES:
            sizes[file.folder] = 0
            yield _pack(file.folder, packs.pop(file.folder))
    for folder, documents in packs.items():
        yield _pack(folder, documents)


def _pack(folder: str, documents: Sequence[tuple[str, str]]) -> ImportFile:
    path = os.path.commonpath([path for path, _ in documents])
    data = "\n".join(line for _, line in documents).encode("utf-8", "replace")
    return ImportFile(f"{path} ({len(documents)} documents)", folder, path, data, named=False, folder=folder)


def _unpacked(shown: str, path: Path, limits: PathLimits, *, named: bool) -> list[ImportFile]:
    """The possible homebrew files of a zip archive. An archive without any is an error if it was ``named``."""
    if path.stat().st_size > limits.archive:
        raise ImportPathError(f"it is larger than {limits.archive // _MEGABYTE} MB.")
    files: list[ImportFile] = []
    try:
        with zipfile.ZipFile(path) as archive:
            members = [(PurePosixPath(member.filename), member) for member in archive.infolist() if not member.is_dir()]
            members = [(name, member) for name, member in members if name.suffix.lower() in SUFFIXES | {_ARCHIVE}]
            if len(members) > limits.files:
                raise ImportPathError(f"it has more than {limits.files:,} files.")
            room = limits.archive
            for name, member in members:
                data = _unpack_member(archive, member, room, limits)
                if isinstance(data, bytes):
                    room -= len(data)
                    origin = f"{path.resolve()}/{name}"
                    title = _title_in_archive(archive, name) or path.stem
                    files.append(ImportFile(f"{shown}/{name}", name.stem, origin, data, named=False, folder=title))
                else:
                    files.append(ImportFile(f"{shown}/{name}", fault=data))
    except _BROKEN as error:
        if isinstance(error, ImportPathError):
            raise
        raise ImportPathError(f"it cannot be unpacked: {str(error)[:100]}.") from None
    if not files and named:
        raise ImportPathError("this archive has no files that can be homebrew.")
    return files or [ImportFile(shown, path.stem, str(path.resolve()), b"", named=False)]


def _unpack_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, room: int, limits: PathLimits) -> bytes | str:
    """The bytes of a file in an archive, of which ``room`` may be unpacked, or the reason for having none."""
    if PurePosixPath(member.filename).suffix.lower() == _ARCHIVE:
        return "it is an archive inside an archive, which is not opened."
    if member.flag_bits & 1:
        return "it is encrypted."
    most = min(limits.file, room)
    try:
        with archive.open(member) as opened:
            data = opened.read(most + 1)  # the sizes in an archive may be wrong
    except _BROKEN as error:
        return f"it cannot be unpacked: {str(error)[:100]}."
    if len(data) <= most:
        return data
    whole, size = ("it", limits.file) if most == limits.file else ("with it the archive", limits.archive)
    return f"{whole} unpacks to more than {size // _MEGABYTE} MB."


def in_batches(files: Iterable[ImportFile]) -> Iterator[tuple[ImportFile, ...]]:
    """Split the files into batches of limited size; one is in memory at a time."""
    batch: list[ImportFile] = []
    size = 0
    for file in files:
        if batch and size + len(file.data) > _BATCH_BYTES:
            yield tuple(batch)
            batch, size = [], 0
        batch.append(file)
        size += len(file.data)
    if batch:
        yield tuple(batch)
