"""The reviewed tables of corrections, one TOML file per subject.

A row has the records that it applies to, a field, the wrong and the right value, and its source. The tables contain no
text of a book.
"""

from __future__ import annotations

import functools
import hashlib
import tomllib
from collections.abc import Mapping
from importlib import resources

from pydantic import BaseModel, ConfigDict, JsonValue

from lorekeeper_mcp.models import Kind


class CorrectionRow(BaseModel):
    """One correction, of one record or of several with the same error.

    ``records`` are ids such as ``creature:srd_giant-elk``, each with the page of the source, or all of a kind in a
    book: ``creature:a5e-mm_*``. ``wrong`` is the
    upstream's value in ``field``, a path such as ``speed.burrow``; for a text too long for a table, ``wrong_digest``
    identifies it. ``right`` is absent if the field should be empty; ``also`` are other fields to set. ``phrase`` means
    that ``wrong`` is a part of the field's text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    records: Mapping[str, int]
    field: str
    wrong: JsonValue = None
    wrong_digest: str = ""
    right: JsonValue = None
    also: Mapping[str, JsonValue] = {}
    phrase: bool = False
    source: str

    def source_of(self, record: str) -> str:
        """The source with the page."""
        page = self.records.get(record, 0)
        return f"{self.source}, page {page}" if page else self.source


class _Table(BaseModel):
    """A file: its corrections, and the source of those that do not name another."""

    model_config = ConfigDict(extra="forbid")

    source: str
    correction: tuple[dict[str, JsonValue], ...]


@functools.cache
def rows() -> tuple[CorrectionRow, ...]:
    """Return every correction, in the order of the files."""
    return tuple(row for data in _files() for row in _read(data.decode()))


@functools.cache
def _by_record() -> Mapping[str, tuple[CorrectionRow, ...]]:
    found: dict[str, tuple[CorrectionRow, ...]] = {}
    for row in rows():
        for record in row.records:
            found[record] = (*found.get(record, ()), row)
    return found


def rows_of(record_id: str) -> tuple[CorrectionRow, ...]:
    """Return the corrections for a record's id, and those for all records of its kind and book."""
    found, book = _by_record(), f"{record_id.partition('_')[0]}_*"
    return (*found.get(record_id, ()), *found.get(book, ()))


@functools.cache
def corrected_keys(kind: Kind, fields: frozenset[str]) -> frozenset[str]:
    """Return the keys of a kind's records with a correction of one of the fields, given by parts of their paths.

    An upstream that filters on such a field omits some matches, and returns some records that do not match.
    """
    return frozenset(
        key
        for row in rows()
        if fields.intersection(part for name in (row.field, *row.also) for part in name.split("."))
        for of_kind, _, key in (record.partition(":") for record in row.records)
        if of_kind == kind and not key.endswith("*")
    )


@functools.cache
def digest() -> str:
    """A digest that changes with the tables, to detect records stored under older corrections."""
    return hashlib.blake2b(b"".join(_files()), digest_size=8).hexdigest()


def _files() -> list[bytes]:
    files = sorted(resources.files("lorekeeper_mcp.corrections").iterdir(), key=lambda file: file.name)
    return [file.read_bytes() for file in files if file.name.endswith(".toml")]


def _read(toml: str) -> tuple[CorrectionRow, ...]:
    table = _Table.model_validate(tomllib.loads(toml))
    return tuple(CorrectionRow.model_validate({"source": table.source} | row) for row in table.correction)
