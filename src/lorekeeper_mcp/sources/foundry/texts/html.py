"""Converts Foundry's HTML to Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from html.parser import HTMLParser

from lorekeeper_mcp.sources.foundry.texts.enrichers import plain

_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = {"p", "div", "section", "blockquote", "ul", "ol", "table", "hr", "figure", "article", "aside", *_HEADINGS}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "code": "`"}
_HIDDEN = {"script", "style"}
_BLANK = re.compile(r"\s+")
_EMPTY_LINES = re.compile(r"\n{3,}")
# Plain paragraphs, as in nearly all texts, need no parser.
_PARAGRAPHS = re.compile(r"(?:\s*<p>([^<>&]*)</p>)+\s*|[^<>&]*")


class _ToMarkdown(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0
        self._rows = self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag == "tr":
            self._cells = 0
            self.parts.append("\n|")
        elif tag in ("td", "th"):
            self._cells += 1
            self.parts.append(" ")
        elif tag in _BLOCKS:
            self._rows = 0 if tag == "table" else self._rows
            self.parts.append(" " if self._in_row else "\n\n" + _HEADINGS.get(tag, ""))
        elif tag == "img":
            self.parts.append(f"[Picture: {alt}]" if (alt := dict(attrs).get("alt")) else "")
        else:
            self.parts.append(_MARKS.get(tag, ""))

    @property
    def _in_row(self) -> bool:
        """Whether the text is inside a table cell, which must be one line."""
        return self._cells > 0

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in ("td", "th"):
            self.parts.append(" |")
        elif tag == "tr":
            self._rows += 1
            self.parts.append("\n|" + "---|" * self._cells if self._rows == 1 and self._cells else "")
            self._cells = 0
        elif tag in _BLOCKS:
            self._cells = 0 if tag == "table" else self._cells
            self.parts.append(" " if self._in_row else "\n\n")
        else:
            self.parts.append(_MARKS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        """Add a text."""
        if not self._hidden:
            self.parts.append(_BLANK.sub(" ", data.replace("|", "\\|") if self._in_row else data))


def markdown(text: object, known_values: Mapping[str, str] | None = None) -> str:
    """Return a description as Markdown; rolls as their dice, references as the names that they display.

    ``known_values`` has the document's own attack, damage and save, see ``enrichers.plain``.
    """
    if not isinstance(text, str) or not text.strip():
        return ""
    text = plain(text, known_values)
    if _PARAGRAPHS.fullmatch(text):
        paragraphs = (" ".join(part.replace("<p>", " ").split()) for part in text.split("</p>"))
        return "\n\n".join(filter(None, paragraphs))
    parser = _ToMarkdown()
    parser.feed(text)
    parser.close()
    lines = [line.strip() for line in html.unescape("".join(parser.parts)).split("\n")]
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()
