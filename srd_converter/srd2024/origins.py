"""Species, backgrounds and feats of the official text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lorekeeper_mcp.models import Background, Feat, Kind, Section, Species
from srd_converter.book2024.pages import Book, Line, joined, paragraphs
from srd_converter.book_prose import split_lead_in
from srd_converter.srd2024.document import COMMON, key_of

_BACKGROUNDS, _SPECIES, _FEATS = (83, 83), (84, 86), (87, 88)
_BENEFITS = {
    "Ability Scores": "ability_score",
    "Feat": "feat",
    "Skill Proficiencies": "skill_proficiency",
    "Tool Proficiency": "tool_proficiency",
    "Equipment": "equipment",
}
_FACTS = ("Creature Type", "Size", "Speed")
_FEAT_TYPE = re.compile(r"^(Origin|General|Fighting Style|Epic Boon) Feat(?: \(Prerequisite: (.*)|$)")


def _labelled(book: Book, lines: Sequence[Line], labels: Sequence[str]) -> dict[str, str]:
    """Values by their labels: ``Size: Medium``; a value continues in lines without a label."""
    found: dict[str, list[str]] = {}
    label = ""
    for line in lines:
        name, colon, value = line.text.partition(":")
        if colon and name in labels:
            label = name
            found[label] = [value.strip()]
        elif label:
            found[label].append(line.text)
    return {label: joined(parts, book.words) for label, parts in found.items()}


def backgrounds(book: Book) -> list[Background]:
    """Every background."""
    lines = book.between(*_BACKGROUNDS)
    end = next(place for place, line in enumerate(lines) if line.text == "Character Species")
    starts = [place - 1 for place, line in enumerate(lines[:end]) if line.text.startswith("Ability Scores:")]
    found = [
        (lines[start].text, _labelled(book, lines[start + 1 : stop], tuple(_BENEFITS)))
        for start, stop in pairwise([*starts, end])
    ]
    return [
        Background(
            kind=Kind.BACKGROUND,
            key=key_of(name),
            name=name,
            benefits=tuple(Section(name=label, text=text, type=_BENEFITS[label]) for label, text in benefits.items()),
            **COMMON,
        )
        for name, benefits in found
    ]


def species(book: Book) -> list[Species]:
    """Every species, its lineages among the traits as in the book."""
    lines = book.between(*_SPECIES)
    starts = [place - 1 for place, line in enumerate(lines) if line.text.startswith("Creature Type:")]
    end = next((place for place, line in enumerate(lines) if place > starts[-1] and line.text == "Feats"), len(lines))
    return [_species(book, lines[start:stop]) for start, stop in pairwise([*starts, end])]


def _species(book: Book, lines: Sequence[Line]) -> Species:
    name = lines[0].text
    opening = next(place for place, line in enumerate(lines) if line.text.startswith("As a"))
    facts = _labelled(book, lines[1:opening], _FACTS)
    return Species(
        kind=Kind.SPECIES,
        key=key_of(name),
        name=name,
        text=lines[opening].text,
        size=facts["Size"],
        speed=facts["Speed"],
        traits=(
            *(Section(name=label, text=facts[label], type=label.upper().replace(" ", "_")) for label in _FACTS),
            *_traits(book, lines[opening + 1 :]),
        ),
        **COMMON,
    )


def _traits(book: Book, lines: Sequence[Line]) -> list[Section]:
    """Traits begin with their name in an indented line; lines in between belong to the trait above."""
    groups: list[tuple[str, list[Line]]] = []
    for place, line in enumerate(lines):
        name = _name(book, lines[place:]) if line.opens else ""
        if name:
            groups.append((name, [line]))
        else:
            groups[-1][1].append(line)
    sections = []
    for name, own in groups:
        text = book.prose(own)
        sections.append(Section(name=name, text=text.removeprefix(f"**{name}.** ")))
    return sections


def _name(book: Book, lines: Sequence[Line]) -> str:
    return split_lead_in(next(paragraphs(lines[:6], book.words)))[0]


def feats(book: Book) -> list[Feat]:
    """Every feat, in the order of the book."""
    lines = book.between(*_FEATS)
    starts = [place - 1 for place, line in enumerate(lines) if _FEAT_TYPE.match(line.text)]
    end = next((place for place, line in enumerate(lines) if line.text == "Equipment"), len(lines))
    titles = book.titles
    return [
        _feat(book, [line for line in lines[start:stop] if line.text not in titles or line is lines[start]])
        for start, stop in pairwise([*starts, end])
    ]


def _feat(book: Book, lines: Sequence[Line]) -> Feat:
    """A feat. Its benefits are the paragraphs under its introduction."""
    place, type_line = 2, lines[1].text
    while "(" in type_line and not type_line.endswith(")"):
        type_line, place = joined([type_line, lines[place].text], book.words), place + 1
    found = _FEAT_TYPE.match(type_line)
    if not found:
        raise ValueError(f"The feat {lines[0].text} has no category.")
    first, *benefits = book.prose(lines[place:]).split("\n\n")
    return Feat(
        kind=Kind.FEAT,
        key=key_of(lines[0].text),
        name=lines[0].text,
        text=first,
        type=found[1],
        prerequisite=(found[2] or "").removesuffix(")"),
        benefits=tuple(benefits),
        **COMMON,
    )
