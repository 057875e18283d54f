"""Every field in the data models of the dnd5e system is on the page as a book would print it, or ignored for a reason.

The names are those of ``module/data`` in the system's source, of its versions before 4 (an item's own action) and
since (activities). A row that begins with a dash has the reason for a field without words on the page.
"""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any

import pytest

from tests.sources.foundry.schema import activities, actor_items, actors, advancements, items, texts
from tests.sources.imported_items import read_pages

TABLES = (actors, items, activities, advancements, actor_items, texts)
ROWS = [
    (table, kind, path, value, line)
    for table in TABLES
    for kind, rows in table.ROWS.items()
    for path, value, line in rows
]
KINDS = list(dict.fromkeys((table, kind) for table, kind, _, _, _ in ROWS))
DASH = "— "


def document(table: ModuleType, kind: str, path: str | None = None, value: Any = None) -> dict[str, Any]:
    """A document of a kind with a value at a path in its fields, or, after a slash, in the document."""
    base = copy.deepcopy(table.BASES[kind])
    result: dict[str, Any] = (
        table.make(kind, base) if hasattr(table, "make") else {"name": "Base", "type": kind, "system": base}
    )
    fields: Any = table.inside(kind, result) if hasattr(table, "inside") else result["system"]
    if path == "":
        fields.clear()
        fields.update(value)
    elif path is not None:
        fields = result if path.startswith("/") else fields
        *steps, last = path.removeprefix("/").split(".")
        for step in steps:
            fields = fields.setdefault(step, {})
        fields[last] = value
    return result


@pytest.mark.parametrize(
    ("table", "kind"), KINDS, ids=[f"{table.__name__.rpartition('.')[2]}-{k}" for table, k in KINDS]
)
def test_each_field_of_the_schema_is_on_the_page_or_has_a_reason(table: ModuleType, kind: str) -> None:
    base_lines = read_pages(document(table, kind)).splitlines()
    wrong_rows = []
    for path, value, line in table.ROWS[kind]:
        changed = document(table, kind, path, copy.deepcopy(value))
        text = read_pages(changed)
        if line.startswith(DASH):
            is_right = set(text.splitlines()) <= set(base_lines)
        else:
            is_right = line in text and (line not in base_lines or changed == document(table, kind))
        wrong_rows += [] if is_right else [(path, value, line)]
    assert wrong_rows == []


@pytest.mark.parametrize("kind", sorted({row[1] for row in ROWS if row[0] in (actors, items)}))
def test_a_field_that_the_schema_does_not_name_is_on_the_page_too(kind: str) -> None:
    table = actors if kind in actors.BASES else items
    assert "zqunknown" in read_pages(document(table, kind, "homelyThing", {"inner": "zqunknown"}))
