"""OrcBrew files of our own, in every shape that real ones have."""

from __future__ import annotations

from pathlib import Path

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources.imported import ImportedBook
from lorekeeper_mcp.sources.orcbrew import adapt_all, read_book_file

FOLDER = Path(__file__).parent / "fixtures"
WHOLE = ["wrapped", "lanterns-of-vell", "torn", "forms", "reeds-of-vell"]


def fixture(name: str) -> Path:
    """The path of a fixture."""
    return FOLDER / f"{name}.orcbrew"


def books(name: str) -> dict[str, ImportedBook]:
    """The books of a fixture by name."""
    reading = read_book_file(fixture(name).read_bytes(), name)
    assert reading.fault == ""
    return {book.document.name: book for book in adapt_all(reading)}


def records(name: str) -> dict[str, Record]:
    """The records of a fixture by key, without documents."""
    return {one.record.key: one.record for book in books(name).values() for one in book.items if one.record}


def stored(name: str) -> list[Record]:
    """All that the cache holds of a fixture beside documents: its items, and the features of those that have some."""
    return [record for book in books(name).values() for record in book.records()[1:]]


def skips(name: str) -> dict[str, str]:
    """Why items of a fixture were left out, by path."""
    return {one.path: one.reason for book in books(name).values() for one in book.items if one.reason}
