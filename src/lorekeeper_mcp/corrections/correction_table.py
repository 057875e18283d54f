"""The reviewed tables of corrections, a TOML file per kind of record. The tables contain no text of a book.

A table of a file is a record, and its keys are the fields that are wrong there; ``shared`` corrections apply to several
records. A file's ``source`` is that of all corrections that do not name another.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter

from lorekeeper_mcp.models import Kind


class Change(BaseModel):
    """What is wrong in a field, and what is right.

    ``wrong`` is the upstream's value; of a text, ``words`` are the wrong part, or ``wrong_digest`` identifies one that
    is too long for a table. ``right`` is absent if the field should be empty; ``also`` are other fields to set.
    ``page`` is that of the source.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    wrong: JsonValue = None
    wrong_digest: str = ""
    words: str = ""
    right: JsonValue = None
    also: Mapping[str, JsonValue] = {}
    source: str = ""
    page: int = 0

    @property
    def cited(self) -> str:
        """The source with the page."""
        return f"{self.source}, page {self.page}" if self.page else self.source


class CorrectionRow(Change):
    """One correction, of one record or of several with the same error.

    ``records`` are ids such as ``creature:srd_giant-elk``, or all of a kind in a book: ``creature:a5e-mm_*``. ``field``
    is a path such as ``speed.burrow``.
    """

    records: tuple[str, ...]
    field: str


_SHARED = TypeAdapter(tuple[CorrectionRow, ...])
_RECORDS = TypeAdapter(dict[str, dict[str, Change | tuple[Change, ...]]])


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


def _files() -> list[bytes]:
    files = sorted(resources.files("lorekeeper_mcp.corrections").iterdir(), key=lambda file: file.name)
    return [file.read_bytes() for file in files if file.name.endswith(".toml")]


def _read(toml: str) -> Iterator[CorrectionRow]:
    """The corrections of a file: those of its records, then the shared ones."""
    tables = tomllib.loads(toml)
    source, shared = tables.pop("source"), _SHARED.validate_python(tables.pop("shared", ()))
    own = (
        CorrectionRow(records=(record,), field=field, **change.model_dump())
        for record, fields in _RECORDS.validate_python(tables).items()
        for field, changes in fields.items()
        for change in (changes if isinstance(changes, tuple) else (changes,))
    )
    yield from (row if row.source else row.model_copy(update={"source": source}) for row in (*own, *shared))
