"""The rules glossary: about 150 terms in alphabetical order, fifteen of which are conditions.

A heading looks like a table caption; but headings are in alphabetical order, and a caption breaks it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lorekeeper_mcp.models import EditionText, Ref, Rule
from lorekeeper_mcp.text import letters, slugify
from srd_converter.book2024.pages import Book, Line, joined
from srd_converter.rule_sets import RuleText, rule_set
from srd_converter.sections import index_of, split_at
from srd_converter.srd2024.document import COMMON, KEY

_PAGES = (176, 191)
_SET = Ref(name="Rules Glossary", key=f"{KEY}_rules-glossary")
_TERM = re.compile(r"^(?!.*[.:;,]$)(?=[A-Z])[^\d]{2,40}$|^D20 Test$")
_TAG = re.compile(r" \[([^\]]+)\]$")
_ABBREVIATION = re.compile(r"(?m)^([A-Z][A-Za-z]{0,2}\.?) ([A-Z][\w() ]+)$")
_CONVENTIONS = "Glossary Conventions"
_FIRST = "Rules Definitions"
_ANNOUNCED_WITHIN, _MAX_ROW = 30, 30  # lines above a caption, characters of a row below it
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
    conventions, first = index_of(lines, _CONVENTIONS), index_of(lines, _FIRST)
    prose = _ABBREVIATION.sub(r"- **\1** \2", book.prose(lines[conventions + 1 : first]))
    lines = lines[first + 1 :]
    starts = _headings(lines)
    return [
        Term(_FIRST, "", book.prose(lines[: starts[0]])),
        Term(_CONVENTIONS, "", prose),
        *(_term(book, own) for own in split_at(lines, starts)),
    ]


def _headings(lines: Sequence[Line]) -> list[int]:
    """The indexes of the headings: the longest alphabetical sequence of lines that look like headings."""
    longest: list[list[int]] = []  # up to each of these lines
    names: list[str] = []
    for index in range(len(lines) - 1):
        if _may_be_heading(lines, index):
            name = letters(_TAG.sub("", lines[index].text))
            before = (sequence for other, sequence in zip(names, longest, strict=True) if other < name)
            longest.append([*max(before, key=len, default=[]), index])
            names.append(name)
    return max(longest, key=len)


def _may_be_heading(lines: Sequence[Line], index: int) -> bool:
    """Whether a line may be a heading: it is short, between prose, and not the caption of a table."""
    line, before = lines[index], lines[max(index - _ANNOUNCED_WITHIN, 0) : index]
    name = _TAG.sub("", line.text)
    return bool(
        line.ends
        and not line.opens
        and _TERM.match(line.text)
        and (before[-1].ends or before[-1].text.endswith("."))
        and len(lines[index + 1].text) > _MAX_ROW
        and f"{name} table" not in joined([line.text for line in before], frozenset())
    )


def _term(book: Book, lines: Sequence[Line]) -> Term:
    tag = _TAG.search(lines[0].text)
    return Term(_TAG.sub("", lines[0].text), tag[1] if tag else "", book.prose(lines[1:]))


def rules(glossary: Sequence[Term]) -> list[Rule]:
    """The glossary as a rule set and its rules. Conditions are records of their own kind."""
    introduction, *others = glossary
    texts = [
        RuleText(f"{_SET.key}_{slugify(term.name)}", term.name, f"*{term.tag}.* {term.text}" if term.tag else term.text)
        for term in others
        if term.tag != _CONDITION
    ]
    return rule_set(_SET, introduction.text, texts, COMMON)


def conditions(glossary: Sequence[Term]) -> dict[str, EditionText]:
    """The texts of the conditions by the keys that they share with the conditions of 2014."""
    (edition,) = COMMON["editions"]
    return {
        slugify(term.name): EditionText(text=term.text, document_key=KEY, edition=edition)
        for term in glossary
        if term.tag == _CONDITION
    }
