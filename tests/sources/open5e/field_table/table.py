"""Reads the field table, which describes the adapters; tests compare it with the records."""

from __future__ import annotations

import fnmatch
import functools
import tomllib
from collections.abc import Mapping
from importlib import resources

from pydantic import BaseModel, ConfigDict, TypeAdapter

_FILES = ("v1", "v2", "v2_creatures")
_ENDPOINT = ("v1/", "v2/")


class Field(BaseModel):
    """A field of an endpoint: the record's field that holds it, or the reason for its absence.

    ``unshown`` is why the full record does not show it as served although the record has it. ``filler`` is a value
    that stands on all records of the SRD 5.2 but one, whatever their book says, and is not shown there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    to: str = ""
    unshown: str = ""
    filler: str = ""
    left_out: str = ""


_Table = TypeAdapter(dict[str, dict[str, Field | str]])


@functools.cache
def own_rows() -> Mapping[str, Mapping[str, Field]]:
    """Endpoint -> path pattern -> its place. ``v1`` and ``v2`` apply to all endpoints of a version."""
    tables: dict[str, Mapping[str, Field]] = {}
    for name in _FILES:
        data = resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
        for endpoint, rows in _Table.validate_python(tomllib.loads(data)).items():
            tables[endpoint] = {path: row if isinstance(row, Field) else Field(to=row) for path, row in rows.items()}
    return tables


def field_of(endpoint: str, path: str) -> tuple[str, str, Field] | None:
    """The row for a path such as ``school.key``: its table, its pattern and its content.

    Rows that name the path go before those with a ``*``, an endpoint's own before those of all endpoints. What is
    nested as a record of another endpoint is looked up there.
    """
    for table in (endpoint, endpoint.partition("/")[0]):
        rows = own_rows().get(table, {})
        pattern = path if path in rows else next((p for p in rows if "*" in p and fnmatch.fnmatchcase(path, p)), None)
        if pattern is None:
            continue
        row = rows[pattern]
        if row.to.startswith(_ENDPOINT):
            return field_of(row.to, path.removeprefix(pattern.rstrip("*")))
        return table, pattern, row
    return None
