"""Compares the texts of the data package with the official text, sentence by sentence.

A sentence of the book counts as present if its letters and digits are.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.text import fold, letters
from srd_converter.book2014.pages import Line, read
from srd_converter.text_repairs import with_texts

R = TypeVar("R", bound=Record)
_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=\.\*\*))\s+(?=[A-Z\"(])")
_MARKED = re.compile(r"^\W*[-*#>] |[*_]")  # has marks of Markdown, which the book has not
_WORD = re.compile(r"[A-Za-z]+")
_NEAR = 0.85  # minimum similarity of the same sentence in both sources; measured on all creatures
_FIGURES = re.compile(r"\d+")  # another creature's attack has the same words
_MIN_LENGTH = 25  # letters of a sentence that is compared
_MAX_LINES = 12  # lines of a sentence
_EDGE = 3  # words at either end of a sentence that are equal in both sources
_FROM_BOOK = frozenset({Kind.RULE, Kind.RULE_SET})  # have the book's text
_PARAPHRASED = frozenset(
    {Kind.CONDITION, Kind.DAMAGE_TYPE, Kind.FEAT, Kind.MAGIC_ITEM, Kind.SKILL, Kind.WEAPON_PROPERTY}
)


def as_printed(record: R) -> R:
    """The record with the book's capitals, and the book's sentences where the package paraphrases them."""
    if record.kind in _FROM_BOOK:
        return record
    if record.kind in _PARAPHRASED:
        most = 1 if record.kind is Kind.MAGIC_ITEM else None
        record = with_texts(record, lambda text: proofread(text, most))
    return with_texts(record, in_print)


def in_print(text: str) -> str:
    """The text with each sentence set as in the book, if that has the same letters and digits."""
    for sentence in sentences(text):
        printed = _printed().get(letters(sentence), set())
        if sentence.endswith(":"):  # introduces a list, which the book may print as prose elsewhere
            printed = {variant for variant in printed if variant.endswith(":")}
        if sentence not in printed and not _MARKED.search(sentence):
            text = text.replace(sentence, min((*printed, sentence), key=_word_count))
    return text


def _word_count(sentence: str) -> int:
    """The number of words, which is higher where a page has a space within a word."""
    return len(_WORD.findall(sentence))


def lacks(text: str, official: str) -> bool:
    """Whether a sentence of the official text is missing."""
    text_letters = letters(text)
    return any(letters(sentence) not in text_letters for sentence in sentences(official))


def is_in_book(text: str) -> bool:
    """Whether every sentence of a text is on some page."""
    return all(letters(sentence) in _book() for sentence in sentences(text))


def proofread(text: str, most: int | None = None) -> str:
    """The text with each sentence replaced by the book's, if the book has one that is nearly the same.

    With ``most``, at most that many words may differ, and none may be added or missing. Forms of an item are
    distinguished by words that the book does not need.
    """
    for sentence in sentences(text):
        if letters(sentence) not in _book():
            figures = _FIGURES.findall(sentence)
            candidates = [
                candidate
                for edge in _edges(sentence)
                for candidate in _by_edge().get(edge, ())
                if _FIGURES.findall(candidate) == figures
                and (most is None or _different_words(sentence, candidate) <= most)
            ]
            near = difflib.get_close_matches(sentence, candidates, n=1, cutoff=_NEAR)
            text = text.replace(sentence, near[0]) if near else text
    return text


def _different_words(sentence: str, other: str) -> int:
    """The number of words that differ, position by position."""
    return sum(word != other_word for word, other_word in zip_longest(sentence.split(), other.split()))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without tables and sentences too short to compare."""
    return [
        sentence
        for paragraph in text.split("\n")
        if not paragraph.startswith("|")
        for sentence in _SENTENCE.split(paragraph)
        if len(letters(sentence)) >= _MIN_LENGTH
    ]


def opening(sentence: str) -> str:
    """The first three words."""
    return " ".join(fold(sentence).split()[:3])


def joined(lines: Iterable[Line]) -> str:
    """The text of lines, without paragraph breaks."""
    return re.sub(r"(?<=\w)- (?=\w)", "-", " ".join(line.text for line in lines))


@functools.cache
def _printed() -> Mapping[str, set[str]]:
    """The letters of a sentence -> the sentence as printed, which may vary between pages."""
    variants: dict[str, set[str]] = defaultdict(set)
    for sentence in (*_sentences_of_book(), *_opening_sentences()):
        variants[letters(sentence)].add(sentence)
    return variants


@functools.cache
def _book() -> str:
    return letters(joined(read()))


@functools.cache
def _sentences_of_book() -> Sequence[str]:
    return [sentence.strip() for sentence in sentences(joined(read()).replace("•", "\n"))]


def _opening_sentences() -> Iterator[str]:
    """The sentences that follow a heading or another line without a full stop."""
    lines = read()
    for index, line in enumerate(lines):
        if line.text[0].isupper():
            yield _SENTENCE.split(joined(lines[index : index + _MAX_LINES]), maxsplit=1)[0]


@functools.cache
def _by_edge() -> Mapping[tuple[bool, str], Sequence[str]]:
    """First or last words -> the sentences of the book that begin or end with them."""
    sentences_by_edge: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for sentence in dict.fromkeys(_sentences_of_book()):
        for edge in _edges(sentence):
            sentences_by_edge[edge].append(sentence)
    return sentences_by_edge


def _edges(sentence: str) -> tuple[tuple[bool, str], tuple[bool, str]]:
    words = fold(sentence).split()
    return (True, " ".join(words[:_EDGE])), (False, " ".join(words[-_EDGE:]))
