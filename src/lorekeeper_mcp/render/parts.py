"""Splits a rendered page into parts: lines of facts, tables, entries and paragraphs, each under its headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

_HEADING = re.compile(r"#{1,6} +(.+)")
_LABEL = re.compile(r"\*\*([^*]+)\*\* +(.+)")
_NAMED = re.compile(r"\*{2,3}_?([^*_]+?)\.?_?\*{2,3}\.?")
_MAX_HEADINGS = 500  # characters of the list of omitted parts
_MAX_PART_SHARE = 0.4  # of the space; after an omitted larger part, such as a class table, others still follow
_MAX_HEAD_SHARE = 0.5  # of the space; a larger block is not a head, even if it precedes every heading


class PartKind(StrEnum):
    """The kind of a part."""

    FACT = "fact"
    TABLE = "table"
    TEXT = "text"


@dataclass(frozen=True)
class Part:
    """A block of a page. ``section`` is the heading line above it, ``name`` the trait or action it belongs to."""

    section: str
    name: str
    markdown: str
    kind: PartKind

    @property
    def heading(self) -> str:
        """Its path of headings: ``Actions › Bite``."""
        return " › ".join(name for name in (self.section.lstrip("# "), self.name) if name)


def parts_of(page: str) -> tuple[Part, ...]:
    """The parts of a page below its title, in order."""
    parts: list[Part] = []
    section = name = ""
    for block in page.split("\n\n"):
        first, _, rest = block.partition("\n")
        if _HEADING.fullmatch(first):
            section, name = ("" if first.startswith("# ") else first), ""
            if not (block := rest.strip()):
                continue
        kind = PartKind.TABLE if block.startswith("|") else PartKind.TEXT
        if _LABEL.match(block):
            kind, name = PartKind.FACT, ""
        elif kind is PartKind.TEXT and (match := _NAMED.match(block)):
            name = match[1]
        parts.append(Part(section, name, block, kind))
    return tuple(parts)


def shorten(page: str, room: int, wanted: Collection[str] = ()) -> str:
    """Shorten a page to ``room`` characters. Its head has priority, then parts with a ``wanted`` text, then the others.

    Parts are printed in the order of the page, followed by a line with the headings of omitted parts.
    """
    if len(page) <= room:
        return page
    title = page.partition("\n\n")[0]
    parts = parts_of(page)
    note = "." * (_MAX_HEADINGS + 80)
    shortened = ""
    for _ in range(2):  # the second time with the length of the list of omitted parts
        chosen = _choose(parts, room - len(title) - len(note) - 4, room, wanted)
        note = _omission_note(part.heading or "further text" for index, part in enumerate(parts) if index not in chosen)
        attempt = "\n\n".join([title, print_parts([parts[index] for index in sorted(chosen)]), note])
        shortened = attempt if len(attempt) <= room or not shortened else shortened
    return shortened


def _choose(parts: Sequence[Part], available: int, room: int, wanted: Collection[str]) -> set[int]:
    """The indexes of the parts that fit: those of the head, those with a wanted text, then the others."""
    head_size = _MAX_HEAD_SHARE * available

    def need(index: int) -> int:
        part = parts[index]
        if not part.heading and len(part.markdown) <= head_size:
            return 0
        return 1 if any(text in part.markdown for text in wanted) else 2

    chosen: set[int] = set()
    for index in sorted(range(len(parts)), key=need):
        part = parts[index]
        cost = len(part.markdown) + len(part.section) + 4
        if cost <= available:
            chosen.add(index)
            available -= cost
        elif cost <= _MAX_PART_SHARE * room and not any(text in part.markdown for text in wanted):
            break  # the text after an omitted text belongs to it; the text after an omitted table does not
    return chosen


def print_parts(parts: Iterable[Part], heading: Callable[[str], str] = str) -> str:
    """Some parts as they stand on the page, each section under its ``heading``."""
    blocks: list[str] = []
    section = ""
    for part in parts:
        if part.section != section and (section := part.section):
            blocks.append(heading(section))
        blocks.append(part.markdown)
    return "\n\n".join(blocks)


def _omission_note(omitted: Iterable[str]) -> str:
    headings = list(dict.fromkeys(omitted))
    shown = headings
    while len("; ".join(shown)) > _MAX_HEADINGS:
        shown = shown[:-1]
    more = f"; and {len(headings) - len(shown)} more" if len(shown) < len(headings) else ""
    return f"*Left out for length: {'; '.join(shown)}{more}.*"
