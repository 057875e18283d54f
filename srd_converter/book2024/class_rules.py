"""What the chapters of the classes say beside the features: how each class is introduced, and its spells by level."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lorekeeper_mcp.models import Kind, Ref, Rule
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line
from srd_converter.srd2024.classes import classes
from srd_converter.srd2024.document import COMMON, KEY

_PAGES = (28, 82)
_LEVEL = re.compile(r"Level \d+: ")
_SUBCLASS = re.compile(r"\w+ Subclass:")


def class_rules(book: Book) -> list[Rule]:
    """A rule set for each class, followed by its spell list if it has one."""
    lines = book.between(*_PAGES)
    names = [record.name for record in classes(book) if record.kind is Kind.CLASS]
    return [rule for name in names for rule in _rules(book, lines, name)]


def _rules(book: Book, lines: Sequence[Line], name: str) -> Iterator[Rule]:
    section = Ref(name=f"{name} Class", key=f"{KEY}_class-{slugify(name)}")
    title = f"{name} Spell List"
    spells = _below(book, lines, title, _SUBCLASS)
    own = Rule(
        kind=Kind.RULE,
        key=f"{section.key}_{slugify(title)}",
        name=title,
        text=spells,
        section=section,
        order=1,
        header_level=3,
        **COMMON,
    )
    yield Rule(
        kind=Kind.RULE_SET,
        key=section.key,
        name=section.name,
        text=_below(book, lines, f"{name} Class Features", _LEVEL),
        rules=(Ref(name=own.name, key=own.key),) if spells else (),
        **COMMON,
    )
    if spells:
        yield own


def _below(book: Book, lines: Sequence[Line], heading: str, end: re.Pattern[str]) -> str:
    """The text under a heading up to the next one of a kind; empty where there is no such heading."""
    begin = next((place for place, line in enumerate(lines) if line.text == heading), None)
    if begin is None:
        return ""
    after = range(begin + 1, len(lines))
    return book.prose(lines[begin + 1 : next(place for place in after if end.match(lines[place].text))])
