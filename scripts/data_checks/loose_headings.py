"""Finds headings that lost their mark, so that two entries run together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.data_checks.prose import prose

from lorekeeper_mcp.models import Record

_SMALL = "a|an|and|as|at|for|from|in|into|of|on|or|the|to|with|your"
_TITLE = re.compile(rf"[A-Z][\w'’-]*(?:,? (?:{_SMALL}|[A-Z(][\w'’)-]*)){{0,7}}")
_SENTENCE = re.compile(r"[A-Z\"“*].{30,}[.:!]", re.DOTALL)
_END = re.compile(r"[.!?:)”\"*|]$")


def check_headings(record: Record) -> Iterator[str]:
    """Lines in prose that look like headings but are not marked as such; the first in each text."""
    for field, text in prose(record):
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
            if not line.isupper() and _TITLE.fullmatch(line) and _END.search(before) and _SENTENCE.match(after):
                yield f"{field} has the heading {line!r} inside its text"
                break
