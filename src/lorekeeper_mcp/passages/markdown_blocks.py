"""Splits Markdown into blocks: paragraphs, lists with their introductions, and tables, each with its headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.passages.passage import PassageKind

MAX_BLOCK = 900  # characters of an undivided paragraph, list or table; the model reads about 1,100
_MAX_PART = 600  # characters of the parts of a longer paragraph, split at the ends of sentences
_MAX_TABLE = 420  # characters of an undivided table
_MAX_ROWS = 160  # characters of table rows that are joined, since short rows mean little on their own
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
    """Split a Markdown text into blocks, in order. Only the marks of headings are lost."""
    sections = _sections(text.replace("\r\n", "\n").replace("\r", "\n"))
    return [block for heading, groups in sections for block in _with_introductions(heading, groups)]


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
    """Group the lines of each heading, table, list item with its continuation, and paragraph."""
    group: list[str] = []
    for line in re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE).split("\n"):
        starts_group = not line.strip() or _HEADING.match(line) or _ITEM.match(line)
        if group and (starts_group or _is_table(line) != _is_table(group[-1]) or _HEADING.match(group[0])):
            yield group
            group = []
        if line.strip():
            group.append(line.rstrip())
    if group:
        yield group


def _is_table(line: str) -> bool:
    return line.lstrip().startswith("|")


def _with_introductions(heading: tuple[str, ...], groups: Sequence[list[str]]) -> Iterator[Block]:
    """The blocks of one section. A sentence or title that introduces a list or table is joined to it."""
    introduction = ""
    index = 0
    while index < len(groups):
        group = groups[index]
        items = 0
        while index + items < len(groups) and _ITEM.match(groups[index + items][0]):
            items += 1
        if items:
            yield from _list(heading, introduction, ["\n".join(item) for item in groups[index : index + items]])
        elif _is_table(group[0]):
            yield from _table(heading, introduction, group)
        elif _introduces("\n".join(group), groups[index + 1 : index + 2]):
            if introduction:
                yield from _paragraph(heading, introduction)
            introduction = "\n".join(group)
            index += 1
            continue
        else:
            if introduction:
                yield from _paragraph(heading, introduction)
            yield from _paragraph(heading, "\n".join(group))
        introduction = ""
        index += max(1, items)
    if introduction:
        yield from _paragraph(heading, introduction)


def _introduces(text: str, next_groups: Sequence[list[str]]) -> bool:
    """Whether a paragraph introduces the list or table that follows it."""
    if not next_groups:
        return False
    if _is_table(next_groups[0][0]):
        return len(text) < 120
    title = len(text) < 80 and not text.rstrip("*_ ").endswith((".", "!", "?"))
    is_introduction = title or (text.rstrip("*_ ").endswith(":") and len(text) < MAX_BLOCK // 2)
    return is_introduction and bool(_ITEM.match(next_groups[0][0]))


def _list(heading: tuple[str, ...], introduction: str, items: Sequence[str]) -> Iterator[Block]:
    listed = "\n".join(items)
    if len(listed) + len(introduction) <= MAX_BLOCK:
        yield Block(heading, f"{introduction}\n\n{listed}" if introduction else listed, PassageKind.PARAGRAPH)
        return
    for item in items:
        yield Block(heading, item, PassageKind.LIST_ITEM, f"{introduction}\n" if introduction else "")


def _table(heading: tuple[str, ...], introduction: str, lines: Sequence[str]) -> Iterator[Block]:
    rule_index = next((index for index, line in enumerate(lines[:3]) if _RULE.match(line)), None)
    if rule_index is None:
        rule = "|" + "---|" * max(1, lines[0].count("|") - 1)
        top, rows = [lines[0], rule], lines[1:]
    else:
        top, rows = list(lines[: rule_index + 1]), lines[rule_index + 1 :]
    head = "\n".join([f"{introduction}\n", *top] if introduction else top)
    if not rows or len("\n".join(rows)) <= _MAX_TABLE:
        yield Block(heading, "\n".join([head, *rows]), PassageKind.PARAGRAPH)
        return
    for few in pack(rows, "\n", _MAX_ROWS):
        yield Block(heading, few, PassageKind.TABLE_ROW, head)


def _paragraph(heading: tuple[str, ...], text: str) -> Iterator[Block]:
    for part in split_paragraph(text):
        yield Block(heading, part, PassageKind.PARAGRAPH)


def split_paragraph(text: str) -> list[str]:
    """Return a paragraph in one part, or split at the ends of lines or sentences if it is long."""
    if len(text) <= MAX_BLOCK:
        return [text]
    glue = "\n" if text.count("\n") > 3 else " "
    pieces = text.split("\n") if glue == "\n" else _SENTENCE_END.split(text)
    return pack(pieces, glue, _MAX_PART)


def pack(pieces: Iterable[str], glue: str, size: int) -> list[str]:
    """Join consecutive pieces up to a size in characters."""
    packs: list[str] = []
    for piece in pieces:
        if packs and len(packs[-1]) + len(piece) < size:
            packs[-1] += glue + piece
        else:
            packs.append(piece)
    return packs
