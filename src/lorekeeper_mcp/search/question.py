"""A parsed question, before any lookup: the names in it, its parts, and the texts to embed."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lorekeeper_mcp.models import FAMILIES, Family, Kind
from lorekeeper_mcp.search.cases import case_mentions, is_case
from lorekeeper_mcp.search.edition_words import compared_editions
from lorekeeper_mcp.search.grammar import asks_for_things
from lorekeeper_mcp.search.intent import asks_for_rules, kinds_mentioned
from lorekeeper_mcp.search.names.lexicon import expand_shorthand, shorthand_meanings
from lorekeeper_mcp.search.names.mentions import (
    Mention,
    find_mentions,
    sentences,
    text_without_names,
    without_feature_owners,
)
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.name_match import is_pattern
from lorekeeper_mcp.search.names.part_names import NamedPart, overlap
from lorekeeper_mcp.text import fold

# Words before what something does: "spells that heal wounds" does not name a spell.
_RELATING = frozenset({"that", "which", "who", "whose", "to", "for", "with", "against", "if", "when", "can"})
_DETERMINERS = frozenset({"a", "an", "the", "my", "your", "this", "that", "any", "some"})
# Opening words that only ask and name a kind: "I want a monster that can ...". Names contain such words, too, so that
# a search for them would rank the rust monster first.
_ASKING = re.compile(
    r"^(?:(?:i|we|you|please|can|could|would|like|want|need|am|are|is|looking|for|find|show|give|list|suggest|recommend"
    r"|me|us|there|what|which|any|some|an?|the|all) )*"
    r"(?:(?:(?:monster|creature|spell|cantrip|(?:magic )?item|feat|feature|rule|background|race|option)s?"
    r"|something|someone) (?:(?:that|who|which|for|about|on|to) )?(?:(?:can|could|will|would|do|does|is|are) )?)?"
)
# Facts in the head of an entry. If a question asks for such a fact of a named entry, the entry is the answer.
_FACTS_OF_ONE: Mapping[Family, frozenset[str]] = {
    Family.CREATURES: frozenset(
        "ac alignment armor armour big challenge class cr fast hit hp language languages points rating save saves "
        "saving sense senses size speak speed stat statistics stats throw throws xp".split()
    ),
    Family.SPELLS: frozenset(
        "casting class component components concentration damage duration level levels material materials range ritual "
        "save saves saving school throw throws time".split()
    ),
    Family.EQUIPMENT: frozenset(
        "ac armor armour attunement class contents cost costs damage expensive fast heavy price properties property "
        "range rarity speed stat stats value weigh weighs weight worth".split()
    ),
    Family.OPTIONS: frozenset("age big fast language languages level levels size speak speed".split()),
}
_FACTS = frozenset("dice die kind many much need needs point require requires type".split()).union(
    *_FACTS_OF_ONE.values()
)
_RULES = frozenset(FAMILIES[Family.RULES])
_WITH_FACTS = frozenset({*FAMILIES[Family.SPELLS], *FAMILIES[Family.CREATURES], *FAMILIES[Family.EQUIPMENT]})
_AUXILIARIES = frozenset("can could did does is may might must should was will would".split())
_WITHOUT_ARTICLE = frozenset({Kind.SPELL, Kind.FEATURE, Kind.FEAT})  # a sentence has their names without an article
_COMMON = 400  # passages that use a word; a more common word is hardly ever meant as a name
_RARE = 4  # passages that use a word; a rarer word is a name even in the position of a verb
_MAX_TEXTS = 4  # embedded texts of one question
_MIN_WORDS = 3  # words of a question that are not names; with fewer, they are not embedded separately


@dataclass(frozen=True)
class Question:
    """A parsed question with corrected spelling, and the texts to embed.

    ``subject`` is the question without its opening words, used for keyword search. ``texts`` has the whole question
    first, then its sentences, or its words without the names.
    """

    search: str
    subject: str
    texts: tuple[str, ...]

    @property
    def phrases(self) -> tuple[str, ...]:
        """The meanings of the abbreviations in it."""
        return shorthand_meanings(fold(self.search))

    @property
    def has_text(self) -> bool:
        """Whether there is a text to rank by."""
        return bool(self.texts)


@dataclass(frozen=True)
class QuestionNames:
    """The names in a question, whether it consists of names alone, and whether the rest may be parsed for filters.

    ``parts`` are traits, actions and other parts of records that it names.
    """

    mentions: tuple[Mention, ...]
    has_only_names: bool
    may_have_filters: bool
    parts: tuple[NamedPart, ...] = ()
    has_only_parts: bool = False

    def with_parts(self, parts: Sequence[NamedPart], *, only: bool) -> QuestionNames:
        """Add the names of parts of records; ``only`` if the question says nothing else."""
        others = [one for one in self.mentions if not any(overlap(one, part.mention) for part in parts)]
        mentions = sorted((*others, *(part.mention for part in parts)), key=lambda mention: mention.start)
        has_only_names = self.has_only_names and not parts
        return replace(
            self, mentions=tuple(mentions), has_only_names=has_only_names, parts=tuple(parts), has_only_parts=only
        )


def parse_question(search: str, names: Sequence[tuple[NameIndex, Container[str]]]) -> Question:
    """Parse a question; ``names`` is the same argument as in ``find_mentions``."""
    if is_pattern(search) or not fold(search):
        return Question(search, search, ())
    parts = sentences(search)
    if not parts:
        mentions = find_mentions(search, names)
        rest = text_without_names(search, mentions)
        # A single word may be a name by chance: "something that guards against fire" is not about guards.
        is_named = any(mention.has_several_words for mention in mentions)
        parts = [rest] if is_named and len(rest.split()) >= _MIN_WORDS else []
    texts = dict.fromkeys(map(_to_embed, [search, *parts]))
    return Question(search, _subject(fold(search)), tuple(texts)[:_MAX_TEXTS])


def find_names(
    search: str, names: Sequence[tuple[NameIndex, Container[str]]], frequency: Callable[[str], int]
) -> QuestionNames:
    """Return the names of matching entries in a question, which may consist of names or have other words, too.

    ``frequency`` is how many passages use a word.
    """
    if is_case(search):
        return QuestionNames(tuple(case_mentions(search, names)), has_only_names=False, may_have_filters=False)
    words = fold(search).split()
    mentions = find_mentions(search, names, lambda word: frequency(word) <= _RARE, with_verbs=asks_for_rules(search))
    mentions = _without_facts(mentions, words)
    editions = compared_editions(search)  # "what changed between 2014 and 2024"
    rest = [word for word in text_without_names(search, mentions).split() if word not in editions]
    has_only_names = (
        bool(mentions)
        and (not rest or _asks_for_facts(rest, mentions))
        and _RELATING.isdisjoint(words)
        and not _is_phrase(words, mentions)
    )
    # "Reaction spells" asks for spells, not for a reaction.
    kinds = kinds_mentioned(search)
    has_only_names = has_only_names and (not kinds or any(mention.kinds & kinds for mention in mentions))
    if has_only_names:
        named = [_with_fact(mention, rest) for mention in without_feature_owners(mentions)]
    else:
        named = [
            mention
            for mention in mentions
            if mention.has_several_words or _is_meant(mention, search, words) or frequency(mention.name) <= _COMMON
        ]
    return QuestionNames(tuple(named), has_only_names, not has_only_names)


def _is_meant(mention: Mention, search: str, words: Sequence[str]) -> bool:
    """Whether a common word is a name for certain: a condition in a question for a ruling, or "does rage end"."""
    if asks_for_things(search):
        return False
    is_subject = mention.start == 1 and words[0] in _AUXILIARIES
    return Kind.CONDITION in mention.kinds or (is_subject and not _WITHOUT_ARTICLE.isdisjoint(mention.kinds))


def _without_facts(mentions: Sequence[Mention], words: Sequence[str]) -> list[Mention]:
    """The mentions, without rules that are facts of another mention: "the components of Revivify"."""
    owned = {
        fact
        for fact, owner in pairwise(mentions)
        if (between := words[fact.stop : owner.start])[:1] in (["of"], ["is"], ["does"], ["for"])
        and _DETERMINERS.issuperset(between[1:])
        and _RULES.issuperset(fact.kinds)
        and _WITH_FACTS & owner.kinds
    }
    return [mention for mention in mentions if mention not in owned]


def _asks_for_facts(rest: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """Whether a question asks only for facts in the head of one entry."""
    return len(mentions) == 1 and _FACTS.issuperset(rest) and bool(_WITH_FACTS & mentions[0].kinds)


def _with_fact(named: Mention, rest: Sequence[str]) -> Mention:
    """The name without kinds that do not have the fact: a goblin with hit points is not the language."""
    kinds = {kind for family, facts in _FACTS_OF_ONE.items() if not facts.isdisjoint(rest) for kind in FAMILIES[family]}
    ids = frozenset(id_ for id_ in named.ids if id_.partition(":")[0] in kinds)
    return replace(named, ids=ids) if ids else named


def _is_phrase(words: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """Whether a name is the verb of a phrase: "identify a magic item" does not ask for two entries."""
    gaps = (words[mention.stop : following.start] for mention, following in pairwise(mentions))
    return any(gap and _DETERMINERS.issuperset(gap) for gap in gaps)


def _to_embed(search: str) -> str:
    """The text of a question to embed. Abbreviations are expanded, since the model does not know them."""
    folded = fold(search)
    spelled = expand_shorthand(_subject(folded))
    return search.strip().casefold() if spelled == folded else spelled


def _subject(folded: str) -> str:
    """A folded question without its opening words: "charm people" of "a monster that can charm people".

    The editions that it compares are removed, too, since no text names them.
    """
    editions = compared_editions(folded)
    folded = " ".join(word for word in folded.split() if word not in editions)
    return _ASKING.sub("", folded, count=1) or folded
