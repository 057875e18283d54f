"""Every field that OrcBrew's forms write and its readers take is on the page as a book would print it, or has a reason.

The names are from the application's builders, its fork's hand-written forms, and the code that compiles them.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from lorekeeper_mcp.sources import formats
from tests.record_pages import markdown
from tests.sources.orcbrew.schema import BASES, ROWS

DASH = "— "
_FIELD = re.compile(r"(?:^| ):([\w?-]+) ")


def item(section: str, fields: str) -> str:
    """The fields of an item with those that its section needs, unless they are given."""
    given = set(_FIELD.findall(f" {fields}"))
    needed = re.findall(r":([\w?-]+) (\{[^}]*\}|\"[^\"]*\"|\S+)", BASES[section])
    return " ".join([*(f":{name} {value}" for name, value in needed if name not in given), fields])


@cache
def page(section: str, fields: str) -> str:
    """The page of a book with one item."""
    text = f'{{"Fens" {{:orcpub.dnd.e5/{section} {{:base {{:name "Base" {fields}}}}}}}}}'
    [book] = formats.read(text.encode(), "x").books
    assert [item.reason for item in book.items if item.reason] == []
    return markdown(book.records()[1])


@pytest.mark.parametrize("section", ROWS)
def test_each_field_of_a_section_is_on_the_page_or_has_a_reason(section: str) -> None:
    base = page(section, item(section, "")).splitlines()
    wrong = []
    for fields, line in ROWS[section]:
        shown = page(section, item(section, fields))
        silent = set(shown.splitlines()) <= set(base)
        holds = silent if line.startswith(DASH) else line in shown and line not in base
        wrong += [] if holds else [(fields, line)]
    assert wrong == []
