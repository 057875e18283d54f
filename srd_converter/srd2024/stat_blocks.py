"""Stat blocks of the official text, split into facts and sections; ``creatures`` makes records of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from srd_converter.book2024.pages import Book, Line, joined, paragraphs
from srd_converter.book_prose import split_lead_in

SECTIONS = ("Traits", "Actions", "Bonus Actions", "Reactions", "Legendary Actions")

_PAGES = (258, 364)
_SIZES = "Tiny|Small|Medium|Large|Huge|Gargantuan"
_HEAD = re.compile(rf"^(?:{_SIZES})(?: or (?:{_SIZES}))? .*[A-Z]")
# Lines of names alone, without numbers or full stops.
_HEADING = re.compile(r"^[A-Z][\w'’-]*(?:,? (?:[A-Z][\w'’-]*|of)){0,3}$")
_FACT = re.compile(
    r"^(AC|HP|Speed|MOD|Str|Int|Skills|Gear|Resistances|Vulnerabilities|Immunities|Senses|Languages|CR)\b ?(.*)$"
)


@dataclass(frozen=True)
class StatBlock:
    """A stat block as printed: ``head`` is the line of size, type and alignment, ``chapter`` Monsters or Animals.

    ``facts`` are by label; ``sections`` have the name and text of each entry. A section may begin with a nameless text,
    such as how often legendary actions can be used.
    """

    name: str
    head: str
    chapter: str
    facts: dict[str, str]
    sections: dict[str, tuple[tuple[str, str], ...]]


def stat_blocks(book: Book) -> list[StatBlock]:
    """Every monster and animal, in the order of the book."""
    lines = book.between(*_PAGES)
    starts = [place for place in range(len(lines)) if _opens(lines, place)]
    animals = next(place for place, line in enumerate(lines) if line.text == "Animals")
    return [
        _block(book, _without_headings(lines[start:stop]), "Animals" if start > animals else "Monsters")
        for start, stop in pairwise([*starts, len(lines)])
    ]


def _opens(lines: tuple[Line, ...], place: int) -> bool:
    """Whether a name is here: its type follows in one or two lines, and then the armor class."""
    following = [line.text for line in lines[place + 1 : place + 4]]
    return bool(
        following
        and _HEAD.match(following[0])
        and any(text.startswith("AC ") for text in following[1:])
        and "," in " ".join(following[:2])
    )


def _block(book: Book, lines: tuple[Line, ...], chapter: str) -> StatBlock:
    first = next(place for place, line in enumerate(lines) if line.text.startswith("AC "))
    after = next((place for place, line in enumerate(lines) if line.text in SECTIONS), len(lines))
    return StatBlock(
        name=lines[0].text,
        head=joined([line.text for line in lines[1:first]], book.words),
        chapter=chapter,
        facts=_facts(book, lines[first:after]),
        sections=_sections(book, lines[after:]),
    )


def _without_headings(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines without trailing headings above the next stat blocks: ``Azer``, ``Blue Dragons``."""
    end = len(lines)
    while end > 1 and _HEADING.match(lines[end - 1].text) and (lines[end - 2].ends or lines[end - 2].text[-1] == "."):
        end -= 1
    return lines[:end]


def _facts(book: Book, lines: tuple[Line, ...]) -> dict[str, str]:
    facts: dict[str, list[str]] = {}
    label = ""
    for line in lines:
        if found := _FACT.match(line.text):
            label = found[1]
            facts[label] = [found[2]]
        else:
            facts[label].append(line.text)
    return {label: joined(parts, book.words) for label, parts in facts.items()}


def _sections(book: Book, lines: tuple[Line, ...]) -> dict[str, tuple[tuple[str, str], ...]]:
    sections: dict[str, list[Line]] = {}
    title = ""
    for line in lines:
        if line.text in SECTIONS:
            title = line.text
            sections[title] = []
        else:
            sections[title].append(line)
    return {title: tuple(_entries(book, own)) for title, own in sections.items()}


def _entries(book: Book, lines: list[Line]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each entry; a paragraph without a name belongs to the entry before."""
    name, texts = "", list[str]()
    for paragraph in paragraphs(lines, book.words):
        lead, rest = split_lead_in(paragraph)
        if lead and texts and _belongs(lead, name, texts):
            texts.append(f"**{lead}.** {rest}")
        elif lead:
            if name or texts:
                yield name, "\n\n".join(texts)
            name, texts = lead, [rest]
        else:
            texts.append(paragraph)
    if name or texts:
        yield name, "\n\n".join(texts)


def _belongs(lead: str, name: str, texts: list[str]) -> bool:
    """Whether a named paragraph is announced by an entry whose text ends in a colon.

    Entries are in alphabetical order, and paragraphs that belong to one break it: the weaknesses of a vampire, the rows
    of a dice table. The roars of a sphinx are named after the entry.
    """
    base = name.partition(" (")[0]
    return texts[0].endswith(":") and (lead[0].isdigit() or base in lead or lead < base)
