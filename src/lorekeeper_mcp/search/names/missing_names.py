"""Names in a question that no stored entry has: names that the SRDs lack, and capitalized words."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.lexicon import TablePart, expand_shorthand, read_table
from lorekeeper_mcp.search.names.mentions import CONNECTING_WORDS, EVERYDAY_NAMES, Mention
from lorekeeper_mcp.text import fold

_MAX_WORDS = 5  # words in a name
_MIN_CAPITALIZED = 4  # letters; titles capitalize words of at least this length
# Runs of capitalized words, also joined by "of the". The first word of a sentence is capitalized anyway.
_CAPITALIZED = re.compile(r"(?<![.!?;] )(?<!^)\b[A-Z][\w'’-]*(?:(?: (?:of|the|and|in))* [A-Z][\w'’-]*)*")


class _Group(TablePart):
    source: str
    names: tuple[str, ...]


class _Table(TablePart):
    group: tuple[_Group, ...]


@functools.cache
def groups() -> tuple[_Group, ...]:
    """Return the reviewed table."""
    return read_table("missing_names", _Table).group


@functools.cache
def names_not_in_srds() -> frozenset[str]:
    """Every folded name that the SRDs lack."""
    return frozenset(name for group in groups() for name in group.names)


def missing_names(search: str, mentions: Iterable[Mention], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the names in a question that nothing has, each once, as the question or the table spells them.

    ``mentions`` are the stored names in it; ``is_known`` says whether a record of any kind has a name.
    """
    stored = [mention for mention in mentions if mention.has_several_words]
    candidates = [*_capitalized_runs(search, stored), *_names_in_table(expand_shorthand(fold(search)), stored)]
    names: dict[str, str] = {}
    for name in candidates:
        if not any(fold(name) in other or other in fold(name) for other in names) and not is_known(name):
            names[fold(name)] = name
    return tuple(names.values())


def _names_in_table(folded: str, stored: Iterable[Mention]) -> Iterator[str]:
    """The longest names of the table in a folded text that are not part of a stored name."""
    words = folded.split()
    start = 0
    while start < len(words):
        for length in range(min(_MAX_WORDS, len(words) - start), 0, -1):
            phrase = " ".join(words[start : start + length])
            forms = dict.fromkeys([phrase, *singular_or_plural_forms(phrase)])
            name = next((form for form in forms if form in names_not_in_srds()), "")
            if name and not any(f" {phrase} " in f" {mention.name} " for mention in stored):
                yield name
                start += length - 1
                break
        start += 1


def _capitalized_runs(search: str, stored: Iterable[Mention]) -> Iterator[str]:
    """Runs of capitalized words that are not part of a stored name, unless the whole question is capitalized."""
    if all(word[:1].isupper() for word in search.split() if len(word) >= _MIN_CAPITALIZED):
        return
    stored_words = {word for mention in stored for word in mention.name.split()}
    for run in _CAPITALIZED.finditer(search):
        words = fold(run[0]).split()
        significant = [word for word in words if word not in EVERYDAY_NAMES | CONNECTING_WORDS]
        if 1 < len(words) <= _MAX_WORDS and len(significant) > 1 and stored_words.isdisjoint(words):
            yield run[0]
