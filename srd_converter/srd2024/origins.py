"""Species, backgrounds and feats of the official text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lorekeeper_mcp.models import Background, Feat, Kind, Section, Species
from srd_converter.book2024.pages import Book, Line, joined, paragraphs
from srd_converter.book_prose import split_lead_in
from srd_converter.sections import index_of, split_at
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


def _labelled(book: Book, lines: Iterable[Line]) -> dict[str, str]:
    """Values by their labels: ``Size: Medium``; a value continues in lines without a label."""
    values: dict[str, list[str]] = {}
    label = ""
    for line in lines:
        name, colon, value = line.text.partition(": ")
        if colon:
            label = name
            values[label] = [value]
        else:
            values[label].append(line.text)
    return {label: joined(parts, book.words) for label, parts in values.items()}


def backgrounds(book: Book) -> list[Background]:
    """Every background."""
    lines = book.between(*_BACKGROUNDS)
    lines = lines[: index_of(lines, "Character Species")]
    starts = [index - 1 for index, line in enumerate(lines) if line.text.startswith("Ability Scores:")]
    return [
        Background(
            kind=Kind.BACKGROUND,
            key=key_of(head.text),
            name=head.text,
            benefits=tuple(
                Section(name=label, text=text, type=_BENEFITS[label]) for label, text in _labelled(book, below).items()
            ),
            **COMMON,
        )
        for head, *below in split_at(lines, starts)
    ]


def species(book: Book) -> list[Species]:
    """Every species, its lineages among the traits as in the book."""
    lines = book.between(*_SPECIES)
    starts = [index - 1 for index, line in enumerate(lines) if line.text.startswith("Creature Type:")]
    return [_species(book, own) for own in split_at(lines, starts)]


def _species(book: Book, lines: Sequence[Line]) -> Species:
    name = lines[0].text
    introduction = next(index for index, line in enumerate(lines) if line.text.startswith("As a"))
    facts = _labelled(book, lines[1:introduction])
    return Species(
        kind=Kind.SPECIES,
        key=key_of(name),
        name=name,
        text=lines[introduction].text,
        size=facts["Size"],
        speed=facts["Speed"],
        traits=(
            *(Section(name=label, text=facts[label], type=label.upper().replace(" ", "_")) for label in _FACTS),
            *_traits(book, lines[introduction + 1 :]),
        ),
        **COMMON,
    )


def _traits(book: Book, lines: Sequence[Line]) -> Iterator[Section]:
    """Traits begin with their name in an indented line; lines in between belong to the trait above."""
    names = {index: _name(book, lines[index:]) for index, line in enumerate(lines) if line.opens}
    starts = {index: name for index, name in names.items() if name}
    for name, own in zip(starts.values(), split_at(lines, list(starts)), strict=True):
        yield Section(name=name, text=book.prose(own).removeprefix(f"**{name}.** "))


def _name(book: Book, lines: Sequence[Line]) -> str:
    return split_lead_in(next(paragraphs(lines[:6], book.words)))[0]


def feats(book: Book) -> list[Feat]:
    """Every feat, in the order of the book."""
    lines = book.between(*_FEATS)
    starts = [index - 1 for index, line in enumerate(lines) if _FEAT_TYPE.match(line.text)]
    return [_feat(book, own) for own in split_at(lines, starts)]


def _feat(book: Book, lines: Sequence[Line]) -> Feat:
    """A feat. Its benefits are the paragraphs under its introduction."""
    name, type_line, *below = [line for line in lines if line is lines[0] or line.text not in book.titles]
    type_text = type_line.text
    while "(" in type_text and not type_text.endswith(")"):
        type_text = joined([type_text, below.pop(0).text], book.words)
    fields = _FEAT_TYPE.match(type_text)
    if not fields:
        raise ValueError(f"The feat {name.text} has no category.")
    introduction, *benefits = book.prose(below).split("\n\n")
    return Feat(
        kind=Kind.FEAT,
        key=key_of(name.text),
        name=name.text,
        text=introduction,
        type=fields[1],
        prerequisite=(fields[2] or "").removesuffix(")"),
        benefits=tuple(benefits),
        **COMMON,
    )
