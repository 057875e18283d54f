"""The rules glossary: about 150 terms in alphabetical order, fifteen of which are conditions.

A heading looks like a table caption; but headings are in alphabetical order, and a caption breaks it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lorekeeper_mcp.models import EditionText, Ref, Rule
from lorekeeper_mcp.text import letters, slugify
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.rule_sets import RuleText, rule_set
from srd_converter.srd2024.document import COMMON, KEY

_PAGES = (176, 191)
_SET = Ref(name="Rules Glossary", key=f"{KEY}_rules-glossary")
_TERM = re.compile(r"^(?!.*[.:;,]$)(?=[A-Z])[^\d]{2,40}$|^D20 Test$")
_TAG = re.compile(r" \[([^\]]+)\]$")
_ABBREVIATION = re.compile(r"(?m)^([A-Z][A-Za-z]{0,2}\.?) ([A-Z][\w() ]+)$")
_CONVENTIONS = "Glossary Conventions"
_FIRST = "Rules Definitions"
_LAST = "Gameplay Toolbox"
_CONDITION = "Condition"


@dataclass(frozen=True)
class Term:
    """A term of the glossary with its text; the tag is ``Action``, ``Condition``, ``Hazard`` and the like, or ""."""

    name: str
    tag: str
    text: str


def terms(book: Book) -> list[Term]:
    """The introduction to the definitions and the conventions of the glossary, then every term in the book's order."""
    lines = book.between(*_PAGES)
    texts = [line.text for line in lines]
    end = texts.index(_LAST) if _LAST in texts else len(lines)
    begin = texts.index(_FIRST) + 1
    prose = book.prose(lines[texts.index(_CONVENTIONS) + 1 : begin - 1])
    conventions = Term(_CONVENTIONS, "", _ABBREVIATION.sub(r"- **\1** \2", prose))
    lines = lines[begin:end]
    starts = _ascending(lines)
    introduction = Term(_FIRST, "", book.prose(lines[: starts[0]]))
    found = [_term(book, lines[start:stop]) for start, stop in pairwise([*starts, len(lines)])]
    return [introduction, conventions, *found]


def _ascending(lines: Sequence[Line]) -> list[int]:
    """The indexes of the headings: the longest alphabetical sequence of lines that look like headings."""
    places = [place for place in range(len(lines) - 1) if _may_head(lines, place)]
    names = [_sorted_by(lines[place].text) for place in places]
    tails: list[str] = []
    last: list[int] = []
    before: list[int | None] = []
    for number, name in enumerate(names):
        rank = bisect_left(tails, name)
        if rank < len(tails) and tails[rank] == name:  # the caption of a table with the same name as its term
            before.append(None)
            continue
        before.append(last[rank - 1] if rank else None)
        if rank == len(tails):
            tails.append(name)
            last.append(number)
        else:
            tails[rank], last[rank] = name, number
    found: list[int] = []
    number_: int | None = last[-1]
    while number_ is not None:
        found.append(places[number_])
        number_ = before[number_]
    return found[::-1]


def _may_head(lines: Sequence[Line], place: int) -> bool:
    """Whether a line may be a heading: it is short, between prose, and not the caption of a table."""
    line, following = lines[place], lines[place + 1]
    name = _TAG.sub("", line.text)
    before = lines[place - 1] if place else None
    return bool(
        line.ends
        and not line.opens
        and _TERM.match(line.text)
        and (before is None or before.ends or before.text.endswith("."))
        and (len(following.text) > 30 or following.text.endswith("."))
        and f"{name} table" not in joined([one.text for one in lines[max(place - 30, 0) : place]], frozenset())
    )


def _sorted_by(heading: str) -> str:
    """The sort key of a heading in the book: its letters alone."""
    return letters(_TAG.sub("", heading))


def _term(book: Book, lines: Sequence[Line]) -> Term:
    tag = _TAG.search(lines[0].text)
    return Term(_TAG.sub("", lines[0].text), tag[1] if tag else "", book.prose(lines[1:]))


def rules(found: Sequence[Term]) -> list[Rule]:
    """The glossary as a rule set and its rules. Conditions are records of their own kind."""
    introduction, *others = found
    texts = [
        RuleText(f"{_SET.key}_{slugify(term.name)}", term.name, f"*{term.tag}.* {term.text}" if term.tag else term.text)
        for term in others
        if term.tag != _CONDITION
    ]
    return rule_set(_SET, introduction.text, texts, COMMON, header_level=2)


def conditions(found: Sequence[Term]) -> dict[str, EditionText]:
    """The texts of the conditions by the keys that they share with the conditions of 2014."""
    (edition,) = COMMON["editions"]
    return {
        slugify(term.name): EditionText(text=term.text, document_key=KEY, edition=edition)
        for term in found
        if term.tag == _CONDITION
    }
