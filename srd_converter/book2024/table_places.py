"""Moves tables to the rule that announces them: on the pages they are wherever there was space."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TABLE = re.compile(r"\*\*([^*\n]+)\*\*\n\n(?:\|[^\n]*\n?)+")

Sets = Mapping[str, list[tuple[str, str]]]
"""Rule set -> heading and text of each of its rules, the set's own first."""


def with_tables_in_place(sets: Sets) -> Sets:
    """The same rules, each with the tables that its text names ("the Cover table"); other tables stay in place."""
    texts = {(name, index): text for name, parts in sets.items() for index, (_, text) in enumerate(parts)}
    for place, text in list(texts.items()):
        for table in _TABLE.finditer(text):
            if _announces(texts[place], table[1]):
                continue
            home = next((other for other, other_text in texts.items() if _announces(other_text, table[1])), None)
            if home:
                texts[place] = "\n\n".join(part.strip() for part in texts[place].split(table[0]) if part.strip())
                texts[home] = f"{texts[home]}\n\n{table[0].strip()}"
    return {
        name: [(heading, texts[name, index]) for index, (heading, _) in enumerate(parts)]
        for name, parts in sets.items()
    }


def _announces(text: str, caption: str) -> bool:
    return f"{caption} table" in " ".join(text.split())
