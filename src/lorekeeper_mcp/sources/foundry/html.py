"""Foundry's HTML and its enrichers to Markdown."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

_BLOCKS = {"p", "div", "section", "blockquote", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "code": "`"}
_HIDDEN = {"script", "style"}
_NAMED = re.compile(r"@\w+\[[^\]]{0,300}\]\{([^}]{0,300})\}")  # @UUID[Compendium.x.y]{Prone}
_BARE = re.compile(r"@\w+\[(?:[^\]]{0,300}\.)?([^\].]{0,100})\]")
_ROLL = re.compile(r"\[\[/?(?:r|roll|damage|heal|attack|check|save|skill)?\s*([^\]]{0,200})\]\](?:\{([^}]{0,200})\})?")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]=]{0,60}=)?([^\]]{1,60})\](?:\{([^}]{0,100})\})?", re.IGNORECASE)


class _ToMarkdown(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in ("td", "th"):
            self.parts.append(" | ")
        elif tag in _BLOCKS:
            self.parts.append("\n\n" + ("#" * int(tag[1]) + " " if re.fullmatch(r"h[1-6]", tag) else ""))
        else:
            self.parts.append(_MARKS.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _BLOCKS:
            self.parts.append("\n" if tag == "tr" else "\n\n")
        else:
            self.parts.append(_MARKS.get(tag, ""))

    def handle_data(self, data: str) -> None:
        """Take a text."""
        if not self._hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def markdown(text: object) -> str:
    """A description as Markdown; rolls as their dice, references as the names that they show."""
    if not isinstance(text, str) or not text.strip():
        return ""
    plain = _REFERENCE.sub(lambda hit: hit[3] or hit[2], text)
    plain = _BARE.sub(r"\1", _NAMED.sub(r"\1", plain))
    plain = _ROLL.sub(lambda hit: hit[2] or hit[1].partition("#")[0].strip(), plain)
    parser = _ToMarkdown()
    parser.feed(plain)
    parser.close()
    lines = [line.strip() for line in html.unescape("".join(parser.parts)).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
