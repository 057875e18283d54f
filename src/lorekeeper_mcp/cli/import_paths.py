"""Expands files, folders, globs, zip archives and standard input to files, limited in number and size."""

from __future__ import annotations

import glob
import itertools
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from lorekeeper_mcp.homebrew.importer import ImportFile
from lorekeeper_mcp.sources.imported import LARGEST_FILE

SUFFIXES = frozenset({".orcbrew", ".edn", ".json", ".md", ".markdown", ".yaml", ".yml"})
_ARCHIVE = ".zip"
STDIN = "-"
_MOST_FILES = 10_000  # in a folder or an archive
_LARGEST_ARCHIVE = 256 * 1024 * 1024  # bytes, unpacked


class ImportPathError(ValueError):
    """The path does not exist or is unreadable; the message says why, without the path."""


def find(named: Sequence[str]) -> list[str]:
    """Return the files, each once, in the order given; a path without a match is kept for ``load`` to report."""
    return list(dict.fromkeys(file for one in named for file in _files(one)))


def _files(named: str) -> Iterator[str]:
    path = Path(named).expanduser()
    if named == STDIN or path.is_file():
        yield named if named == STDIN else str(path)
    elif path.is_dir():
        inside = (one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES | {_ARCHIVE} and one.is_file())
        yield from sorted(map(str, itertools.islice(inside, _MOST_FILES))) or [named]
    else:
        matches = itertools.islice(glob.iglob(str(path), recursive=True), _MOST_FILES)  # noqa: PTH207 - Path.glob takes no absolute pattern
        yield from sorted(match for match in matches if Path(match).is_file()) or [named]


def load(file: str, *, named: bool = True) -> list[ImportFile]:
    """Return a file, or the files of an archive, with their bytes. Raises ImportPathError if it is unreadable.

    ``named`` is False if it was found in a folder, and may not be homebrew at all.
    """
    if file == STDIN:
        return [ImportFile("standard input", "", "", sys.stdin.buffer.read(LARGEST_FILE + 1))]
    path = Path(file).expanduser()
    if path.is_dir():
        raise ImportPathError(f"there is no file in this folder that ends in {', '.join(sorted(SUFFIXES))}.")
    if path.exists() and not path.is_file():
        raise ImportPathError("it is not a regular file.")
    try:
        if path.suffix.lower() == _ARCHIVE or zipfile.is_zipfile(path):
            return _unpacked(file, path)
        with path.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ImportPathError(f"it cannot be read: {error.strerror or error}.") from None
    return [ImportFile(file, path.stem, str(path.resolve()), data, named=named)]


def _unpacked(shown: str, path: Path) -> list[ImportFile]:
    """The files of a zip archive that may be homebrew."""
    found = []
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if PurePosixPath(one.filename).suffix.lower() in SUFFIXES]
            if len(members) > _MOST_FILES or sum(one.file_size for one in members) > _LARGEST_ARCHIVE:
                most = f"{_MOST_FILES:,} files or {_LARGEST_ARCHIVE // 1024 // 1024} MB"
                raise ImportPathError(f"it unpacks to more than {most}.")
            left = _LARGEST_ARCHIVE
            for one in members:
                with archive.open(one) as opened:
                    data = opened.read(min(LARGEST_FILE + 1, left))  # the sizes given in an archive may be wrong
                left -= len(data)
                name = PurePosixPath(one.filename)
                found.append(ImportFile(f"{shown}/{name}", name.stem, f"{path.resolve()}/{name}", data, named=False))
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        if isinstance(error, ImportPathError):
            raise
        raise ImportPathError(f"it cannot be unpacked: {str(error)[:100]}.") from None
    if not found:
        raise ImportPathError("no file in this archive can be homebrew.")
    return found
