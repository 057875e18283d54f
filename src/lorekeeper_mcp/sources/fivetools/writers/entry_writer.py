"""Converts Markdown to entry trees. Each block is read back, and stays a text if it would not come back unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from lorekeeper_mcp.models import Ref, Section
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown

Entry: TypeAlias = "str | dict[str, object]"
_BLOCKS = re.compile(r"\n{2,}")
_RUN_IN = re.compile(r"\*{2,3}([^*\n]{1,80}?)[.]?\*{2,3}\s+(\S.*)", re.DOTALL)
_BOLD = re.compile(r"\*\*([^*{}|\n]+)\*\*")
_ITALIC = re.compile(r"(?<!\*)\*([^*{}|\n]+)\*(?!\*)")
_DAMAGE = re.compile(r"\b(\d{1,3}d\d{1,3}(?: ?[+-] ?\d{1,3})?)(?=\)? (?:extra )?\w+ damage)")
_HIT = re.compile(r"\+(\d{1,2})(?= to hit)|(?<=Attack Roll: )\+(\d{1,2})")
_DC = re.compile(r"\bDC (\d{1,2})\b")
_TABLE_SEPARATOR = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
ItemFields: TypeAlias = "dict[str, object]"


def entries(text: str) -> list[Entry]:
    """Return the entries of a text: paragraphs, lists, tables and headed blocks."""
    blocks = [_block(block) for block in _BLOCKS.split(text) if block.strip()]
    return blocks if markdown(blocks) == text.strip() else [text]


def named_entries(sections: Iterable[Section]) -> list[Entry]:
    """Return a named entry for each section; the entries of its text if it has no name."""
    named: list[Entry] = []
    for section in sections:
        inner = entries(section.text)
        named += [{"type": "entries", "name": section.name, "entries": inner}] if section.name else inner
    return named


def _block(block: str) -> Entry:
    for entry in (_table(block), _list(block), _run_in(block)):
        if entry is not None and markdown(entry) == block.strip():
            return entry
    return _tagged(block)


def _tagged(text: str) -> str:
    """Convert bold and italic words, damage and difficulty classes to tags."""
    tagged = _ITALIC.sub(r"{@i \1}", _BOLD.sub(r"{@b \1}", text))
    tagged = _HIT.sub(lambda match: f"{{@hit {match[1] or match[2]}}}", tagged)
    tagged = _DC.sub(r"{@dc \1}", _DAMAGE.sub(r"{@damage \1}", tagged))
    return tagged if markdown(tagged) == text.strip() else text


def _run_in(block: str) -> Entry | None:
    match = _RUN_IN.fullmatch(block)
    return {"type": "entries", "name": match[1], "entries": [_tagged(match[2])]} if match else None


def _list(block: str) -> Entry | None:
    if not block.startswith("- "):
        return None
    return {"type": "list", "items": [_tagged(item) for item in block.removeprefix("- ").split("\n- ")]}


def _table(block: str) -> Entry | None:
    lines = block.splitlines()
    if len(lines) < 2 or not lines[0].startswith("|") or not _TABLE_SEPARATOR.fullmatch(lines[1]):
        return None
    del lines[1]
    labels, *rows = [[_tagged(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in lines]
    return {"type": "table", "colLabels": labels, "rows": rows}


def without_blanks(fields: ItemFields) -> ItemFields:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}


def source_of(parent: Ref, source: str) -> str:
    """Return the source of a class or a race: the file's for its own ones, else that of the core rules."""
    return source if parent.key.startswith("orcbrew_") else "PHB"
