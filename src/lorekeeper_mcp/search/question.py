"""A parsed question, before any lookup: the names in it, its parts, and the text to embed."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from lorekeeper_mcp.search.cases import case_mentions, is_case
from lorekeeper_mcp.search.names.lexicon import spelled_out
from lorekeeper_mcp.search.names.mentions import Mention, features_of_named, mentions, rest, sentences
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.name_match import is_pattern
from lorekeeper_mcp.text import fold

# Words between a thing and what it does: "spells that heal wounds" names no spell.
_RELATING = frozenset({"that", "which", "who", "whose", "to", "for", "with", "against", "if", "when", "can"})
_MOST_TEXTS = 4  # that are embedded of one question
_FEWEST_WORDS = 3  # of what is left of a question beside its names, to be looked up by itself


@dataclass(frozen=True)
class Question:
    """The words of a question as they are read, spelling put right, and the texts that are embedded of it.

    ``texts`` are the whole question first, then its sentences or what it asks beside the names in it.
    """

    search: str
    texts: tuple[str, ...]

    @property
    def ranks(self) -> bool:
        """Whether there is anything to rank by."""
        return bool(self.texts)


@dataclass(frozen=True)
class Named:
    """What a question mentions, whether it is nothing but names, and whether the rest may read as filters."""

    mentions: tuple[Mention, ...]
    names_only: bool
    may_filter: bool


def parse_question(search: str, names: Sequence[tuple[NameIndex, Container[str]]]) -> Question:
    """Read a question; ``names`` as ``mentions`` takes them."""
    if is_pattern(search) or not fold(search):
        return Question(search, ())
    parts = sentences(search)
    if not parts:
        found = mentions(search, names)
        left = rest(search, found)
        # One word may be a name by chance: "something that guards against fire" is not about guards.
        is_named = any(one.several_words for one in found)
        parts = [left] if is_named and len(left.split()) >= _FEWEST_WORDS else []
    return Question(search, tuple(dict.fromkeys([_to_embed(search), *map(_to_embed, parts)]))[:_MOST_TEXTS])


def named_in(search: str, names: Sequence[tuple[NameIndex, Container[str]]], is_common: Callable[[str], bool]) -> Named:
    """What a question names of the entries that match: several things, or one and something beside it."""
    if is_case(search):
        return Named(tuple(case_mentions(search, names)), names_only=False, may_filter=False)
    found = mentions(search, names)
    only = bool(found) and not rest(search, found) and _RELATING.isdisjoint(fold(search).split())
    if only:
        found = features_of_named(found)
    return Named(tuple(one for one in found if only or one.several_words or not is_common(one.name)), only, not only)


def _to_embed(search: str) -> str:
    """The question as it is, unless it has table talk in it, which the model does not know."""
    folded = fold(search)
    spelled = spelled_out(folded)
    return search.strip().casefold() if spelled == folded else spelled
