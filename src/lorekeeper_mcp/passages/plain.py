"""A passage as the plain text that is embedded and searched for words."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.passages.passage import Passage, PassageKind

_MARKS = re.compile(r"[*_#|`>]+|\[([^\[\]]*)\]\([^()\n]*\)|-{3,}")
# Figures and words in a row mean nothing to a sentence encoder: such passages are found by their words alone.
_WITHOUT_MEANING = frozenset({PassageKind.FACTS, PassageKind.TABLE_ROW})


def passage_text(record: Record, passage: Passage) -> str:
    """What a passage says and of what it says it: "Wight. Actions. Life Drain. Melee Attack ..."."""
    return f"{record.name}. {passage_words(passage)}"


def passage_words(passage: Passage) -> str:
    """What a passage and its headings say, without marks."""
    text = ". ".join([*passage.heading, passage.markdown])
    return " ".join(_MARKS.sub(lambda found: found[1] or " ", text).split())


def has_meaning(passage: Passage) -> bool:
    """Whether an embedding of the passage says anything."""
    return passage.kind not in _WITHOUT_MEANING
