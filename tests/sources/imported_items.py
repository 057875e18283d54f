"""The items, records and pages of a homebrew file of any format."""

from __future__ import annotations

import json
from typing import Any

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import formats
from lorekeeper_mcp.sources.imported import ImportedFile, ImportedItem
from lorekeeper_mcp.sources.originals import Originals
from tests.json_paths import value_at
from tests.record_pages import markdown


def read_file(content: object, name: str = "x", originals: Originals | None = None) -> ImportedFile:
    """The file as imported; any content but bytes and text is written as JSON."""
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content)).encode()
    return formats.read(content, name, originals)


def items_of(file: ImportedFile) -> list[ImportedItem]:
    return [item for book in file.books for item in book.items]


def read_items(content: object, name: str = "x", originals: Originals | None = None) -> list[ImportedItem]:
    return items_of(read_file(content, name, originals))


def records_by_name(items: list[ImportedItem]) -> dict[str, Record]:
    return {item.record.name: item.record for item in items if item.record}


def skip_reasons(items: list[ImportedItem]) -> list[str]:
    return [item.reason for item in items if item.reason]


def read_records(content: object, name: str = "x") -> dict[str, Record]:
    """The records of a file without a fault or a skipped item, by name."""
    file = read_file(content, name)
    assert file.fault == ""
    assert skip_reasons(items_of(file)) == []
    return records_by_name(items_of(file))


def read_pages(content: object) -> str:
    """The pages of all records of a file without a fault or a skipped item."""
    file = read_file(content)
    assert file.fault == ""
    assert skip_reasons(items_of(file)) == []
    return "\n".join(markdown(record) for book in file.books for record in book.records()[1:])


def field_at(record: Record, path: str) -> Any:
    """A value in a record, by a path such as ``actions.0.name``."""
    steps = (int(step) if step.isdigit() else step for step in path.split("."))
    return value_at(record.model_dump(mode="json"), tuple(steps))
