"""Italics of Open5e's text in the book's text of the same words: the pages that the books are read from have none."""

from __future__ import annotations

import re

from lorekeeper_mcp.text import letters

_ITALIC = re.compile(r"(?<![\w*_])([*_])(?=[^\W_])([^*_\n|]{1,60}[^\s*_|])\1(?![\w*_])")
_NEIGHBOURS = 12  # letters before and after a phrase that are the same in both texts


def with_italics(text: str, served: str) -> str:
    """Return a text without italics with those of the served one, where the words around a phrase are the same."""
    if _ITALIC.search(text):
        return text
    for italic in _ITALIC.finditer(served):
        before, after = _neighbours(served, italic.start(), italic.end())
        for place in re.finditer(rf"(?<![\w*_]){re.escape(italic[2])}(?![\w*_])", text):
            if _neighbours(text, place.start(), place.end()) == (before, after):
                text = f"{text[: place.start()]}*{place[0]}*{text[place.end() :]}"
                break
    return text


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    before, after = letters(text[max(0, start - 80) : start]), letters(text[end : end + 80])
    return before[-_NEIGHBOURS:], after[:_NEIGHBOURS]
