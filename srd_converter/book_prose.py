"""Prose of both books as Markdown: names that paragraphs open with, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAME_WORD = r"[A-Z0-9][\w'/+–-]*|[a-z]{1,8}|\([^)]*\)|&"
_NAME_WORDS = r"[A-Z0-9(][\w'/+–);-]*|[a-z]{1,8}|&"
_LEAD_IN = re.compile(rf"^((?:{_NAME_WORD})(?:,? (?:{_NAME_WORDS})){{0,11}})\. +(?=[A-Z\"'(\d])")
SMALL_WORDS = frozenset({
    "a", "after", "an", "and", "as", "at", "before", "between", "by", "during", "for", "from", "if", "in", "into",
    "of", "on", "or", "over", "per", "than", "the", "to", "under", "using", "while", "with", "without", "you", "your",
})  # fmt: skip


def lead_in(paragraph: str) -> str:
    """A paragraph whose first words name what it is about, with these words bold."""
    name, rest = split_lead_in(paragraph)
    return f"**{name}.** {rest}" if name else paragraph


def split_lead_in(paragraph: str) -> tuple[str, str]:
    """The name that a paragraph opens with, such as ``Multiattack``, and the rest; no name where it is a sentence."""
    found = _LEAD_IN.match(paragraph)
    if not found:
        return "", paragraph
    words = re.sub(r"\([^)]*\)", "", found[1]).split()
    if any(word.islower() and word not in SMALL_WORDS for word in words):
        return "", paragraph
    return found[1], paragraph[found.end() :]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table. Short rows are filled up; a head that repeats its columns is one table below the other."""
    columns = list(head)
    body = [list(row) for row in rows]
    half = len(columns) // 2
    if half and columns[:half] == columns[half:]:
        columns, body = columns[:half], [row[:half] for row in body] + [row[half:] for row in body if any(row[half:])]
    lines = [columns, ["---"] * len(columns), *([*row, *[""] * (len(columns) - len(row))] for row in body)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
