"""Writes the embedded records: compressed lines, the first with version and checksum."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from lorekeeper_mcp.models import Record


def content(records: Iterable[Record]) -> bytes:
    """The file's bytes, always the same for the same records.

    The first line is an object with the checksum of the rest, which is also the version; each other line has the
    record's id and the record as JSON, separated by a tab.
    """
    lines = "".join(f"{record.id}\t{record.model_dump_json(exclude_defaults=True)}\n" for record in records).encode()
    header = json.dumps({"version": hashlib.sha256(lines).hexdigest()}).encode()
    return gzip.compress(header + b"\n" + lines, mtime=0)


def write(path: Path, data: bytes) -> None:
    """Write the file atomically, unless it has these bytes already."""
    if path.exists() and path.read_bytes() == data:
        return
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.write_bytes(data)
    partial.replace(path)
