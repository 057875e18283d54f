"""Invisible characters, which every source removes from its texts first."""

from __future__ import annotations

import re
from collections.abc import Mapping

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(value: object) -> tuple[object, int]:
    """Remove characters that nobody sees from every text of a parsed value; the value, and how many there were.

    Control characters but tabs and line ends, zero width, bidirectional controls, tags, variation selectors, lone
    surrogates: they hide words from people that a model reads.
    """
    if isinstance(value, str):
        if value.isascii() and value.isprintable():
            return value, 0
        clean, count = _INVISIBLE.subn("", value)
        return (clean, count) if count else (value, 0)
    if value is None or isinstance(value, int | float):  # nearly all others; to ask for a Mapping takes longer
        return value, 0
    if isinstance(value, dict | Mapping):
        keys, values = [visible(key) for key in value], [visible(one) for one in value.values()]
        count = sum(removed for _, removed in (*keys, *values))
        return (dict(zip((key for key, _ in keys), (one for one, _ in values), strict=True)) if count else value), count
    if isinstance(value, list):
        found = [visible(one) for one in value]
        count = sum(removed for _, removed in found)
        return ([one for one, _ in found] if count else value), count
    return value, 0


def may_be_hidden(text: str) -> bool:
    """Whether a text, or JSON of one, may have characters that nobody sees."""
    return "\\u" in text or "\\b" in text or "\\f" in text or bool(_INVISIBLE.search(text))
