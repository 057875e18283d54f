"""What a question asks for: some kinds, all records of a kind, or a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.models.vocabulary import ABILITIES
from lorekeeper_mcp.search.cases import is_case
from lorekeeper_mcp.search.names.name_index import RULING_KINDS
from lorekeeper_mcp.store.query_terms import COMMON_WORDS
from lorekeeper_mcp.text import fold

# The words for each kind. An armor class is not a class, nor a skill check a skill, nor a spell slot a spell.
_KIND_NOUNS: Mapping[Kind, str] = {
    Kind.SPELL: (r"spells?(?! (?:attack|component|dc|foc|level|list|point|save|saving|scroll|slot))|cantrips?|rituals"),
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
_ASKING = re.compile(r"^(?:which|who)\b(?: of(?: the)?)?\s*")
# "Which races get darkvision" asks for races, "which spell level" not for a spell. Languages are in a table.
_IN_WHICH = "|".join(nouns for kind, nouns in _KIND_NOUNS.items() if kind is not Kind.LANGUAGE)
_WHICH = re.compile(
    rf"^(?:which|what) (?:\w+ )??(?P<kind>{_IN_WHICH}) (?:are|can|causes?|could|deals?|do|does|gets?|gives?|grants?|has"
    r"|have|helps?|is|knows?|lets?|lives?|makes?|needs?|requires?|resists?|speaks?|starts?|stops?|uses?|works?|would)\b"
)
_ASKS_RULES = re.compile(
    r"^(?:how|can|could|may|must|do|does|when|what happens)\b.*\b(?:i|you|we|my|your|characters?|creatures?|players?)\b"
)
_WEARS = re.compile(r"^who (?:\w+ ){0,3}(?:wears?|wields?|proficient|trained|training)\b")
_KINDS_OF_MANY = re.compile(rf"\b(?=(?:\w+ )?\w+s\b)(?:{'|'.join(_KIND_NOUNS.values())})\b")
_ASKING_FOR_ALL = frozenset("all available different every exist exists list show there".split())
# What the line of a class says in a list, and the words of questions that compare classes by it.
_CLASS_FACTS = frozenset(
    "d6 d8 d10 d12 dice die hp hit main points primary proficient proficiency save saves saving throw throws".split()
).union(ABILITIES)
_COMPARING = frozenset(
    "ability best biggest compare each greatest highest largest least lowest most same smallest use uses worst".split()
)


def kinds_mentioned(search: str) -> frozenset[Kind]:
    """The kinds in the part of a question before its relative clause: "a feat for archers" is about feats.

    A case is about rules. "Can a creature grapple a giant" is not about creatures.
    """
    if is_case(search):
        return RULING_KINDS
    if _WEARS.match(search.casefold()):  # what armor and weapons somebody can use is a question of class
        return frozenset({Kind.CLASS})
    head = _THEN.split(_without_interrogative(search), maxsplit=1)[0]
    kinds = frozenset(kind for kind, nouns in _KIND_NOUNS.items() if re.search(rf"\b(?:{nouns})\b", head))
    return kinds - {Kind.CREATURE} if asks_for_rules(search) else kinds


def asks_for_all(search: str) -> bool:
    """Whether a question asks for all of some kinds and nothing else: "what conditions are there"."""
    folded = fold(search)
    words = set(folded.split())
    beside = set(_KINDS_OF_MANY.sub("", folded).split())
    asks = folded.startswith("what are") or not _ASKING_FOR_ALL.isdisjoint(words)
    is_for_all = asks and beside < words and beside <= _ASKING_FOR_ALL | COMMON_WORDS
    return is_for_all or _compares_classes(words)


def _compares_classes(words: set[str]) -> bool:
    """Whether a question compares classes by facts in their lines: "which class has the biggest hit die"."""
    other_words = words - {"class", "classes"}
    has_facts = other_words < words and not _CLASS_FACTS.isdisjoint(other_words)
    return has_facts and other_words <= _CLASS_FACTS | _COMPARING | COMMON_WORDS


def asks_for_list(search: str) -> bool:
    """Whether a question asks for a list of everything that it describes: "which oozes exist", "list all fiends"."""
    return not _ASKING_FOR_ALL.isdisjoint(fold(search).split())


def asks_for_rules(search: str) -> bool:
    """Whether a question asks what somebody may do, and how, which a rule answers best."""
    return _ASKS_RULES.match(search.casefold()) is not None


def kinds_wanted(search: str) -> frozenset[Kind]:
    """The kinds that a question asks for: "monsters that petrify". None for rules, which may be of any kind."""
    if _WEARS.match(search.casefold()):
        return frozenset({Kind.CLASS})
    text = _without_interrogative(search)
    if which := _WHICH.match(search.casefold()):
        head = which["kind"]
    else:
        head = _THEN.split(text, maxsplit=1)[0].strip(" .?!")
    if head == text.strip(" .?!") or is_case(search):
        return frozenset()
    named = frozenset(kind for kind, nouns in _KIND_NOUNS.items() if re.search(rf"\b(?:{nouns})$", head))
    return named - {Kind.RULE}


def _without_interrogative(search: str) -> str:
    """The question without the interrogative: "which monsters fly" -> "monsters that fly"."""
    return _ASKING.sub("", search.casefold())
