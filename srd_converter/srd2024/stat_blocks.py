"""Stat blocks of the official text, split into facts and sections; ``creatures`` makes records of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from srd_converter.book2024.pages import Book, Line, joined, paragraphs
from srd_converter.book_prose import split_lead_in
from srd_converter.sections import index_of, split_at

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
    starts = [index for index in range(len(lines)) if _is_name(lines, index)]
    animals = index_of(lines, "Animals")
    return [
        _block(book, _without_headings(own), "Animals" if start > animals else "Monsters")
        for start, own in zip(starts, split_at(lines, starts), strict=True)
    ]


def _is_name(lines: Sequence[Line], index: int) -> bool:
    """Whether a line is the name of a stat block: its type follows in one or two lines, and then the armor class."""
    head, *after = [line.text for line in lines[index + 1 : index + 4]] or [""]
    return bool(_HEAD.match(head)) and any(text.startswith("AC ") for text in after)


def _block(book: Book, lines: Sequence[Line], chapter: str) -> StatBlock:
    armor_class = next(index for index, line in enumerate(lines) if line.text.startswith("AC "))
    first_section = next(index for index, line in enumerate(lines) if line.text in SECTIONS)
    return StatBlock(
        name=lines[0].text,
        head=joined([line.text for line in lines[1:armor_class]], book.words),
        chapter=chapter,
        facts=_facts(book, lines[armor_class:first_section]),
        sections=_sections(book, lines[first_section:]),
    )


def _without_headings(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines without trailing headings above the next stat blocks: ``Azer``, ``Blue Dragons``."""
    end = len(lines)
    while _HEADING.match(lines[end - 1].text) and (lines[end - 2].ends or lines[end - 2].text[-1] == "."):
        end -= 1
    return lines[:end]


def _facts(book: Book, lines: Sequence[Line]) -> dict[str, str]:
    facts: dict[str, list[str]] = {}
    label = ""
    for line in lines:
        if fact := _FACT.match(line.text):
            label = fact[1]
            facts[label] = [fact[2]]
        else:
            facts[label].append(line.text)
    return {label: joined(parts, book.words) for label, parts in facts.items()}


def _sections(book: Book, lines: Sequence[Line]) -> dict[str, tuple[tuple[str, str], ...]]:
    starts = [index for index, line in enumerate(lines) if line.text in SECTIONS]
    return {title.text: tuple(_entries(book, section)) for title, *section in split_at(lines, starts)}


def _entries(book: Book, lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each entry; a paragraph without a name belongs to the entry before."""
    name, texts = "", list[str]()
    for paragraph in paragraphs(lines, book.words):
        lead, rest = split_lead_in(paragraph)
        if lead and texts and _belongs(lead, name, texts):
            texts.append(f"**{lead}.** {rest}")
        elif lead:
            if texts:
                yield name, "\n\n".join(texts)
            name, texts = lead, [rest]
        else:
            texts.append(paragraph)
    yield name, "\n\n".join(texts)


def _belongs(lead: str, name: str, texts: Sequence[str]) -> bool:
    """Whether a named paragraph is announced by an entry whose text ends in a colon.

    Entries are in alphabetical order, and paragraphs that belong to one break it: the weaknesses of a vampire, the rows
    of a dice table. The roars of a sphinx are named after the entry.
    """
    base = name.partition(" (")[0]
    return texts[0].endswith(":") and (lead[0].isdigit() or base in lead or lead < base)
