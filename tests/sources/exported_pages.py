"""The pages of a file, exported in every format and imported again."""

from __future__ import annotations

from functools import cache

from lorekeeper_mcp.homebrew.exporter import FORMATS, export
from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import ImportedBook
from tests.record_pages import markdown


@cache
def books(given: str) -> tuple[ImportedBook, ...]:
    read = formats.read(given.encode(), "Fens")
    assert read.fault == ""
    assert [outcome.reason for book in read.books for outcome in book.items if outcome.reason] == []
    return read.books


def shown(given: str) -> str:
    """The pages of a file, which are the same after an export in any format."""
    pages = "\n".join(markdown(record) for book in books(given) for record in book.records()[1:])
    for form in FORMATS:
        back = [record for book in books(given) for record in read_again(book, form)]
        assert "\n".join(markdown(record) for record in back) == pages
    return pages


def read_again(book: ImportedBook, form: str) -> list[Record]:
    records = book.records()[1:]
    written = formats.read(export(book.document, records, form).data, "x")
    back = {record.name + record.text: record for again in written.books for record in again.records()[1:]}
    return [back[record.name + record.text] for record in records]
