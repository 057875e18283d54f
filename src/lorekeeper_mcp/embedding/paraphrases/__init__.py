"""Everyday words for the SRDs' records, as players use them in questions and the rules do not.

We wrote the tables, one file per family, with phrases by kind and name. Phrases are embedded and searched like passages
of the record, but never shown, since they are not part of its text.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources

from pydantic import TypeAdapter

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.text import fold

_BOOKS = ("srd-", "core")  # in other books the same name may mean something else
_TABLES = ("creatures", "items", "options", "rules", "spells")


def paraphrases_of(record: Record) -> tuple[str, ...]:
    """Return the phrases for a record; none if it is not from an SRD."""
    if not record.document_key.startswith(_BOOKS):
        return ()
    return phrases().get((record.kind, fold(record.name)), ())


@functools.cache
def phrases() -> Mapping[tuple[Kind, str], tuple[str, ...]]:
    """Return every phrase by kind and folded name."""
    rows = TypeAdapter(dict[Kind, dict[str, str]])
    phrases_by_record: dict[tuple[Kind, str], tuple[str, ...]] = {}
    for table in _TABLES:
        text = resources.files(__name__).joinpath(f"{table}.toml").read_text(encoding="utf-8")
        for kind, texts_by_name in rows.validate_python(tomllib.loads(text)).items():
            for name, texts in texts_by_name.items():
                phrases_by_record[kind, fold(name)] = tuple(texts.split("; "))
    return phrases_by_record
