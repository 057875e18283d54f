"""Cases: questions of several sentences that describe a situation, without naming the rule that decides it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.mentions import CONNECTING_WORDS, EVERYDAY_NAMES, Mention, find_mentions
from lorekeeper_mcp.search.names.name_index import NameIndex
from lorekeeper_mcp.search.names.stems import stem, stems
from lorekeeper_mcp.text import fold

# The kinds of a case's participants: "the fighter is prone" is not a question about fighters.
_ACTORS = frozenset(
    {Kind.CLASS, Kind.SUBCLASS, Kind.SPECIES, Kind.BACKGROUND, Kind.LANGUAGE, Kind.RULE_SET, Kind.SKILL}
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
# A situation and a question about it in one sentence: "my horse is pushed over, do I fall", "enemy is blinded, do I
# hit more". "A wand of light, how much does it cost" and "I need a boat, what is there" are none.
_SITUATION = re.compile(
    r"""(?:(?:if|when|while|someone|he|she|they)[ ]
        |(?:i|we)\ (?!need|want|wish|would)
        |(?:an?|my|our|the)\ \w+\ (?!at|for|from|in|of|on|to|with)
        |\w+\ (?:is|are|was|were|got)\ )
    (?:\S+\ )*?\S+,\ (?:and\ |but\ |so\ )?
    (?:are|can|could|do|does|is|may|must|should|what|who|will|would
        |how\ (?!big|far|fast|high|long|many|much|often))\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MIN_WORDS = 8  # of a case; "healing word vs. cure wounds" is not one
_MAX_TERM_WORDS = 3
# Glossary entries that occur in any story and say nothing about the question.
_OF_ANY_STORY = frozenset({"line", "object", "slow", "travel"})
_NO_TERMS = frozenset(map(stem, EVERYDAY_NAMES | CONNECTING_WORDS | _OF_ANY_STORY))
_ASKS_FOR = re.compile(
    r"(?:which|what) (?!does|happens|is|was|has)(?:\w+ )?(?!is\b|was\b|does\b|has\b)\w+s\b"
    r"|list|show|find|suggest|recommend",
    re.IGNORECASE,
)


def is_case(search: str) -> bool:
    """Whether a question describes a situation instead of asking for entries."""
    sentences = [part for part in _SENTENCE_END.split(search.strip()) if len(part.split()) > 1]
    describes = len(sentences) > 1 or _SITUATION.match(search.strip()) is not None
    return describes and len(search.split()) >= _MIN_WORDS and not _ASKS_FOR.match(sentences[-1])


def case_mentions(search: str, names: Sequence[tuple[NameIndex, Container[str]]]) -> list[Mention]:
    """The names in a case, without its participants, and the rule terms in it in any inflection.

    ``names`` is the same argument as in ``find_mentions``.
    """
    mentions = [
        mention
        for mention in find_mentions(search, names)
        if stem(mention.name) not in _NO_TERMS and not any(_kind(id_) in _ACTORS for id_ in mention.ids)
    ]
    # "An invisible stalker" names a creature; the question may still be about its condition, "invisible".
    taken = [mention for mention in mentions if any(_kind(id_) is not Kind.CREATURE for id_ in mention.ids)]
    return sorted([*mentions, *_terms(search, names, taken)], key=lambda mention: mention.start)


def _terms(
    search: str, names: Sequence[tuple[NameIndex, Container[str]]], taken: Sequence[Mention]
) -> Iterator[Mention]:
    words = fold(search).split()
    taken = list(taken)
    mentioned: set[str] = set()
    for length in range(min(_MAX_TERM_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            stop = start + length
            stemmed = stems(" ".join(words[start:stop]))
            if stemmed in _NO_TERMS or any(start < other.stop and other.start < stop for other in taken):
                continue
            ids = frozenset(id_ for index, allowed in names for id_ in index.terms.get(stemmed, ()) if id_ in allowed)
            if ids and not ids <= mentioned:
                mentioned |= ids
                taken.append(mention := Mention(" ".join(words[start:stop]), start, stop, ids))
                yield mention


def _kind(id_: str) -> Kind:
    return Kind(id_.partition(":")[0])
