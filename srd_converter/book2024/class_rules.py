"""The parts of the class chapters besides the features: introductions, boxed texts and spells by level."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from lorekeeper_mcp.models import Kind, Ref, Rule
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line
from srd_converter.rule_sets import RuleText, rule_set
from srd_converter.srd2024.classes import classes
from srd_converter.srd2024.document import COMMON, KEY

_PAGES = (28, 82)
_LEVEL = re.compile(r"Level \d+: ")
_SUBCLASS = re.compile(r"\w+ Subclass:")
_CORE = re.compile(r"Core (\w+) Traits$")
_NOT_CAPITALIZED = ("a", "and", "of", "the")


def class_rules(book: Book) -> list[Rule]:
    """A rule set for each class, followed by its boxed texts and its spell list if it has one."""
    lines = book.between(*_PAGES)
    names = [record.name for record in classes(book) if record.kind is Kind.CLASS]
    boxes = _boxes(book, lines)
    plain = [line for line in lines if not line.is_boxed]
    return [rule for name in names for rule in _rules(book, plain, name, boxes.get(name, {}))]


def _rules(book: Book, lines: Sequence[Line], name: str, boxes: Mapping[str, str]) -> list[Rule]:
    section = Ref(name=f"{name} Class", key=f"{KEY}_class-{slugify(name)}")
    title = f"{name} Spell List"
    spells = _below(book, lines, title, _SUBCLASS)
    texts = {**boxes, title: spells} if spells else boxes
    found = [RuleText(f"{section.key}_{slugify(heading)}", heading, text) for heading, text in texts.items()]
    return rule_set(section, _below(book, lines, f"{name} Class Features", _LEVEL), found, COMMON, header_level=3)


def _boxes(book: Book, lines: Sequence[Line]) -> Mapping[str, Mapping[str, str]]:
    """Class -> heading -> text of the boxed texts of its chapter."""
    boxes: dict[str, dict[str, str]] = {}
    name = ""
    for is_boxed, run in groupby(lines, key=lambda line: line.is_boxed):
        own = list(run)
        if is_boxed:
            heading = " ".join(word if word in _NOT_CAPITALIZED else word.capitalize() for word in own[0].text.split())
            boxes.setdefault(name, {})[heading] = book.prose(own[1:])
        name = next((found[1] for line in reversed(own) if (found := _CORE.match(line.text))), name)
    return boxes


def _below(book: Book, lines: Sequence[Line], heading: str, end: re.Pattern[str]) -> str:
    """The text under a heading up to the next one of a kind; "" if there is no such heading."""
    begin = next((place for place, line in enumerate(lines) if line.text == heading), None)
    if begin is None:
        return ""
    after = range(begin + 1, len(lines))
    return book.prose(lines[begin + 1 : next(place for place in after if end.match(lines[place].text))])
