"""The facts of a page without its prose, which may be in the repository."""

from __future__ import annotations

import re
from typing import Any

from lorekeeper_mcp.text import letters_digest

_RUN_IN = re.compile(r"[-*]* ?\*\*\*?(.+?)(?:\.\*\*\*?|\*\*\*)\s*")
_LABEL = re.compile(r"\*\*[^*]+\*\* ")
_SENTENCE = re.compile(r"[a-z]{3,} [a-z]{2,} [a-z]{2,} [a-z]")
_MAX_LENGTH = 140  # characters of a line that counts as facts, not as prose


def outline(markdown: str) -> list[str]:
    """Headings, labelled lines and rows of numbers unchanged; for prose its length and a digest of its letters."""
    found: list[str] = []
    for block in markdown.split("\n\n"):
        for line in block.split("\n"):
            found += _line(line.strip())
    return found


def _line(line: str) -> list[str]:
    if not line:
        return []
    run_in = _RUN_IN.match(line)
    if run_in:
        return [f"{run_in[1]}: {_prose(line[run_in.end() :])}"]
    if line.startswith(("#", "*Corrected", "*Source")) or (_LABEL.match(line) and len(line) <= _MAX_LENGTH):
        return [line]
    short = len(line) <= _MAX_LENGTH and not _SENTENCE.search(line)
    return [line] if short and line.startswith(("*", "|", "- ")) else [_prose(line)]


def _prose(text: str) -> str:
    return f"{len(text)} characters {letters_digest(text)}"


def entries(data: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """(id, source, outline) of every page in a golden file."""
    return [(str(one["record"]), str(one["checked"]), list(one["outline"])) for one in data["page"]]
