"""Splits text into the word pieces of BERT's uncased vocabulary (https://arxiv.org/abs/1810.04805).

Equal to the tokenizer that all-MiniLM-L6-v2 is published with, which a test checks; the library that it is published
for brings a client of a model hub along, thirty megabytes that nothing else here needs.
"""

from __future__ import annotations

import gzip
import unicodedata
from functools import lru_cache
from pathlib import Path

_VOCABULARY = Path(__file__).with_name("vocabulary.txt.gz")  # a piece per line; its number is the line's
_MAX_WORD = 100  # characters; a longer word is unknown
_CJK = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


class WordPieceTokenizer:
    """Any thread may call it."""

    def __init__(self, max_pieces: int) -> None:
        """Load the vocabulary. Raises OSError."""
        pieces = gzip.decompress(_VOCABULARY.read_bytes()).decode().splitlines()
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._unknown, self._first, self._last = (self._numbers[name] for name in ("[UNK]", "[CLS]", "[SEP]"))
        self._max_pieces = max_pieces
        self._separated = _Separated()
        self._pieces_of = lru_cache(maxsize=32_768)(self._split)

    def encode(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, between those that mark its start and end; cut to ``max_pieces``."""
        numbers = [self._first]
        for word in unicodedata.normalize("NFD", text).translate(self._separated).split():
            numbers += self._pieces_of(word)
            if len(numbers) >= self._max_pieces:
                break
        return [*numbers[: self._max_pieces - 1], self._last]

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest piece that a word starts with, then the longest that continues it, and so on."""
        if len(word) > _MAX_WORD:
            return (self._unknown,)
        numbers: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                if (number := self._numbers.get(prefix + word[start:end])) is not None:
                    numbers.append(number)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(numbers)


class _Separated(dict[int, str]):
    """For ``str.translate``: lower case, no accents or control characters, spaces around what is a word of its own."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        is_ascii_mark = code < 128 and char.isprintable() and not char.isalnum() and char != " "
        if char in "\t\n\r" or category[0] == "Z":
            kept = " "
        elif category == "Mn" or category in ("Cc", "Cf", "Co", "Cs") or char == "\ufffd":
            kept = ""
        elif is_ascii_mark or category[0] == "P" or any(first <= code <= last for first, last in _CJK):
            kept = f" {char} "
        else:
            kept = char.lower()
        self[code] = kept
        return kept
