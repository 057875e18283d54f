"""Players' terms translated to those of the books: "BA" is a bonus action, Bigby's hand is the arcane hand."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from lorekeeper_mcp.search.names.reviewed_table import TablePart, read_table
from lorekeeper_mcp.text import fold


class _Shorthand(TablePart):
    source: str
    words: Mapping[str, str]


class _Inventors(TablePart):
    source: str
    names: frozenset[str]


class _Changed(TablePart):
    source: str
    names: Mapping[str, str]


class Lexicon(TablePart):
    """The whole table. All its names and words are folded."""

    shorthand: tuple[_Shorthand, ...]
    inventors: _Inventors
    changed: _Changed

    @functools.cached_property
    def words(self) -> Mapping[str, str]:
        """Every abbreviation, spelled out."""
        return {short: long for group in self.shorthand for short, long in group.words.items()}


@functools.cache
def lexicon() -> Lexicon:
    """Return the table."""
    return read_table("lexicon", Lexicon)


def spelled_out(folded: str) -> str:
    """Return a folded text with its shorthand spelled out."""
    words = lexicon().words
    return " ".join(words.get(word, word) for word in folded.split())


def shorthand_in(folded: str) -> tuple[str, ...]:
    """Return the meanings of the shorthand in a folded text, which add to a question and never select by themselves."""
    words = lexicon().words
    return tuple(dict.fromkeys(words[word] for word in folded.split() if word in words))


def book_name(folded: str) -> str:
    """Return a folded name as the books have it: PWT is pass without trace; other names stay as they are."""
    table = lexicon()
    if folded in table.words:
        return fold(table.words[folded])
    if folded in table.changed.names:
        return table.changed.names[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and first in table.inventors.names else folded
