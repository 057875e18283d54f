"""Finds words that lost the space between them, using the vocabulary of the two SRDs."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from scripts.data_checks.prose import prose

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import srd

_WORD = re.compile(r"[A-Za-z]+")
_INNER_CAPITAL = re.compile(r"\b[a-z]{2,}[A-Z][a-z]{2,}\b")
_NUMBER = re.compile(r"\b\d+(?:rounds?|minutes?|hours?|days?|feet|foot|miles?|creatures?|levels?)\b")
# Small words at either end of two joined words; "is" and "in" begin too many names.
_FRONTS = ("the", "its", "your", "and", "or", "with", "that", "this", "for", "from", "of")
_ENDINGS = ("s", "n", "ed", "ing")
_MIN_LETTERS = 5  # letters of the other word


@functools.cache
def vocabulary() -> frozenset[str]:
    """Every word of both SRDs, in lower case."""
    texts = (text for record in srd.records() for _, text in prose(record))
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def check_glued_words(record: Record) -> Iterator[str]:
    """Words that consist of two words of the SRDs, the first a small one, or of a number and its unit."""
    words = vocabulary()
    for field, text in prose(record):
        if field == "name":
            continue
        for glued in (*_INNER_CAPITAL.finditer(text), *_NUMBER.finditer(text)):
            yield f"{glued[0]!r} in {field}"
        for word in {word for word in _WORD.findall(text) if word.islower() and word not in words}:
            if any(word.removesuffix(ending) in words for ending in _ENDINGS):
                continue
            rests = [word.removeprefix(front) for front in _FRONTS if word.startswith(front)]
            if any(len(rest) >= _MIN_LETTERS and rest in words for rest in rests):
                yield f"{word!r} in {field}"
