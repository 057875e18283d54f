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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.foundry import MANIFESTS, pack_title
from lorekeeper_mcp.sources.imported import MAX_FILE

SUFFIXES = frozenset({".orcbrew", ".edn", ".json", ".md", ".markdown", ".yaml", ".yml", ".db"})
_ARCHIVE = ".zip"
_MEGABYTE = 1024 * 1024
MAX_FILES = 10_000  # of a folder or an archive
MAX_ARCHIVE = 256 * _MEGABYTE  # packed, and unpacked
_PACK_BYTES = 20_000_000  # of the documents of a folder that are stored as one file
_BATCH_BYTES = MAX_FILE  # that many, since files may refer to others of their batch
_MANIFEST_ABOVE = 6  # folders above a file in which its manifest may be
STDIN = "-"
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, NotImplementedError, EOFError, ValueError, OSError,
)  # fmt: skip
"""Errors of a file, and of a zip archive that is truncated, damaged, encrypted or packed by an unknown method."""


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


def load_files(named: Sequence[str]) -> Iterator[ImportFile]:
    """Yield the files to import; one that is unreadable has the reason. Blocks.

    Those of a folder or an archive that are each one document of Foundry are one file of all of them.
    """
    packs: dict[str, list[tuple[str, str]]] = {}
    sizes = Counter[str]()
    for path, folder in find(named).items():
        for file in load(path, folder):
            document = formats.foundry_document(file.data) if file.folder and not file.named else None
            if document is None:
                yield file
                continue
            text = json.dumps(document)
            packs.setdefault(file.folder, []).append((file.path, text))
            sizes[file.folder] += len(text)
            if sizes[file.folder] > _PACK_BYTES:
                yield _packed(file.folder, packs.pop(file.folder))
                del sizes[file.folder]
    for folder, pack in packs.items():
        yield _packed(folder, pack)


def _packed(folder: str, documents: Sequence[tuple[str, str]]) -> ImportFile:
    path = os.path.commonpath([path for path, _ in documents])
    data = "\n".join(text for _, text in documents).encode("utf-8", "replace")
    return ImportFile(f"{path} ({len(documents)} documents)", folder, path, data, named=False, folder=folder)


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


def find(named: Sequence[str]) -> dict[str, str]:
    """Return the files, each once and in order, and the folder in which each was found; "" if it was named itself.

    A path for which there is none is among them, for ``load`` to report.
    """
    found: dict[str, str] = {}
    for name in named:
        path = Path(name).expanduser()
        if path.is_dir():
            inside = list(itertools.islice(_inside(path), MAX_FILES + 1))
            for file in sorted(map(str, inside[:MAX_FILES])):
                found.setdefault(file, name)
            if len(inside) not in range(1, MAX_FILES + 1):
                found[name] = ""
        elif name == STDIN or path.exists():
            found[str(path)] = ""
        else:
            matches = itertools.islice(glob.iglob(str(path), recursive=True), MAX_FILES)  # noqa: PTH207 - Path.glob takes no absolute pattern
            found |= dict.fromkeys(sorted(match for match in matches if Path(match).is_file()) or [name], "")
    return found


def _inside(folder: Path) -> Iterator[Path]:
    """The possible homebrew files in a folder, with FIFOs, devices and loops of links, which ``load`` reports."""
    return (path for path in folder.rglob("*") if _is_possible(path) and not path.is_dir())


def _is_possible(path: PurePath) -> bool:
    return path.suffix.lower() in SUFFIXES | {_ARCHIVE}


def load(file: str, folder: str = "") -> Iterator[ImportFile]:
    """Yield a file, or the files of an archive; one that is unreadable has the reason. ``folder`` is as in ``find``."""
    path = Path(file).expanduser()
    try:
        if file == STDIN:
            yield ImportFile("standard input", data=sys.stdin.buffer.read(MAX_FILE + 1))
        elif path.exists() and not path.is_file():
            yield ImportFile(file, fault=_no_file(path))
        elif path.suffix.lower() == _ARCHIVE or zipfile.is_zipfile(path):
            yield from _unpacked(file, path, named=not folder)
        elif path.stat().st_size > MAX_FILE:
            yield ImportFile(file, fault=f"it is larger than {MAX_FILE // _MEGABYTE} MB.")
        else:
            whole = path.resolve()
            title = _title(whole, _manifest) or (Path(folder).resolve().name if folder else "")
            with path.open("rb") as opened:
                data = opened.read(MAX_FILE + 1)
            yield ImportFile(file, path.stem, str(whole), data, named=not folder, folder=title)
    except _BROKEN as error:
        yield ImportFile(file, fault=f"it cannot be read: {_reason(error)}.")


def _no_file(path: Path) -> str:
    if not path.is_dir():
        return "it is not a regular file."
    if next(_inside(path), None):
        return f"it has more than {MAX_FILES:,} files; the rest are not read."
    return f"no file in this folder ends in {', '.join(sorted(SUFFIXES))}."


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)[:100]


def _title(path: PurePath, read: Callable[[PurePath], bytes]) -> str:
    """The title in the manifest of the module or the system that a file belongs to; ``read`` may raise an error."""
    for parent in list(path.parents)[:_MANIFEST_ABOVE]:
        for name in MANIFESTS:
            with contextlib.suppress(KeyError, *_BROKEN):
                return pack_title(read(parent / name), path.relative_to(parent))
    return ""


def _manifest(path: PurePath) -> bytes:
    file = Path(path)
    if not file.is_file() or file.stat().st_size > _MEGABYTE:
        raise FileNotFoundError(path)
    return file.read_bytes()


def _unpacked(shown: str, path: Path, *, named: bool) -> Iterator[ImportFile]:
    """The possible homebrew files of a zip archive. An archive without any is a fault if it was ``named``."""
    if path.stat().st_size > MAX_ARCHIVE:
        yield ImportFile(shown, fault=f"it is larger than {MAX_ARCHIVE // _MEGABYTE} MB.")
        return
    with zipfile.ZipFile(path) as archive:

        def manifest(file: PurePath) -> bytes:
            return _unpack(archive, archive.getinfo(str(file)), _MEGABYTE)

        members = [(PurePosixPath(member.filename), member) for member in archive.infolist() if not member.is_dir()]
        members = [(name, member) for name, member in members if _is_possible(name)]
        if len(members) > MAX_FILES:
            yield ImportFile(shown, fault=f"it has more than {MAX_FILES:,} files.")
            return
        room = MAX_ARCHIVE
        for name, member in members:
            data, fault = b"", ""
            try:
                data = _unpack(archive, member, min(MAX_FILE, room))
                room -= len(data)
            except _BROKEN as error:
                fault = f"{_reason(error)}."
            title = _title(name, manifest) or path.stem
            origin = f"{path.resolve()}/{name}"
            yield ImportFile(f"{shown}/{name}", name.stem, origin, data, named=False, fault=fault, folder=title)
    if not members:
        fault = "this archive has no files that can be homebrew." if named else ""
        yield ImportFile(shown, path.stem, str(path.resolve()), named=named, fault=fault)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """The bytes of a file in an archive. Raises the errors of broken ones, and ValueError with more than ``most``."""
    if PurePosixPath(member.filename).suffix.lower() == _ARCHIVE:
        raise ValueError("it is an archive inside an archive, which is not opened")
    if member.flag_bits & 1:
        raise ValueError("it is encrypted")
    with archive.open(member) as opened:  # the sizes in an archive may be wrong
        data = opened.read(most + 1)
    if len(data) <= most:
        return data
    whole, size = ("it", MAX_FILE) if most == MAX_FILE else ("with it the archive", MAX_ARCHIVE)
    raise ValueError(f"{whole} unpacks to more than {size // _MEGABYTE} MB")
