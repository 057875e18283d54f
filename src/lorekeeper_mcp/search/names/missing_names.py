"""Names in a question that no stored entry has: names absent from the SRDs, and capitalised words."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Container, Iterable, Iterator

from lorekeeper_mcp.plurals import singular_or_plural_forms
from lorekeeper_mcp.search.names.lexicon import expand_shorthand
from lorekeeper_mcp.search.names.mentions import CONNECTING, EVERYDAY_NAMES, Mention
from lorekeeper_mcp.search.names.reviewed_table import TablePart, read_table
from lorekeeper_mcp.text import fold

_LONGEST = 5  # words in a name
_IN_CAPITALS = 4  # letters; titles capitalise words of at least this length
# Runs of capitalised words, also joined by "of the". The first word of a sentence is capitalised anyway.
_CAPITALISED = re.compile(r"(?<![.!?;] )(?<!^)\b[A-Z][\w'’-]*(?:(?: (?:of|the|and|in))* [A-Z][\w'’-]*)*")


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


@functools.cache
def _words() -> frozenset[str]:
    return frozenset(word for name in names_not_in_srds() for word in name.split())


def is_in_missing_name(word: str) -> bool:
    """Whether a folded word or its singular is part of such a name, and so not a misspelling of another word."""
    return any(form in _words() for form in (word, *singular_or_plural_forms(word)))


def missing_names(search: str, mentions: Iterable[Mention], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the names in a question that nothing has, each once, as the question or the table spells them.

    ``mentions`` are the stored names in it; ``is_known`` says whether a record of any kind has a name.
    """
    named = [mention for mention in mentions if mention.several_words]
    candidates = [*_capitalised(search, named), *_of_table(expand_shorthand(fold(search)), named)]
    names: dict[str, str] = {}
    for name in candidates:
        if not any(fold(name) in other or other in fold(name) for other in names) and not is_known(name):
            names[fold(name)] = name
    return tuple(names.values())


def _of_table(folded: str, named: Iterable[Mention]) -> Iterator[str]:
    """The longest names of the table in a folded text that are not part of a stored name."""
    words = folded.split()
    held = [mention.name.split() for mention in named]
    start = 0
    while start < len(words):
        for length in range(min(_LONGEST, len(words) - start), 0, -1):
            run = words[start : start + length]
            forms = dict.fromkeys([" ".join(run), *singular_or_plural_forms(" ".join(run))])
            name = next((form for form in forms if form in names_not_in_srds()), "")
            if name and not any(_is_part_of(run, other) for other in held):
                yield name
                start += length - 1
                break
        start += 1


def _capitalised(search: str, named: Iterable[Mention]) -> Iterator[str]:
    """Runs of capitalised words that are not part of a stored name, unless the whole question is capitalised."""
    if all(word[:1].isupper() for word in search.split() if len(word) >= _IN_CAPITALS):
        return
    held = [mention.name.split() for mention in named]
    for run in _CAPITALISED.finditer(search):
        words = fold(run[0]).split()
        telling = [word for word in words if word not in EVERYDAY_NAMES | CONNECTING]
        if 1 < len(words) <= _LONGEST and len(telling) > 1 and not any(_overlaps(words, other) for other in held):
            yield run[0]


def _is_part_of(words: list[str], others: list[str]) -> bool:
    """Whether some words are a contiguous part of others."""
    return f" {' '.join(words)} " in f" {' '.join(others)} "


def _overlaps(words: Container[str], others: Iterable[str]) -> bool:
    return any(word in words for word in others)
