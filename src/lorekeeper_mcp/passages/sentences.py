"""Sentences of Markdown texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKS = re.compile(r"[*_#`>]+|\[([^\[\]]*)\]\([^()\n]*\)")
_RUN_IN = re.compile(r"^\*{2,3}_?([^*]+?)[.:]?_?\*{2,3}[.:]?\s*(?=\S)")
_ITEM = re.compile(r"^\s*[-*•]\s+")
_STOP = re.compile(r"[.!?](?=\s|$)")
_MIN_SENTENCE = 22  # characters of a sentence with content; "Hazard." has none
# Abbreviations whose full stop does not end a sentence.
_ABBREVIATIONS = re.compile(r"\b(?:ft|lb|gp|sp|cp|pp|ep|Mr|Mrs|Dr|St|vs|etc|e\.g|i\.e|approx|no)\.$", re.IGNORECASE)


def plain(text: str) -> str:
    """Remove Markdown marks and line breaks."""
    return " ".join(_MARKS.sub(lambda match: match[1] or "", text).replace("|", " ").split())


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text without Markdown. The end of a line, list item or table cell also ends a sentence."""
    for line in text.splitlines():
        flat, start = plain(_RUN_IN.sub(r"\1: ", _ITEM.sub("", line))), 0
        for stop in _STOP.finditer(flat):
            sentence = flat[start : stop.end()].strip()
            if len(sentence) >= _MIN_SENTENCE and not _ABBREVIATIONS.search(sentence):
                yield sentence
                start = stop.end()
        if remainder := flat[start:].strip():
            yield remainder


def first_sentence(text: str, limit: int = 160) -> str:
    """The first sentence, cut at a word with "…" if it is longer than the limit."""
    return cut_at_word(next(sentences(text), ""), limit)


def cut_at_word(text: str, limit: int) -> str:
    """Cut a text to a limit of characters, at a word, with "…"."""
    return text if len(text) <= limit else f"{text[: limit - 1].rpartition(' ')[0]}…"
