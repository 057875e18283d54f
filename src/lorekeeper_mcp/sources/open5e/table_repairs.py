"""Repairs the tables of Open5e's texts: each gets its own head row and no other text, or clients do not render it."""

from __future__ import annotations

import re
from itertools import groupby

_RULE = re.compile(r"\|?\s*:?[-—–]{2,}:?\s*(?:\|\s*:?[-—–]{2,}:?\s*)*\|?")
_ROLL = re.compile(r"\d+(?:[-–]\d+)?\+?|\d+%(?:-\d+%)?")
_RANGE = re.compile(r"(\d+)[-–](\d+)")
_GLUED_ROW = re.compile(r"(?<=\S) ((\d+)[-–]\d+) (?=[A-Z\d])")
_SENTENCE = re.compile(r"[A-Z].{40,}[.!?]")
# A row with several paragraphs in a cell, as in toh: it begins as a row and ends far below.
_BROKEN_ROW = re.compile(r"(?m)^\|[^\n]*[^|\s][ \t]*\n(?:(?!\|)[^\n]*\n)*?(?!\|)[^\n]*\|[ \t]*$")


def whole_tables(text: str) -> str:
    """Return the text with a head row on every table, separate from the next one and from the sentences after it."""
    text = _BROKEN_ROW.sub(lambda found: " ".join(found[0].split()), text)
    parts = []
    for is_table, lines in groupby(text.split("\n"), key=lambda line: line.strip().startswith("|")):
        block = list(lines)
        if not is_table or len(block) < 2:
            parts += block
            continue
        table_rows, after = _without_sentence([one for row in block for one in single_rows(row)])
        for number, one in enumerate(_apart(table_rows)):
            parts += [*([""] if number else []), *_headed(_without_empty_column(one))]
        parts += ["", after] if after else []
    return "\n".join(parts)


def single_rows(row: str) -> list[str]:
    """Return the row with dashes in place of hyphens, and rows glued to it as rows: ``1–4 A lamp 5–6 A moth``."""
    cells = ["—" if cell == "-" else cell for cell in _cells(row)]
    if all(cell == "—" for cell in cells):  # the rule below a head
        return [row]
    if rolled := _RANGE.fullmatch(cells[0]):
        cells[0] = f"{rolled[1]}–{rolled[2]}"
        for found in _GLUED_ROW.finditer(cells[-1]):
            if int(found[2]) == int(rolled[2]) + 1:
                own, following = cells[-1][: found.start()], cells[-1][found.end() :]
                blank = [""] * (len(cells) - 2)
                return [_row([*cells[:-1], own.rstrip()]), *single_rows(_row([found[1], *blank, following]))]
    return [_row(cells)] if cells != _cells(row) else [row]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _without_sentence(rows: list[str]) -> tuple[list[str], str]:
    """The rows, and the text after the last one on the same line."""
    cells, width = _cells(rows[-1]), len(_cells(rows[0]))
    if len(cells) == width + 1 > 2 and _SENTENCE.fullmatch(cells[-1]):
        return [*rows[:-1], _row(cells[:-1])], cells[-1]
    return rows, ""


def _apart(rows: list[str]) -> list[list[str]]:
    """Split tables whose head follows the last row of the one before, at the rule below each head."""
    ruled = [number for number, row in enumerate(rows) if number > 1 and _RULE.fullmatch(row.strip())]
    found, start = [], 0
    for number in ruled:
        cells, width = _cells(rows[number - 1]), len(_cells(rows[number]))
        if len(cells) > width and not all(cells):
            kept = [cell for cell in cells[:-width] if cell]
            rows[number - 1] = _row(cells[-width:])
            found.append([*rows[start : number - 1], _row(kept)])
            start = number - 1
    return [*found, rows[start:]]


def _without_empty_column(rows: list[str]) -> list[str]:
    """The rows without a last column that has no head and no words."""
    table = [_cells(row) for row in rows]
    width = len(table[0]) - 1
    last = [row[width] for row in table if len(row) > width]
    if width < 2 or table[0][-1] or any(len(cell) > 1 and not _RULE.fullmatch(cell) for cell in last):
        return rows
    return [_row(row[:width]) for row in table]


def _headed(rows: list[str]) -> list[str]:
    rows = [row for number, row in enumerate(rows) if row.replace("|", "").strip() or (number == 0 and "||" in row)]
    ruled = [number for number, row in enumerate(rows) if _RULE.fullmatch(row.strip())]
    if len(rows) < 2:
        return rows
    if ruled[:1] == [1] and not rows[0].replace("|", "").strip():  # 2024: "Core Barbarian Traits" has no head
        return _labelled(rows[2:])
    if ruled[:1] == [0] or (not ruled and len({len(_cells(row)) for row in rows}) == 1):
        body = [row for number, row in enumerate(rows) if number not in ruled]
        return [_head(body), "|" + "---|" * len(_cells(body[0])), *body] if body else rows
    return [re.sub(r"[-—–]{2,}|[—–]", "---", row) if number in ruled else row for number, row in enumerate(rows)]


def _labelled(rows: list[str]) -> list[str]:
    """Rows with a label and a text, as lines: **Hit Point Die** D12."""
    pairs = [(cells[0], " ".join(cell for cell in cells[1:] if cell)) for row in rows if (cells := _cells(row))]
    return [f"- **{label.strip('*')}:** {text}" if text else f"- {label}" for label, text in pairs]


def _head(rows: list[str]) -> str:
    """A head for rows without one, chosen by the first column."""
    first = [_cells(row)[0] for row in rows]
    others = len(_cells(rows[0])) - 1
    names = ["Roll", "Result"] if all(_ROLL.fullmatch(cell) for cell in first) else ["Name", "Value"]
    return _row([*names, *[""] * others][: others + 1])


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
