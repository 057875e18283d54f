"""The pages of a file."""

from __future__ import annotations

from functools import cache

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
    """The pages of a file."""
    return "\n".join(markdown(record) for book in books(content) for record in book.records()[1:])
