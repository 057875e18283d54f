"""What players write in the words of the books, by a table: "BA" is a bonus action, Bigby's hand the arcane hand."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources

from pydantic import BaseModel, ConfigDict

from lorekeeper_mcp.text import fold


class _Row(BaseModel):
    """Rows of one source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str


class _Shorthand(_Row):
    words: Mapping[str, str]


class _Inventors(_Row):
    names: frozenset[str]


class _Changed(_Row):
    names: Mapping[str, str]


class Lexicon(BaseModel):
    """The reviewed table, as the file has it; everything in it is folded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    text = resources.files("lorekeeper_mcp.search.names").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return Lexicon.model_validate(tomllib.loads(text))


def spelled_out(folded: str) -> str:
    """A folded text with its shorthand spelled out; a text without any comes back as it is."""
    words = lexicon().words
    return " ".join(words.get(word, word) for word in folded.split())


def shorthand_in(folded: str) -> tuple[str, ...]:
    """What the shorthand in a folded text stands for: it adds to a question and never selects anything by itself."""
    words = lexicon().words
    return tuple(dict.fromkeys(words[word] for word in folded.split() if word in words))


def book_name(folded: str) -> str:
    """A folded name as the books here have it: PWT is pass without trace; others stay as they are."""
    table = lexicon()
    if folded in table.words:
        return fold(table.words[folded])
    if folded in table.changed.names:
        return table.changed.names[folded]
    first, _, rest = folded.partition(" ")
    return rest if rest and first in table.inventors.names else folded
