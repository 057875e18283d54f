"""Rows of a table or a list that Open5e serves as traits or actions of their own: "1-4: Arm", "At will"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Action, Section

P = TypeVar("P", Action, Section)
_ROLLED = re.compile(r"(\d+)(?:[-–](\d+))?(?![-–/\d])[:.]? ?(.*)")
_COMMAND = re.compile(r"([A-Z][\w' ]*!) ([A-Z].+)")  # "Flee! The creature must use its reaction"
_SPELLS = re.compile(r"(?:at will|\d/day(?: each)?)", re.IGNORECASE)
_ANNOUNCES = re.compile(
    r":\Z|\broll (?:a )?\d?d\d+\b|\bfollowing table\b|\blisted below\b|\bdepending on\b", re.IGNORECASE
)
_MAX_USES = 10  # a day


def with_rows(parts: Sequence[P]) -> tuple[P, ...]:
    """Return the parts with the rows as a list in the first part that announces one."""
    rows = [part for part in parts if _is_row(part)]
    others = [part for part in parts if not _is_row(part)]
    announcing = next((part for part in others if _ANNOUNCES.search(part.text)), None)
    if not rows or announcing is None:
        return tuple(parts)
    return tuple(_with_list(part, rows) if part is announcing else part for part in others)


def _is_row(part: Action | Section) -> bool:
    return any(row.fullmatch(part.name) for row in (_ROLLED, _COMMAND, _SPELLS))


def _with_list(part: P, rows: Sequence[P]) -> P:
    listed = "\n".join(_row(row) for row in sorted(rows, key=_first))
    return part.model_copy(update={"text": f"{part.text}\n\n{listed}"})


def _first(row: Action | Section) -> int:
    """The lowest roll; of spells the rarer ones come last."""
    match = _ROLLED.fullmatch(row.name)
    if match is None:
        return -int(row.name[0]) if row.name[0].isdigit() else -_MAX_USES
    return int(match[1])


def _row(row: Action | Section) -> str:
    if command := _COMMAND.fullmatch(row.name):
        return f"- **{command[1]}** {command[2]}. {row.text}".rstrip()
    match = _ROLLED.fullmatch(row.name)
    if match is None:
        return f"- **{row.name.title()}:** {row.text[:1].lower()}{row.text[1:]}"
    number = "–".join(filter(None, match.group(1, 2)))
    return f"- **{': '.join(filter(None, (number, match[3])))}.** {row.text}"
