"""Splits a rendered page into parts: lines of facts, tables, entries and paragraphs, each under its headings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
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
    return tuple(_parts(page))


def _parts(page: str) -> Iterator[Part]:
    section = name = ""
    for block in page.split("\n\n"):
        first, _, rest = block.partition("\n")
        if _HEADING.fullmatch(first):
            section, name = ("" if first.startswith("# ") else first), ""
            if not (block := rest.strip()):
                continue
        if _LABEL.match(block):
            yield Part(section, name := "", block, PartKind.FACT)
        elif block.startswith("|"):
            yield Part(section, name, block, PartKind.TABLE)
        else:
            if match := _NAMED.match(block):
                name = match[1]
            yield Part(section, name, block, PartKind.TEXT)


def facts_in(part: Part) -> list[tuple[str, str]]:
    """The labeled values in a part made of facts."""
    matches = [_LABEL.fullmatch(line.strip()) for line in part.markdown.splitlines()]
    return [(match[1], match[2]) for match in matches if match]


def shorten(page: str, room: int, wanted: Collection[str] = ()) -> str:
    """Shorten a page to ``room`` characters. Its head has priority, then parts with a ``wanted`` text, then the others.

    Parts are printed in the order of the page, followed by a line with the headings of omitted parts.
    """
    if len(page) <= room:
        return page
    title = page.partition("\n\n")[0]
    parts = parts_of(page)
    available = room - len(title) - _MAX_HEADINGS - 80
    chosen: set[int] = set()
    for index in _order_by_need(parts, available, wanted):
        part = parts[index]
        cost = len(part.markdown) + len(part.section) + 4
        if cost <= available:
            chosen.add(index)
            available -= cost
        elif cost <= _MAX_PART_SHARE * room and not _has_any(part, wanted):
            break  # the text after an omitted text belongs to it; the text after an omitted table does not
    return "\n\n".join([title, *_print_parts(parts, chosen), _omission_note(parts, chosen)])


def _has_any(part: Part, texts: Collection[str]) -> bool:
    return any(text in part.markdown for text in texts)


def _order_by_need(parts: tuple[Part, ...], room: int, wanted: Collection[str]) -> list[int]:
    """The indexes of the parts: the head, those with a wanted text, then the others."""

    def need(index: int) -> int:
        part = parts[index]
        if not part.heading and len(part.markdown) <= _MAX_HEAD_SHARE * room:
            return 0
        return 1 if _has_any(part, wanted) else 2

    return sorted(range(len(parts)), key=need)


def _print_parts(parts: tuple[Part, ...], chosen: Collection[int]) -> Iterator[str]:
    section = ""
    for index in sorted(chosen):
        part = parts[index]
        if part.section != section:
            section = part.section
            if section:
                yield section
        yield part.markdown


def _omission_note(parts: tuple[Part, ...], chosen: Collection[int]) -> str:
    omitted = [part.heading or "further text" for index, part in enumerate(parts) if index not in chosen]
    headings = list(dict.fromkeys(omitted))
    shown = headings
    while len("; ".join(shown)) > _MAX_HEADINGS:
        shown = shown[:-1]
    more = f"; and {len(headings) - len(shown)} more" if len(shown) < len(headings) else ""
    return f"*Left out for length: {'; '.join(shown)}{more}.*"
