"""Files, folders, globs and standard input, expanded to a list of files."""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lorekeeper_mcp.homebrew.importer import ImportFile

SUFFIX = ".orcbrew"
_STDIN = "-"


class ImportPathError(ValueError):
    """The path does not exist or cannot be read; the message says why, without the path."""


def find(named: Sequence[str]) -> list[str]:
    """Return the files, each once, in the order given; a path without a match is kept for ``load`` to report."""
    return list(dict.fromkeys(file for one in named for file in _files(one)))


def _files(named: str) -> Iterator[str]:
    path = Path(named).expanduser()
    if named == _STDIN or path.is_file():
        yield named if named == _STDIN else str(path)
        return
    within = path.rglob("*") if path.is_dir() else (Path(match) for match in glob.glob(str(path), recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
    found = sorted(_fitting(within, any_suffix=not path.is_dir()))
    yield from found or [named]


def _fitting(paths: Iterable[Path], *, any_suffix: bool) -> Iterator[str]:
    return (str(path) for path in paths if path.is_file() and (any_suffix or path.suffix.lower() == SUFFIX))


def load(file: str) -> ImportFile:
    """Return a file's bytes. Raises ImportPathError if it cannot be read."""
    if file == _STDIN:
        return ImportFile("standard input", "", "", sys.stdin.buffer.read())
    path = Path(file).expanduser()
    if path.is_dir():
        raise ImportPathError(f"there is no {SUFFIX} file in this folder.")
    try:
        return ImportFile(file, path.stem, str(path.resolve()), path.read_bytes())
    except OSError as error:
        raise ImportPathError(f"it cannot be read: {error.strerror or error}.") from None
