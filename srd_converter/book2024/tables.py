"""Extracts tables of the SRD 5.2.1 from the text of the pages, by the shape of their rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from srd_converter.book2024.table_shapes import SHAPES, SPELL_LIST, Shape
from srd_converter.book_prose import table

_SPLIT_NUMBER = re.compile(r"\b(\d{1,3}),\s?(\d)\s?(\d)\s?(\d)\b")
_LINES_BETWEEN = 2  # rows
_LINE = r"[A-Z](?:[^\n.]|\.\.\.|\b[A-Z][a-z]+\.){2,60}"  # of a category, or of a repeated head
_SPELL_LEVEL = re.compile(r"Cantrips \(Level 0 \w+ Spells\)|Level \d \w+ Spells")


def is_head(line: str) -> bool:
    """Whether a line is the head of a table without a caption, which may directly follow a sentence."""
    return line in SHAPES and line == " ".join(SHAPES[line].head)


def cut_table(paragraphs: Sequence[str]) -> tuple[str, list[str]] | None:
    """The table whose caption is the first paragraph, and the paragraphs after it; None if there is none."""
    caption = paragraphs[0]
    shape = SPELL_LIST if _SPELL_LEVEL.fullmatch(caption) else SHAPES.get(caption)
    if shape is None:
        return None
    text = _SPLIT_NUMBER.sub(r"\1,\2\3\4", "\n".join(paragraphs[1:]))
    head = re.compile(r"\s*" + r"\s+".join(map(re.escape, " ".join(shape.head).split())))
    printed_head = head.match(text)
    first = shape.row.search(text, printed_head.end() if printed_head else 0)
    if first is None:
        return None
    rows: list[list[str]] = []
    end = first.start()
    while row := _next_row(shape, text, repeated.end() if (repeated := head.match(text, end)) else end):
        rows += [[f"**{line.strip()}**"] for line in text[end : row.start()].split("\n") if _is_category(line, shape)]
        rows.append([" ".join(cell.split()) for cell in row.groups()])
        end = row.end()
    if len(rows) < 2:
        return None
    rows = _down_the_columns(rows, _side_by_side(head, text, printed_head))
    rest = [paragraph.strip() for paragraph in text[end:].split("\n") if paragraph.strip()]
    is_its_head = " ".join(shape.head * 2).startswith(caption)  # two tables may be side by side
    return f"{'' if is_its_head else f'**{caption}**'}\n\n{table(shape.head, rows)}".lstrip(), rest


def _side_by_side(head: re.Pattern[str], text: str, printed: re.Match[str] | None) -> int:
    """How many times a line has the head: ``Size Food Size Food``."""
    count = 0
    while printed and (not count or "\n" not in printed[0]):
        count, printed = count + 1, head.match(text, printed.end())
    return count


def _down_the_columns(rows: list[list[str]], count: int) -> list[list[str]]:
    """The rows of a table that is printed side by side in several columns, in reading order: down each column."""
    is_plain = count > 1 and all(len(row) > 1 for row in rows)
    return [row for column in range(count) for row in rows[column::count]] if is_plain else rows


def _next_row(shape: Shape, text: str, start: int) -> re.Match[str] | None:
    """The row at an index, or after a category or the head of another column there."""
    for skipped in range(_LINES_BETWEEN + 1):
        between = re.compile(rf"\s*(?:{_LINE}\n){{{skipped}}}").match(text, start)
        if between is None or any(line.strip() in SHAPES for line in between[0].split("\n")):
            return None  # not a row, or the caption of another table
        if row := shape.row.match(text, between.end()):
            return row
    return None


def _is_category(line: str, shape: Shape) -> bool:
    """Whether a line between rows is a category above those below it, and not the table's head repeated."""
    text = line.strip()
    return bool(text) and not text.startswith(shape.head[0]) and text not in " ".join(shape.head)
