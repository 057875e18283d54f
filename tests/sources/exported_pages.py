"""The pages of a file, exported in every format and imported again."""

from __future__ import annotations

from functools import cache

from lorekeeper_mcp.homebrew.exporter import FORMATS, export
from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.imported import ImportedBook
from tests.record_pages import markdown
from tests.sources.imported_items import items_of, read_file, skip_reasons


@cache
def books(content: str) -> tuple[ImportedBook, ...]:
    file = read_file(content, "Fens")
    assert file.fault == ""
    assert skip_reasons(items_of(file)) == []
    return file.books


def shown(content: str) -> str:
    """The pages of a file, which are the same after an export in any format."""
    pages = "\n".join(markdown(record) for book in books(content) for record in book.records()[1:])
    for form in FORMATS:
        reimported = [record for book in books(content) for record in round_trip(book, form)]
        assert "\n".join(markdown(record) for record in reimported) == pages
    return pages


def round_trip(book: ImportedBook, form: str) -> list[Record]:
    """The records of a book after an export and an import, in their first order."""
    records = book.records()[1:]
    file = read_file(export(book.document, records, form).data)
    by_content = {record.name + record.text: record for book in file.books for record in book.records()[1:]}
    return [by_content[record.name + record.text] for record in records]
