"""Splits Markdown into blocks: paragraphs, lists with their introductions, and tables, each with its headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.passages.passage import PassageKind

LONGEST = 900  # characters of an undivided paragraph, list or table; the model reads about 1,100
_PART = 600  # characters of the parts of a longer paragraph, split at the ends of sentences
_SMALL_TABLE = 420  # characters of an undivided table
_ROWS = 160  # characters of joined table rows: short rows mean little alone
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?=\S)")
_RULE = re.compile(r"^\|?[\s:|-]*-{2,}[\s:|-]*$")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b(?:ft|lb|vs|St|Mr|Dr)\.)(?<!\b(?:e\.g|i\.e|Mrs|etc)\.)[*_)\"”]*\s+(?=[\"“*_(]*[A-Z0-9])"
)


@dataclass(frozen=True)
class Block:
    """A piece of a text, its headings, and the lines that must be printed above it."""

    heading: tuple[str, ...]
    text: str
    kind: PassageKind
    head: str = ""


def blocks(text: str) -> list[Block]:
    """Split a Markdown text into blocks, in order. Nothing is lost but the marks of headings."""
    result: list[Block] = []
    for heading, group in _sections(text.replace("\r\n", "\n").replace("\r", "\n")):
        result += _with_introductions(heading, group)
    return result


def _sections(text: str) -> Iterator[tuple[tuple[str, ...], list[list[str]]]]:
    """Headings with the groups of lines below them."""
    path: list[tuple[int, str]] = []
    groups: list[list[str]] = []
    for group in _groups(text):
        if mark := _HEADING.match(group[0]):
            if groups:
                yield tuple(name for _, name in path), groups
            groups = []
            level = len(mark[1])
            path = [*((depth, name) for depth, name in path if depth < level), (level, mark[2].strip("*_ "))]
        else:
            groups.append(group)
    if groups:
        yield tuple(name for _, name in path), groups


def _groups(text: str) -> Iterator[list[str]]:
    """Group lines: a heading, a table, a list item with its continuation, or a paragraph."""
    group: list[str] = []
    for line in re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE).split("\n"):
        apart = not line.strip() or bool(_HEADING.match(line)) or bool(_ITEM.match(line))
        apart = (
            apart or bool(group and _is_table(line) != _is_table(group[-1])) or bool(group and _HEADING.match(group[0]))
        )
        if apart and group:
            yield group
            group = []
        if line.strip():
            group.append(line.rstrip())
    if group:
        yield group


def _is_table(line: str) -> bool:
    return line.lstrip().startswith("|")


def _with_introductions(heading: tuple[str, ...], groups: Sequence[list[str]]) -> Iterator[Block]:
    """The blocks of one section; a sentence or title that introduces a list or table is joined to it."""
    introduction = ""
    place = 0
    while place < len(groups):
        group = groups[place]
        items = 0
        while place + items < len(groups) and _ITEM.match(groups[place + items][0]):
            items += 1
        if items:
            yield from _list(heading, introduction, ["\n".join(item) for item in groups[place : place + items]])
        elif _is_table(group[0]):
            yield from _table(heading, introduction, group)
        elif _introduces("\n".join(group), groups[place + 1 : place + 2]):
            if introduction:
                yield from _paragraph(heading, introduction)
            introduction = "\n".join(group)
            place += 1
            continue
        else:
            if introduction:
                yield from _paragraph(heading, introduction)
            yield from _paragraph(heading, "\n".join(group))
        introduction = ""
        place += max(1, items)
    if introduction:
        yield from _paragraph(heading, introduction)


def _introduces(text: str, following: Sequence[list[str]]) -> bool:
    """Whether a paragraph introduces the list or table that follows it."""
    if not following:
        return False
    if _is_table(following[0][0]):
        return len(text) < 120
    title = len(text) < 80 and not text.rstrip("*_ ").endswith((".", "!", "?"))
    introduces = title or (text.rstrip("*_ ").endswith(":") and len(text) < LONGEST // 2)
    return introduces and bool(_ITEM.match(following[0][0]))


def _list(heading: tuple[str, ...], introduction: str, items: Sequence[str]) -> Iterator[Block]:
    listed = "\n".join(items)
    if len(listed) + len(introduction) <= LONGEST:
        yield Block(heading, f"{introduction}\n\n{listed}" if introduction else listed, PassageKind.PARAGRAPH)
        return
    for item in items:
        yield Block(heading, item, PassageKind.LIST_ITEM, f"{introduction}\n" if introduction else "")


def _table(heading: tuple[str, ...], introduction: str, lines: Sequence[str]) -> Iterator[Block]:
    ruled = next((place for place, line in enumerate(lines[:3]) if _RULE.match(line)), None)
    if ruled is None:
        rule = "|" + "---|" * max(1, lines[0].count("|") - 1)
        top, rows = [lines[0], rule], lines[1:]
    else:
        top, rows = list(lines[: ruled + 1]), lines[ruled + 1 :]
    head = "\n".join([f"{introduction}\n", *top] if introduction else top)
    if not rows or len("\n".join(rows)) <= _SMALL_TABLE:
        yield Block(heading, "\n".join([head, *rows]), PassageKind.PARAGRAPH)
        return
    for few in packed(rows, "\n", _ROWS):
        yield Block(heading, few, PassageKind.TABLE_ROW, head)


def _paragraph(heading: tuple[str, ...], text: str) -> Iterator[Block]:
    for part in parts(text):
        yield Block(heading, part, PassageKind.PARAGRAPH)


def parts(text: str) -> list[str]:
    """Return a paragraph in one part, or split at the ends of lines or sentences if it is long."""
    if len(text) <= LONGEST:
        return [text]
    glue = "\n" if text.count("\n") > 3 else " "
    pieces = text.split("\n") if glue == "\n" else _SENTENCE_END.split(text)
    return packed(pieces, glue, _PART)


def packed(pieces: Iterable[str], glue: str, size: int) -> list[str]:
    """Join consecutive pieces up to a size in characters."""
    packs: list[str] = []
    for piece in pieces:
        if packs and len(packs[-1]) + len(piece) < size:
            packs[-1] += glue + piece
        else:
            packs.append(piece)
    return packs
