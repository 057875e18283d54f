"""Every field that OrcBrew's forms write and its readers take is on the page as a book would print it, or has a reason.

The names are from the application's builders, its fork's hand-written forms, and the code that compiles them.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.sources.imported_items import read_pages
from tests.sources.orcbrew.schema import BASES, ROWS

DASH = "— "
_FIELD = re.compile(r"(?:^| ):([\w?-]+) ")


def item(section: str, fields: str) -> str:
    """The fields of an item, with those that its section needs and the item lacks."""
    present = set(_FIELD.findall(f" {fields}"))
    needed = re.findall(r":([\w?-]+) (\{[^}]*\}|\"[^\"]*\"|\S+)", BASES[section])
    return " ".join([*(f":{name} {value}" for name, value in needed if name not in present), fields])


@cache
def page(section: str, fields: str) -> str:
    """The page of a book with one item."""
    text = f'{{"Fens" {{:orcpub.dnd.e5/{section} {{:base {{:name "Base" {fields}}}}}}}}}'
    return read_pages(text)


@pytest.mark.parametrize("section", ROWS)
def test_each_field_of_a_section_is_on_the_page_or_has_a_reason(section: str) -> None:
    base = page(section, item(section, "")).splitlines()
    wrong = []
    for fields, line in ROWS[section]:
        text = page(section, item(section, fields))
        adds_nothing = set(text.splitlines()) <= set(base)
        is_right = adds_nothing if line.startswith(DASH) else line in text and line not in base
        wrong += [] if is_right else [(fields, line)]
    assert wrong == []
