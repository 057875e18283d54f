"""Players' terms translated to those of the books: "BA" is a bonus action, Bigby's hand is Arcane Hand."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from lorekeeper_mcp.search.names.reviewed_table import TablePart, read_table
from lorekeeper_mcp.text import fold


class _Shorthand(TablePart):
    """Abbreviations with their full forms; with ``after``, only if one of these words precedes in the text."""

    source: str
    words: Mapping[str, str]
    after: frozenset[str] = frozenset()


class _Inventors(TablePart):
    source: str
    names: frozenset[str]


class _Changed(TablePart):
    source: str
    names: Mapping[str, str]


class Lexicon(TablePart):
    """The lexicon table. All its names and words are folded."""

    shorthand: tuple[_Shorthand, ...]
    inventors: _Inventors
    changed: _Changed

    @functools.cached_property
    def words(self) -> Mapping[str, str]:
        """Every abbreviation with its full form."""
        return {short: long for group in self.shorthand for short, long in group.words.items()}

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds the abbreviations in a lower-case text."""
        words = "|".join(sorted(map(re.escape, self.words), key=len, reverse=True))
        return re.compile(rf"(?<![\w'-])(?:{words})(?![\w'-])")

    @functools.cached_property
    def _after(self) -> Mapping[str, frozenset[str]]:
        return {short: group.after for group in self.shorthand for short in group.words}

    def meaning(self, match: re.Match[str]) -> str:
        """The full form of an abbreviation that ``pattern`` has found; "" if it means something else there."""
        after = self._after[match[0]]
        means_it = not after or not after.isdisjoint(match.string[: match.start()].split())
        return self.words[match[0]] if means_it else ""


@functools.cache
def lexicon() -> Lexicon:
    """Return the lexicon."""
    return read_table("lexicon", Lexicon)


def expand_shorthand(text: str) -> str:
    """Return a lower-case text with its abbreviations spelled out."""
    table = lexicon()
    return table.pattern.sub(lambda match: table.meaning(match) or match[0], text)


def shorthand_meanings(folded: str) -> tuple[str, ...]:
    """Return what the abbreviations in a folded text mean; these add candidates to a question and never exclude any."""
    table = lexicon()
    return tuple(dict.fromkeys(filter(None, map(table.meaning, table.pattern.finditer(folded)))))


def book_name(folded: str) -> str:
    """Return a name as the books have it: "pwt" -> "pass without trace"; other names are returned unchanged."""
    table = lexicon()
    if folded in table.words:
        return fold(table.words[folded])
    if folded in table.changed.names:
        return table.changed.names[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and first in table.inventors.names else folded
