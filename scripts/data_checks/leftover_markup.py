"""Finds what a reader should never see: markup, remains of links, typesetting errors, headless tables, repetition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from scripts.data_checks.prose import prose

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.text import fold

_CONTEXT = 20  # characters quoted on either side
_MARKUP: dict[str, re.Pattern[str]] = {
    "HTML": re.compile(r"</? ?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>|&(?:[a-z]+|#\d+);"),
    "a link": re.compile(r"\]\((?:https?:|www|/)|https?://(?:api\.)?open5e|\bsrd:[a-z]"),
    "an escaped line break": re.compile(r"\\[nrt](?![a-z])|\\u[0-9a-f]{4}"),
    "an odd hyphen": re.compile(r"[\u00ad\u2010\u2011\ufffd]|\w-{2}\w"),
    "a path": re.compile(r"/static/|\.(?:png|svg|jpe?g)\b"),
    "broken emphasis": re.compile(
        r"(?<![\w_])__\w[^_\n]*_(?![_\w])|(?<!\*)\*\*\*(?=\S)[^*\n]+(?<=\S)\*\*(?!\*)| ,(?=\s)"
    ),
    "a gap": re.compile(r"(?<=[\w,;:)]) {2,}(?=[\w(])"),
    "a space before a bracket": re.compile(r"\w[ \t]+\)(?=[\s,.;:)]|\Z)"),
    "sentences without a space": re.compile(r"(?:[a-z]{2}|\))\.(?=[A-Z][a-z]+[ ,])|[.:]\*\*(?=[A-Z][a-z])"),
    "two full stops": re.compile(r"[a-z]\.\.(?![.\w])"),
    "a heading without a space": re.compile(r"(?m)^#{1,6}(?=[A-Za-z])"),
    "an unmatched closing mark": re.compile(r"(?m)^[^_\n]*[.!?\"”]_\s*$"),
    "a programming value": re.compile(r"\A\s*(?:False|True|None|null|NaN|\*?N/A\*?)\s*\Z"),
    "a glued roll": re.compile(r"[a-z]\d+d\d+\b"),
    "a table in a sentence": re.compile(r"(?m)^[^\S\n]*+[^|\s][^|\n]*+(?<=[ \t])\|[^\n]*\|[ \t]*\n[ \t]*\|"),
    "a misread figure": re.compile(r"(?<![\w'’])(?:[SlIO]\d*d\d+|\d+d[lIO]\d*|DC [SlIO]\d)\b"),
    "two marks": re.compile(r",\.(?!\w)|\b[Ff]eet\.,"),
    "a chapter of another book": re.compile(r"\b[Ss]ee chapter \d"),
    "lost columns": re.compile(r"\bMOD SAVE\b"),
    "a list in a sentence": re.compile(r"(?<=[a-z:.]) - (?:\*\*)?[A-Z][^\n]*\n- "),
    "a comma at the end": re.compile(r",[ \t]*(?:\n\s*[-*•]|\n\n|\Z)"),
    "a character's code": re.compile(r"[æÆ]00[0-9a-f]{2}|\bU\+[0-9A-F]{4}\b"),
    "a placeholder": re.compile(r"\[(?:none provided|column data|no description)|\bTODO\b|lorem ipsum", re.IGNORECASE),
}
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?")
_ODD_NAME = re.compile(r"[.:,;]\s*\Z|\(\s*\)| - |[a-z]{6}\d")
_MIN_PARAGRAPH = 60  # characters; a repeated paragraph of this length is no coincidence


def check_markup(record: Record) -> Iterator[str]:
    """Marks that no page should show; the first of each sort in a text."""
    for field, text in prose(record):
        for what, pattern in _MARKUP.items():
            if match := pattern.search(text):
                context = text[max(0, match.start() - _CONTEXT) : match.end() + _CONTEXT]
                yield f"{what} in {field}: {' '.join(context.split())!r}"


def check_name(record: Record) -> Iterator[str]:
    """Names that end like a sentence, or have empty brackets."""
    for field, text in prose(record):
        if field == "name" and (match := _ODD_NAME.search(text)):
            yield f"{text[: _CONTEXT * 2]!r} has {match[0]!r}"


def check_table_heads(record: Record) -> Iterator[str]:
    """Tables without a head and a rule below it, or with a row whose number of cells differs from the head's."""
    for field, text in prose(record):
        for is_table, lines in groupby(text.split("\n"), key=lambda line: line.strip().startswith("|")):
            rows = [line.strip() for line in lines]
            if not is_table:
                continue
            if len(rows) < 2 or not _RULE.fullmatch(rows[1]) or not rows[0].replace("|", "").strip():
                yield f"{field} has a table without a head: {rows[0][:40]!r}"
            elif odd := next((row for row in rows if _width(row) > _width(rows[0])), ""):
                yield f"{field} has a row longer than its table's head: {odd[:40]!r}"


def _width(row: str) -> int:
    return len(re.findall(r"(?<!\\)\|", row))


def check_repetition(record: Record) -> Iterator[str]:
    """Paragraphs that occur twice in the same text."""
    for field, text in prose(record):
        seen: set[str] = set()
        for paragraph in (line for line in text.split("\n") if len(line) >= _MIN_PARAGRAPH):
            plain = fold(paragraph)
            if len(plain) >= _MIN_PARAGRAPH and plain in seen:
                yield f"{field} repeats {paragraph.strip()[:40]!r}"
            seen.add(plain)
