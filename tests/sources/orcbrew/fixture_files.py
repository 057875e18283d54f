"""Invented OrcBrew files, in every shape of real ones."""

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
    """All stored records of a fixture except documents: its items and their features."""
    return [record for book in books(name).values() for record in book.records()[1:]]


def skips(name: str) -> dict[str, str]:
    """The reasons for skipped items of a fixture, by path."""
    return {one.path: one.reason for book in books(name).values() for one in book.items if one.reason}
