"""Splits a rendered page into parts: lines of facts, tables, entries and paragraphs, each under its headings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

_HEADING = re.compile(r"#{1,6} +(.+)")
_LABEL = re.compile(r"\*\*([^*]+)\*\* +(.+)")
_NAMED = re.compile(r"\*{2,3}_?([^*_]+?)\.?_?\*{2,3}\.?")
_MOST_HEADINGS = 500  # characters of the list of omitted parts
_LARGE_SHARE = 0.4  # of the space; a larger part, such as a class table, is left out on its own
_HEAD_SHARE = 0.5  # of the space; a larger block is not a head, even if it precedes every heading


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
            if (named := _NAMED.match(block)) is not None:
                name = named[1]
            yield Part(section, name, block, PartKind.TEXT)


def facts_in(part: Part) -> list[tuple[str, str]]:
    """The labelled values in a part made of facts."""
    found = [_LABEL.fullmatch(line.strip()) for line in part.markdown.splitlines()]
    return [(line[1], line[2]) for line in found if line is not None]


def shortened(page: str, room: int, wanted: Collection[str] = ()) -> str:
    """Shorten a page to ``room`` characters: its head, the parts with a ``wanted`` text, then the others in order.

    Parts are printed in the order of the page; the headings of omitted ones follow in one line.
    """
    if len(page) <= room:
        return page
    title = page.partition("\n\n")[0]
    parts = parts_of(page)
    left = room - len(title) - _MOST_HEADINGS - 80
    chosen: set[int] = set()
    for place in _by_need(parts, left, wanted):
        cost = len(parts[place].markdown) + len(parts[place].section) + 4
        if cost <= left:
            chosen.add(place)
            left -= cost
        elif cost <= _LARGE_SHARE * room and not any(text in parts[place].markdown for text in wanted):
            break  # the text after an omitted text belongs to it; the text after an omitted table does not
    return "\n\n".join([title, *_printed(parts, chosen), _left_out(parts, chosen)])


def _by_need(parts: tuple[Part, ...], room: int, wanted: Collection[str]) -> list[int]:
    def need(place: int) -> tuple[int, int]:
        part = parts[place]
        is_head = not part.heading and len(part.markdown) <= _HEAD_SHARE * room
        return (0 if is_head else 1 if any(text in part.markdown for text in wanted) else 2), place

    return sorted(range(len(parts)), key=need)


def _printed(parts: tuple[Part, ...], chosen: Collection[int]) -> Iterator[str]:
    section = ""
    for place in sorted(chosen):
        part = parts[place]
        if part.section != section:
            section = part.section
            if section:
                yield section
        yield part.markdown


def _left_out(parts: tuple[Part, ...], chosen: Collection[int]) -> str:
    gone = [part.heading or "further text" for place, part in enumerate(parts) if place not in chosen]
    headings = list(dict.fromkeys(gone))
    shown: list[str] = []
    for heading in headings:
        if sum(map(len, shown)) + 2 * len(shown) + len(heading) > _MOST_HEADINGS:
            break
        shown.append(heading)
    more = f"; and {len(headings) - len(shown)} more" if len(shown) < len(headings) else ""
    return f"*Left out for length: {'; '.join(shown)}{more}.*"
