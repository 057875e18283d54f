"""The page of each record: where the book prints its name before its text.

Names and texts are compared by their letters alone, since the pages have lost spaces and marks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from lorekeeper_mcp.models import Background, CharacterClass, Creature, Equipment, Feat, Record, Species
from lorekeeper_mcp.text import letters

_BEGINNING = 36  # letters of a text that are looked for; a longer part would run into a note or a broken column
_NEAR = 1_600  # letters between a name and the beginning of its text, such as the head of a stat block
_NAME = re.compile(r"([^.(:\d—]{3,50}?) ?[.(:\d—]")
_VARIANT = re.compile(r", \+\d.*| \([^()]*\)$")  # what a name has beyond that of its family
_CONTENTS = 4  # the last page of a table of contents, which has names without texts
_MIN_LETTERS = 14  # of a text; a shorter one is found anywhere


class PrintedLine(Protocol):
    """A line of either book."""

    @property
    def text(self) -> str:
        """The words of the line."""

    @property
    def page(self) -> int:
        """The number of its page."""


@dataclass(frozen=True)
class Pages:
    """The letters of a book, and for each line the place of its first letter and its page."""

    letters: str
    starts: Sequence[int]
    pages: Sequence[int]
    headings: dict[str, list[int]]

    def page_at(self, place: int) -> int:
        """The page of a letter."""
        return self.pages[bisect_right(self.starts, place) - 1]

    def find(self, name: str, beginnings: Iterable[str], *, is_row: bool = False) -> int | None:
        """The page of a name followed by one of some texts, or of the first of these texts; None if none is found.

        What ``is_row`` of a table may have no text of its own; it is where its name is printed first.
        """
        texts = [text for beginning in beginnings if len(text := letters(beginning)[:_BEGINNING]) >= _MIN_LETTERS]
        printed = self.headings.get(letters(name)) or self.headings.get(letters(_VARIANT.sub("", name)), [])
        names = [place for place in printed if self.page_at(place) > _CONTENTS]
        for text in texts:
            for place in names:
                if self.letters.find(text, place, place + _NEAR) >= 0:
                    return self.page_at(place)
        places = (self.letters.find(text) for text in texts)
        found = next((place for place in places if place >= 0), None)
        if found is None:
            found = names[0] if len(names) == 1 or (names and is_row) else None
        return None if found is None else self.page_at(found)


def pages_of(lines: Iterable[PrintedLine]) -> Pages:
    """Index the lines of a book."""
    starts, pages, texts = [], [], []
    headings: dict[str, list[int]] = {}
    place = 0
    for line in lines:
        text = letters(line.text)
        starts.append(place)
        pages.append(line.page)
        texts.append(text)
        headings.setdefault(text, []).append(place)
        # A run-in name, the first cell of a table, or a name with what the book prints beside it: "Acid (25 GP)".
        if head := _NAME.match(line.text):
            headings.setdefault(letters(head[1]), []).append(place)
        place += len(text)
    return Pages("".join(texts), starts, pages, headings)


def with_page(record: Record, pages: Pages) -> Record:
    """Return a record with its page, or unchanged if it is not found."""
    page = pages.find(record.name, _beginnings(record), is_row=isinstance(record, Equipment))
    return record if page is None else record.model_copy(update={"page": page})


def _beginnings(record: Record) -> Iterator[str]:
    """The texts of a record, in the order of their value for finding it."""
    yield from (text for text in record.text.split("\n\n") if text and not text.startswith("|"))
    match record:
        case Creature():
            yield from (f"{trait.name}{trait.text}" for trait in record.traits)
            yield from (f"{action.name}{action.text}" for action in record.actions)
        case CharacterClass():
            yield from (feature.text for feature in record.features)
        case Species():
            yield from (trait.text for trait in record.traits)
        case Background():
            yield from (benefit.text for benefit in record.benefits)
        case Feat():
            yield from record.benefits
        case Equipment() if record.weapon:
            yield f"{record.name}{record.weapon.damage_dice}{record.weapon.damage_type}"
