"""Reads the embedded records, which ``srd_converter/records_writer.py`` writes next to this module at build time."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path

from lorekeeper_mcp.models import Kind, Record, model_of

FILE = Path(__file__).with_name("records.jsonl.gz")


class RecordsFileError(RuntimeError):
    """The file of embedded records is missing or damaged; the message is a sentence for the user."""


def records(file: Path = FILE) -> list[Record]:
    """Return every record of both SRDs, corrected, in the order of the books. Raises RecordsFileError."""
    return [_parse(id_, line) for id_, line in _lines(file).items()]


def record_of(id_: str) -> Record | None:
    """Return the book's record for an id such as ``spell:srd_fireball``, or None. Raises RecordsFileError."""
    line = _lines(FILE).get(id_)
    return _parse(id_, line) if line else None


def version() -> str:
    """Return a checksum of the records; if it changes, the cache must load them again. Raises RecordsFileError."""
    return _version(FILE)


@functools.cache
def _version(file: Path) -> str:
    try:
        with gzip.open(file) as lines:
            return str(json.loads(lines.readline())["version"])
    except (OSError, EOFError, zlib.error, ValueError, KeyError) as error:
        raise _unreadable(file, error) from error


@functools.cache
def _lines(file: Path) -> Mapping[str, str]:
    """Id -> record as JSON, verified against the checksum in the first line."""
    wanted = _version(file)
    try:
        _, _, data = gzip.decompress(file.read_bytes()).partition(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(file, error) from error
    if hashlib.sha256(data).hexdigest() != wanted:
        raise _unreadable(file, "its checksum is another")
    split = (line.partition("\t") for line in data.decode().split("\n") if line)
    return {id_: record for id_, _, record in split}


def _parse(id_: str, line: str) -> Record:
    return model_of(Kind(id_.partition(":")[0])).model_validate_json(line)


def _unreadable(file: Path, why: object) -> RecordsFileError:
    return RecordsFileError(f"The embedded rules cannot be read from {file} ({why}): reinstall lorekeeper-mcp.")
