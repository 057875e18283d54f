"""Invented OrcBrew files, in every shape of real ones."""

from __future__ import annotations

from pathlib import Path

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import orcbrew
from lorekeeper_mcp.sources.imported import ImportedBook

FOLDER = Path(__file__).parent / "fixtures"
VALE = "orcbrew_moths-of-amberfen"
WHOLE = ["wrapped", "lanterns-of-vell", "torn", "forms", "reeds-of-vell"]


def fixture(name: str) -> Path:
    """The path of a fixture."""
    return FOLDER / f"{name}.orcbrew"


def books(name: str) -> dict[str, ImportedBook]:
    """The books of a fixture by name."""
    file = orcbrew.read(fixture(name).read_bytes(), name)
    assert file.fault == ""
    return {book.document.name: book for book in file.books}


def records(name: str) -> dict[str, Record]:
    """The records of a fixture by key, without documents."""
    return {item.record.key: item.record for book in books(name).values() for item in book.items if item.record}


def stored(name: str) -> list[Record]:
    """All stored records of a fixture except documents: its items and their features."""
    return [record for book in books(name).values() for record in book.records()[1:]]


def skips(name: str) -> dict[str, str]:
    """The reasons for skipped items of a fixture, by path."""
    return {item.path: item.reason for book in books(name).values() for item in book.items if item.reason}


def brewed(section: str, key: str) -> Record:
    """The record of an item of the book Moths of Amberfen."""
    return records("wrapped")[f"{VALE}_{section}_{key}"]


def adapted(section: str, fields: str) -> Record:
    """The record of the only item of a file, with its fields in EDN."""
    [book] = orcbrew.read(f"{{:orcpub.dnd.e5/{section} {{:it {fields}}}}}".encode(), "file").books
    record = book.items[0].record
    assert record is not None, book.items[0].reason
    return record
