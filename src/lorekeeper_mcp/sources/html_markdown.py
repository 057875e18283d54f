"""HTML within the texts of a foreign file, as Markdown."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_ENTITY = re.compile(r"&#?\w{2,10};")
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = {"p", "div", "section", "blockquote", "ul", "ol", "table", "hr", "figure", "article", "aside", *_HEADINGS}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "code": "`"}
_ITEM_MARK = "\n- "
_HIDDEN = {"script", "style"}


def html_markdown(text: str) -> str:
    """Return a text with its HTML as Markdown: paragraphs, headings, lists, tables, bold and italic words."""
    for _ in range(2):  # some files have their HTML escaped
        if not _TAG.search(text) and not _ENTITY.search(text):
            break
        parser = _ToMarkdown()
        parser.feed(text)
        parser.close()
        text = html.unescape("".join(parser.parts))
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


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
            self.parts.append(" " if self._cells else "\n")
        elif tag == "li":
            self.parts.append(_ITEM_MARK)
        elif tag == "tr":
            self._cells = 0
            self.parts.append("\n|")
        elif tag in ("td", "th"):
            self._cells += 1
            self.parts.append(" ")
        elif tag in _BLOCKS:
            self._rows = 0 if tag == "table" else self._rows
            is_in_place = bool(self.parts) and self.parts[-1] == _ITEM_MARK  # "<li><p>"
            self.parts.append("" if is_in_place else " " if self._cells else "\n\n" + _HEADINGS.get(tag, ""))
        elif tag == "img":
            self.parts.append(f"[Picture: {alt}]" if (alt := dict(attrs).get("alt")) else "")
        else:
            self.parts.append(_MARKS.get(tag, ""))

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
            self.parts.append(" " if self._cells else "\n\n")
        else:
            self.parts.append(_MARKS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        """Add a text; inside a table cell it is one line."""
        if not self._hidden:
            plain = data.replace("|", "\\|") if self._cells else data
            self.parts.append(re.sub(r"\s+", " ", plain))
