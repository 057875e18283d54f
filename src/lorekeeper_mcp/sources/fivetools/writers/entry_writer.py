"""Converts Markdown to entry trees. Each block is read back, and stays a text if it would not come back unchanged."""

from __future__ import annotations

import re
from typing import TypeAlias

from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown

Entry: TypeAlias = "str | dict[str, object]"
_BLOCKS = re.compile(r"\n{2,}")
_RUN_IN = re.compile(r"\*{2,3}([^*\n]{1,80}?)[.]?\*{2,3}\s+(\S.*)", re.DOTALL)
_BOLD = re.compile(r"\*\*([^*{}|\n]+)\*\*")
_ITALIC = re.compile(r"(?<!\*)\*([^*{}|\n]+)\*(?!\*)")
_DAMAGE = re.compile(r"\b(\d{1,3}d\d{1,3}(?: ?[+-] ?\d{1,3})?)(?=\)? (?:extra )?\w+ damage)")
_HIT = re.compile(r"\+(\d{1,2})(?= to hit)|(?<=Attack Roll: )\+(\d{1,2})")
_DC = re.compile(r"\bDC (\d{1,2})\b")
_SEPARATOR = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")


def entries(text: str) -> list[Entry]:
    """Return the entries of a text: paragraphs, lists, tables and headed blocks."""
    found: list[Entry] = [_block(block) for block in _BLOCKS.split(text) if block.strip()]
    return found if markdown(found) == text.strip() else [text]


def named_entries(parts: list[tuple[str, str]]) -> list[Entry]:
    """Return a named entry for each name and text; only a text if there is no name."""
    found: list[Entry] = []
    for name, text in parts:
        found += [{"type": "entries", "name": name, "entries": entries(text)}] if name else entries(text)
    return found


def _block(block: str) -> Entry:
    for made in (_table(block), _list(block), _run_in(block)):
        if made is not None and markdown(made) == block.strip():
            return made
    return _tagged(block)


def _tagged(text: str) -> str:
    """Convert bold and italic words, damage and difficulty classes to tags."""
    made = _ITALIC.sub(r"{@i \1}", _BOLD.sub(r"{@b \1}", text))
    made = _HIT.sub(lambda hit: f"{{@hit {hit[1] or hit[2]}}}", made)
    made = _DC.sub(r"{@dc \1}", _DAMAGE.sub(r"{@damage \1}", made))
    return made if markdown(made) == text.strip() else text


def _run_in(block: str) -> Entry | None:
    found = _RUN_IN.fullmatch(block)
    return {"type": "entries", "name": found[1], "entries": [_tagged(found[2])]} if found else None


def _list(block: str) -> Entry | None:
    if not block.startswith("- "):
        return None
    items = [_tagged(item) for item in block.removeprefix("- ").split("\n- ")]
    return {"type": "list", "items": items}


def _table(block: str) -> Entry | None:
    lines = block.splitlines()
    if len(lines) < 2 or not lines[0].startswith("|") or not _SEPARATOR.fullmatch(lines[1]):
        return None
    rows = [[_tagged(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in (lines[0], *lines[2:])]
    return {"type": "table", "colLabels": rows[0], "rows": rows[1:]}
