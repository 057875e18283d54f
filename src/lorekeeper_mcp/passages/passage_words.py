"""The words of a passage without Markdown, for embedding and for keyword search."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.passages.passage import Passage, PassageKind

_MARKS = re.compile(r"[*_#|`>]+|\[([^\[\]]*)\]\([^()\n]*\)|-{3,}")
_SIGNS = ("*", "_", "#", "|", "`", ">", "[", "---")
# Sentence encoders cannot interpret rows of numbers and single words, so such passages match by keyword only.
_WITHOUT_MEANING = frozenset({PassageKind.FACTS, PassageKind.TABLE_ROW})


def passage_text(record: Record, passage: Passage) -> str:
    """The passage after the names of its record and headings: "Wight. Actions. Life Drain. Melee Attack ..."."""
    return f"{record.name}. {passage_words(passage)}"


def passage_words(passage: Passage) -> str:
    """The passage and its headings without Markdown."""
    return without_markdown(". ".join([*passage.heading, passage.markdown]))


def without_markdown(text: str) -> str:
    """A text in one line without the marks of Markdown."""
    if any(sign in text for sign in _SIGNS):  # most texts have none, and the pattern is far slower
        text = _MARKS.sub(lambda match: match[1] or " ", text)
    return " ".join(text.split())


def has_meaning(passage: Passage) -> bool:
    """Whether an embedding of the passage is meaningful."""
    return passage.kind not in _WITHOUT_MEANING
