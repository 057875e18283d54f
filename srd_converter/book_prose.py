"""Prose of both books as Markdown: run-in names of paragraphs, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAME_WORD = r"[A-Z0-9][\w'/+–-]*|[a-z]{1,8}|\([^)]*\)|&"
_NAME_WORDS = r"[A-Z0-9(][\w'/+–);-]*|\([A-Z]\w+:|[a-z]{1,8}|&"
_LEAD_IN = re.compile(rf"^(?!\d+\. )((?:{_NAME_WORD})(?:,? (?:{_NAME_WORDS})){{0,11}})\. +(?=[A-Z\"'(\d])")
SMALL_WORDS = frozenset({
    "a", "after", "an", "and", "as", "at", "before", "between", "by", "during", "for", "from", "if", "in", "into",
    "of", "on", "or", "over", "per", "than", "the", "to", "under", "using", "while", "with", "without", "you", "your",
})  # fmt: skip


def lead_in(paragraph: str) -> str:
    """A paragraph with its run-in name, if it has one, in bold."""
    name, rest = split_lead_in(paragraph)
    return f"**{name}.** {rest}" if name else paragraph


def split_lead_in(paragraph: str) -> tuple[str, str]:
    """The run-in name of a paragraph, such as ``Multiattack``, and the rest; no name if it is a plain sentence."""
    lead = _LEAD_IN.match(paragraph)
    words = re.sub(r"\([^)]*\)", "", lead[1]).split() if lead else ()
    if not lead or any(word.islower() and word not in SMALL_WORDS for word in words):
        return "", paragraph
    return lead[1], paragraph[lead.end() :]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table. Short rows are padded; a head that repeats its columns becomes one table below the other."""
    columns = list(head)
    body = [list(row) for row in rows]
    half = len(columns) // 2
    if half and columns[:half] == columns[half:]:
        columns, body = columns[:half], [row[:half] for row in body] + [row[half:] for row in body if any(row[half:])]
    lines = [columns, ["---"] * len(columns), *([*row, *[""] * (len(columns) - len(row))] for row in body)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
