"""The building blocks of pages: headings below the title, labelled lines, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_HEADING = re.compile(r"^(#{1,6})(?=\s)", re.MULTILINE)


def body(text: str, below: int = 1) -> str:
    """A record's own text with its headings demoted to start one level below ``below``."""
    clean = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    levels = [len(heading[1]) for heading in _HEADING.finditer(clean)]
    shift = max(0, below + 1 - min(levels)) if levels else 0
    return _HEADING.sub(lambda heading: "#" * min(6, len(heading[1]) + shift), clean)


def label(name: str, value: str) -> str:
    """``**Range** 150 feet``; "" if there is no value."""
    return f"**{name}** {value}" if value else ""


def labels(*pairs: tuple[str, str]) -> str:
    """Labelled lines, one per line."""
    return "  \n".join(line for name, value in pairs if (line := label(name, value)))


def entry(name: str, text: str, below: int = 2) -> str:
    """***Name.*** text, as traits and actions are printed in a stat block."""
    content = body(text, below)
    if not name:
        return content
    separator = "\n\n" if content.startswith(("|", "#")) else " "
    stop = "" if name.endswith("!") else "."
    return f"***{name}{stop}***{separator}{content}".rstrip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; pipes inside cells are escaped."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), "|" + "---|" * len(head), *(line(row) for row in rows)])


def page(*blocks: str) -> str:
    """Join blocks with blank lines; empty blocks are left out."""
    return "\n\n".join(block.strip() for block in blocks if block and block.strip())
