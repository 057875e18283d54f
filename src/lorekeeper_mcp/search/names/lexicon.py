"""The reviewed tables of names: players' terms, entries renamed between the editions. Each row has its source."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.text import fold


class TablePart(BaseModel):
    """A table, or a part of one; unknown fields in the file are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


P = TypeVar("P", bound=TablePart)


def read_table(name: str, shape: type[P]) -> P:
    """Read the table ``name.toml`` in this folder."""
    text = resources.files("lorekeeper_mcp.search.names").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return shape.model_validate(tomllib.loads(text))


# -- players' terms: "BA" is a bonus action, Bigby's hand is Arcane Hand


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


# -- entries renamed between the editions: Thug and Tough are one creature

_DOCUMENTS = frozenset({"srd-2014", "srd-2024"})  # other books may have separate entries under both names


class NameChange(TablePart):
    """One renamed entry. ``same`` is false if the new name covers more or less than the old one."""

    kind: Kind
    old: str
    new: str
    page: int
    same: bool


class _NameChanges(TablePart):
    source: str
    renamed: tuple[NameChange, ...]


@functools.cache
def rows() -> tuple[NameChange, ...]:
    """Every renamed entry."""
    return read_table("name_changes", _NameChanges).renamed


@functools.cache
def _other_names() -> Mapping[tuple[Kind, str], tuple[str, ...]]:
    others: dict[tuple[Kind, str], tuple[str, ...]] = {}
    for row in rows():
        for name, other in ((row.old, row.new), (row.new, row.old)):
            others[row.kind, fold(name)] = (*others.get((row.kind, fold(name)), ()), fold(other))
    return others


@functools.cache
def _new_names() -> Mapping[tuple[Kind, str], str]:
    return {(row.kind, fold(row.old)): fold(row.new) for row in rows() if row.same}


def other_names(kind: Kind, folded: str, document: str) -> tuple[str, ...]:
    """The folded names of an SRD's entry in the other edition; rule sets are looked up as rules."""
    kind = Kind.RULE if kind is Kind.RULE_SET else kind
    return _other_names().get((kind, folded), ()) if document in _DOCUMENTS else ()


def new_name(kind: Kind, folded: str) -> str:
    """The newest folded name of an entity; the given name if it has not changed."""
    return _new_names().get((kind, folded), folded)
