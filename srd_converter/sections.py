"""Finds headings among the lines of a book, and splits the lines at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar


class HasText(Protocol):
    """A line of either book."""

    @property
    def text(self) -> str:
        """The words of the line."""


L = TypeVar("L")


def index_of(lines: Sequence[HasText], text: str) -> int:
    """The index of the first line with a text. Raises ValueError if there is none."""
    return [line.text for line in lines].index(text)


def split_at(lines: Sequence[L], starts: Sequence[int]) -> Iterator[Sequence[L]]:
    """The lines from each start up to the next; what is before the first start is left out."""
    for start, stop in pairwise([*starts, len(lines)]):
        yield lines[start:stop]
