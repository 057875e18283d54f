"""The parts of the class chapters besides the features: introductions, boxed texts and spells by level."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile

from lorekeeper_mcp.models import Ref, Rule
from lorekeeper_mcp.text import slugify
from srd_converter.book2024.pages import Book, Line
from srd_converter.rule_sets import RuleText, rule_set
from srd_converter.sections import index_of
from srd_converter.srd2024.document import COMMON, KEY, ref

_PAGES = (28, 82)
_LEVEL = re.compile(r"Level \d+: ")
_SUBCLASS = re.compile(r"\w+ Subclass:")
_CORE = re.compile(r"Core (\w+) Traits$")
_NOT_CAPITALIZED = ("a", "and", "of", "the")


def class_rules(book: Book) -> list[Rule]:
    """A rule set for each class, followed by its boxed texts and its spell list if it has one."""
    lines = book.between(*_PAGES)
    boxes = _boxes(book, lines)
    prose = [line for line in lines if not line.is_boxed]
    names = [core[1] for line in prose if (core := _CORE.match(line.text))]
    return [rule for name in names for rule in _rules(book, prose, name, boxes[name])]


def _rules(book: Book, lines: Sequence[Line], name: str, boxes: Mapping[str, str]) -> list[Rule]:
    section = Ref(name=f"{name} Class", key=f"{KEY}_class-{slugify(name)}")
    title = f"{name} Spell List"
    texts = dict(boxes)
    if any(line.text == title for line in lines):
        texts[title] = _text_under(book, lines, title, _SUBCLASS)
    below = [RuleText(f"{section.key}_{slugify(heading)}", heading, text) for heading, text in texts.items()]
    introduction = _text_under(book, lines, f"{name} Class Features", _LEVEL)
    return rule_set(section, introduction, below, COMMON, see_also=(ref(name),))


def _boxes(book: Book, lines: Sequence[Line]) -> Mapping[str, Mapping[str, str]]:
    """Class -> heading -> text of the boxed texts of its chapter."""
    boxes: dict[str, dict[str, str]] = defaultdict(dict)
    name = ""
    for is_boxed, group in groupby(lines, key=lambda line: line.is_boxed):
        head, *below = group
        if is_boxed:
            heading = " ".join(word if word in _NOT_CAPITALIZED else word.capitalize() for word in head.text.split())
            boxes[name][heading] = book.prose(below)
        name = next((core[1] for line in reversed(below) if (core := _CORE.match(line.text))), name)
    return boxes


def _text_under(book: Book, lines: Sequence[Line], heading: str, end: re.Pattern[str]) -> str:
    """The text under a heading up to the next one of a kind."""
    below = lines[index_of(lines, heading) + 1 :]
    return book.prose(takewhile(lambda line: not end.match(line.text), below))
