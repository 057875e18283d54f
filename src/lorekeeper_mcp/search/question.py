"""A parsed question: what it asks for, the names in it, and the texts to embed."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from lorekeeper_mcp.models import FAMILIES, Edition, Family, Kind
from lorekeeper_mcp.search.grammar import asks_for_things
from lorekeeper_mcp.search.names.lexicon import expand_shorthand, shorthand_meanings
from lorekeeper_mcp.search.names.mentions import Mention, find_mentions, overlap, text_without_names, without_owners
from lorekeeper_mcp.search.names.name_index import RULING_KINDS, NameIndex, is_pattern
from lorekeeper_mcp.search.names.part_names import NamedPart
from lorekeeper_mcp.store.query_terms import COMMON_WORDS
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
# Facts in the head of an entry. If a question asks for nothing else of a named entry, the entry is the answer.
_FACTS = frozenset(
    "ac alignment armor armour attunement big casting challenge class component components concentration contents cost "
    "costs cr damage dice die duration expensive fast heavy hit hp kind language languages level levels many material "
    "materials much need needs point points price properties property range rarity rating require requires ritual save "
    "saves saving school sense senses size speak speed spell stat statistics stats throw throws time type value weigh "
    "weighs weight worth xp".split()
)
_WITH_FACTS = frozenset({*FAMILIES[Family.SPELLS], *FAMILIES[Family.CREATURES], *FAMILIES[Family.EQUIPMENT]})
_AUXILIARIES = frozenset("can could did does is may might must should was will would".split())
_WITHOUT_ARTICLE = frozenset({Kind.SPELL, Kind.FEATURE, Kind.FEAT})  # a sentence has their names without an article
_COMMON = 400  # passages that use a word; a more common word is hardly ever meant as a name
_MAX_TEXTS = 4  # embedded texts of one question

# -- editions

# A number that is part of a key or has a unit is not a year: srd-2024_grappled, 2014 gp.
_EDITION = re.compile(
    r"[(,]?\s*(?<![\w-])(?:(?:in|under|by|per|for|of|with|using) )?(?:the )?(2014|2024|a5e|5\.5e)"
    r"(?![\w-]|\s*(?:[gsc]p|xp|feet|ft|lb)\b)"
    r"(?:[' ]?s? ?(?:edition|rules?|version|phb|srd|books?)\b)?[),:]?",
    re.IGNORECASE,
)
_EDITIONS = {"2014": Edition.E2014, "2024": Edition.E2024, "5.5e": Edition.E2024, "a5e": Edition.A5E}
EDITION_WORDS = frozenset(_EDITIONS)


def compared_editions(search: str) -> frozenset[str]:
    """The words for the editions that a question compares: "2014 or 2024", "old vs new rules"; none if it does not."""
    words = frozenset(re.findall(r"[\w.]+", search.casefold()))
    compared = words & (EDITION_WORDS | {"old", "new"})
    return compared if len(compared) > 1 else frozenset()


def extract_edition(search: str) -> tuple[str, Edition | None]:
    """Return a question without the edition it names, and the edition.

    If it names none or several, return it unchanged, and None.
    """
    editions = {_EDITIONS[found[1].lower()] for found in _EDITION.finditer(search)}
    left = " ".join(_EDITION.sub(" ", search).split())
    if len(editions) != 1 or not re.search(r"\w", left):
        return search, None
    return left, editions.pop()


# -- what a question asks for

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
# The last clause of a case: "my horse is pushed over, do I fall".
_ASKS_RULING = re.compile(
    r"(?:(?:and|but|so|then) )?(?:am|are|can|could|do|does|is|may|must|should|what happens|will|would"
    r"|how (?:can|do|does))\b",
    re.IGNORECASE,
)
_MIN_CASE_WORDS = 8  # "healing word vs. cure wounds" is no case
_ASKS_RULES = re.compile(
    r"^(?:how|can|could|may|must|do|does|when|what happens)\b.*\b(?:i|you|we|my|your|characters?|creatures?|players?)\b"
)
# The words for each kind. An armor class is not a class, nor a skill check a skill, nor a spell slot a spell.
_KIND_NOUNS: Mapping[Kind, str] = {
    Kind.SPELL: r"spells?(?! (?:attack|component|dc|foc|level|list|point|save|saving|scroll|slot))|cantrips?|rituals",
    Kind.CREATURE: r"monsters?|creatures?",
    Kind.MAGIC_ITEM: r"magic(?:al)? items?",
    Kind.CLASS: r"(?<!armor )(?<!armour )(?<!difficulty )class(?:es)?",
    Kind.SUBCLASS: r"subclass(?:es)?|archetypes?",
    Kind.SPECIES: r"races?|species",
    Kind.BACKGROUND: r"backgrounds?",
    Kind.FEAT: r"feats?",
    Kind.FEATURE: r"(?:class )?features?|traits?|invocations?|metamagics?",
    Kind.CONDITION: r"conditions?",
    Kind.SKILL: r"skills?(?! (?:challenge|check|proficienc))",
    Kind.WEAPON_PROPERTY: r"weapon (?:property|properties)|(?:weapon )?(?<!spell )(?:mastery|masteries)(?! feature)",
    Kind.LANGUAGE: r"languages?",
    Kind.RULE: r"rules?",
}
# The words after these describe what is asked for, and may name another kind: "a feat for spell casters".
_THEN = re.compile(r"\b(?:that|who|which|whose|with|when|while|for|to|against|from|by|like|vs|than|not|about|of|in)\b")
_INTERROGATIVE = re.compile(r"^(?:which|who)\b(?: of(?: the)?)?\s*")
_KINDS_OF_MANY = re.compile(rf"\b(?=(?:\w+ )?\w+s\b)(?:{'|'.join(_KIND_NOUNS.values())})\b")
_ASKING_FOR_ALL = frozenset("all available different every exist exists list show there".split())


@lru_cache(maxsize=64)  # one question asks several times
def is_case(search: str) -> bool:
    """Whether a question describes a situation, which rarely names the rule that decides."""
    *before, last = re.split(r"[.!?;,]\s+", search.strip())
    return bool(before) and len(search.split()) >= _MIN_CASE_WORDS and _ASKS_RULING.match(last) is not None


def asks_for_rules(search: str) -> bool:
    """Whether a question asks what somebody may do, and how, which a rule answers best."""
    return is_case(search) or _ASKS_RULES.match(search.casefold()) is not None


@lru_cache(maxsize=64)
def kinds_mentioned(search: str) -> frozenset[Kind]:
    """The kinds in the part of a question before its relative clause: "a feat for archers" is about feats.

    A case is about rules. "Can a creature grapple a giant" is not about creatures.
    """
    if is_case(search):
        return RULING_KINDS
    head = _THEN.split(_INTERROGATIVE.sub("", search.casefold()), maxsplit=1)[0]
    kinds = frozenset(kind for kind, nouns in _KIND_NOUNS.items() if re.search(rf"\b(?:{nouns})\b", head))
    return kinds - {Kind.CREATURE} if asks_for_rules(search) else kinds


def asks_for_all(search: str) -> bool:
    """Whether a question asks for all of some kinds and nothing else: "what conditions are there"."""
    folded = fold(search)
    words, beside = set(folded.split()), set(_KINDS_OF_MANY.sub("", folded).split())
    asks = folded.startswith("what are") or asks_for_list(search)
    return asks and beside < words and beside <= _ASKING_FOR_ALL | COMMON_WORDS


def asks_for_several(search: str) -> bool:
    """Whether a question names a kind in the plural: "ritual divination spells" does not ask for the one Divination."""
    return _KINDS_OF_MANY.search(fold(search)) is not None


def asks_for_list(search: str) -> bool:
    """Whether a question asks for a list of everything that it describes: "which oozes exist", "list all fiends"."""
    return not _ASKING_FOR_ALL.isdisjoint(fold(search).split())


# -- the question


@dataclass(frozen=True)
class Question:
    """A parsed question with corrected spelling, and the texts to embed.

    ``subject`` is the question without its opening words, used for keyword search. ``texts`` has the whole question
    first, then its sentences; none if there is nothing to rank by.
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

    mentions: tuple[Mention, ...] = ()
    has_only_names: bool = False
    may_have_filters: bool = True
    parts: tuple[NamedPart, ...] = ()
    has_only_parts: bool = False

    def with_parts(self, parts: Sequence[NamedPart], *, only: bool) -> QuestionNames:
        """Add the names of parts of records; ``only`` if the question says nothing else."""
        others = [one for one in self.mentions if not any(overlap(one, part.mention) for part in parts)]
        mentions = sorted((*others, *(part.mention for part in parts)), key=lambda mention: mention.start)
        has_only_names = self.has_only_names and not parts
        return QuestionNames(tuple(mentions), has_only_names, self.may_have_filters, tuple(parts), only)


def parse_question(search: str) -> Question:
    """Parse a question."""
    if is_pattern(search) or not fold(search):
        return Question(search, search, ())
    sentences = [part.strip() for part in _SENTENCE_END.split(search) if len(part.split()) > 2]
    texts = dict.fromkeys(map(_to_embed, [search, *(sentences if len(sentences) > 1 else ())]))
    return Question(search, _subject(fold(search)), tuple(texts)[:_MAX_TEXTS])


def find_names(
    search: str, names: Sequence[tuple[NameIndex, Container[str]]], frequency: Callable[[str], int]
) -> QuestionNames:
    """Return the names of matching entries in a question, which may consist of names or have other words, too.

    ``frequency`` is how many passages use a word.
    """
    mentions = _without_facts(find_mentions(search, names, with_verbs=asks_for_rules(search)))
    rest = [word for word in text_without_names(search, mentions).split() if word not in compared_editions(search)]
    if is_case(search) or not _are_all(mentions, rest, search):
        meant = tuple(one for one in mentions if _is_meant(one, search, frequency))
        return QuestionNames(meant, may_have_filters=not is_case(search))
    named = without_owners(mentions)
    if rest:  # a goblin with hit points is not the language
        named = [replace(one, ids=frozenset(filter(_has_facts, one.ids))) for one in named]
    return QuestionNames(
        tuple(named), has_only_names=True, may_have_filters=len(named) == 1 and asks_for_several(search)
    )


def _without_facts(mentions: list[Mention]) -> list[Mention]:
    """The names without those that say what of another one is asked for: "the components of Revivify"."""
    others = [mention for mention in mentions if not _FACTS.issuperset(mention.name.split())]
    return others if any(_WITH_FACTS & mention.kinds for mention in others) else mentions


def _are_all(mentions: Sequence[Mention], rest: Sequence[str], search: str) -> bool:
    """Whether a question asks for nothing but the entries that it names, or for a fact in the head of one.

    "Identify a magic item" does not ask for two entries, nor "reaction spells" for a reaction.
    """
    words, kinds = fold(search).split(), kinds_mentioned(search)
    asks_for_fact = len(mentions) == 1 and _FACTS.issuperset(rest) and bool(_WITH_FACTS & mentions[0].kinds)
    if not mentions or (rest and not asks_for_fact) or not _RELATING.isdisjoint(words):
        return False
    gaps = [words[mention.stop : following.start] for mention, following in pairwise(mentions)]
    is_phrase = any(gap and _DETERMINERS.issuperset(gap) for gap in gaps)
    return not is_phrase and (not kinds or any(mention.kinds & kinds for mention in mentions))


def _has_facts(id_: str) -> bool:
    return id_.partition(":")[0] in _WITH_FACTS


def _is_meant(mention: Mention, search: str, frequency: Callable[[str], int]) -> bool:
    """Whether a name is none by chance: its words are several or rare, or the question for a ruling is about it."""
    if mention.has_several_words or frequency(mention.name) <= _COMMON:
        return True
    if asks_for_things(search):
        return False
    is_subject = mention.start == 1 and fold(search).split()[0] in _AUXILIARIES
    return Kind.CONDITION in mention.kinds or (is_subject and not _WITHOUT_ARTICLE.isdisjoint(mention.kinds))


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
