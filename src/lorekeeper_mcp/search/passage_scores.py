"""Scores of a record's passages for a question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorekeeper_mcp.answer import ScoredPassage
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import CharacterClass, Edition, Family, Record, family_of
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.passages import Passage, PassageKind, passages_of
from lorekeeper_mcp.search.names.lexicon import expand_shorthand
from lorekeeper_mcp.search.names.part_names import passages_named
from lorekeeper_mcp.search.names.stems import stem
from lorekeeper_mcp.store.query_terms import query_terms
from lorekeeper_mcp.text import fold

if TYPE_CHECKING:  # the tools of a relay import this module, but not the store
    from lorekeeper_mcp.store.cache import PassageCosines, SearchIndex

_WORDS = 0.45  # the weight of the question's words relative to the cosine
_NUMBERED = 0.25  # a table row or feature of a level or number in the question, or a number that it asks for
NAMED_PART = 2.0  # for the passages of a part that the question names: more than any other passage has
_NUMBER_LABELS = frozenset({"ac", "cr", "hp", "xp"})  # only a line of facts states them
_UNEMBEDDED = 0.22  # the cosine of a passage without an embedding, if its record has none either
_WEIGHT_BASE = 1_000_000  # a word in one of a million passages weighs twice as much as one in one of a thousand
_FIRST_CELL = re.compile(r"^\|\s*(\d+(?:st|nd|rd|th)?)\s*\|", re.MULTILINE)
_LEVELS = re.compile(r"Level (\d+(?:, \d+)*): ")  # the heading of a feature
_CLASS = "|".join(("artificer", *SRD_CLASSES))
_AT_LEVEL = r"level (\d+)|(\d+)(?:st|nd|rd|th) level|(\d+) levels? (?:of|in)"
_CLASS_LEVEL = re.compile(rf"\b({_CLASS})s? (?:level )?(\d+)\b|\b(?:{_AT_LEVEL}) ({_CLASS})\b")
# How much a level of a class counts for the spell slots of a multiclass character.
_CASTING = dict.fromkeys(("bard", "cleric", "druid", "sorcerer", "wizard"), 1.0) | dict.fromkeys(
    ("paladin", "ranger"), 0.5
)
_SPELL_STEMS = frozenset({stem("slots"), stem("spells")})
# Labels of fact lines, headings and heads of tables, with the words that people use for them.
_LABELS: Mapping[str, str] = {
    "ac": "armor class",
    "hp": "hit points",
    "hit": "hp die start",
    "cr": "challenge rating",
    "xp": "experience",
    "str": "strength strong",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence intelligent smart",
    "wis": "wisdom wise",
    "cha": "charisma",
    "cost": "price gold buy",
    "weight": "weigh heavy pounds",
    "speed": "fast",
    "classes": "class list",
    "casting": "cast",
    "components": "component material cost price",
    "duration": "long last",
    "range": "far",
    "area": "big large wide radius size",
    "languages": "speak talk",
    "environments": "live found",
    "prerequisite": "need require",
    "primary": "main multiclass multiclassing need require",
    "saving": "proficient",
    "proficiencies": "use wear wield",
    "immunities": "immune immunity hurt harm damage work affect",
    "resistances": "resistant resistance hurt harm",
    "vulnerabilities": "vulnerable vulnerability weakness weak hurt",
}


@dataclass(frozen=True)
class QueryWords:
    """The words of a question by their stems, each with its weight, and its numbers.

    ``class_levels`` are the levels of a multiclass character: "rogue 5 / fighter 2". ``parts`` has the folded name of
    the part of a record that the question names, by the record's folded name; with ``has_only_parts`` it asks for
    nothing else, so that no other passage answers it.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()
    class_levels: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    has_only_parts: bool = False

    def numbers_for(self, record: Record) -> frozenset[str]:
        """The numbers that matter for a record: the level in that class, or the sum of a character's levels.

        For a question about spells it is the sum that counts for spell slots, which editions round differently.
        """
        if not self.class_levels:
            return self.numbers
        if isinstance(record, CharacterClass):
            return frozenset(self.class_levels.get(fold((record.subclass_of or record).name), "").split())
        shares = _CASTING if not _SPELL_STEMS.isdisjoint(self.weights) else dict.fromkeys(self.class_levels, 1.0)
        total = sum(int(level) * shares.get(name, 0.0) for name, level in self.class_levels.items())
        rounded = math.ceil(total) if Edition.E2024 in record.editions else math.floor(total)
        return self.numbers.difference(self.class_levels.values()) | {str(rounded)}


def weigh_words(search: str, frequencies: Mapping[str, int]) -> QueryWords:
    """Weigh the words of a question: rarer words weigh more."""
    weights: dict[str, float] = {}
    for word in query_terms(f"{search} {expand_shorthand(fold(search))}"):
        count = max(1, frequencies.get(word, 1))
        weights[stem(word)] = max(0.1, math.log(_WEIGHT_BASE / count) / math.log(_WEIGHT_BASE))
    numbers = frozenset(word for word in weights if word.isdigit())
    levels = dict(map(_class_and_level, _CLASS_LEVEL.finditer(fold(search))))
    return QueryWords(weights, numbers, levels if len(levels) > 1 else {})


def _class_and_level(match: re.Match[str]) -> tuple[str, str]:
    return match[1] or match[6], match[2] or match[3] or match[4] or match[5]


async def passage_cosines(index: SearchIndex, records: Iterable[Record], vectors: Sequence[Vector]) -> PassageCosines:
    """The cosine of each passage of some records with the nearest of a question's texts."""
    ids: dict[Family, list[str]] = {}
    for record in records:
        ids.setdefault(family_of(record.kind), []).append(record.id)
    cosines: PassageCosines = {}
    for family, of_family in ids.items() if vectors else ():
        cosines |= await index.passage_cosines(family, vectors, of_family)
    return cosines


def score_passages(
    record: Record, edition: Edition | None, cosines: Mapping[int, float], query_words: QueryWords
) -> tuple[ScoredPassage, ...]:
    """Score the passages of a record, best first, by meaning and by the question's words beyond the record's name."""
    name = {stem(word) for word in fold(record.name).split()}
    weights = {word: weight for word, weight in query_words.weights.items() if word not in name}
    total = sum(weights.values()) or 1.0
    median_cosine = sorted(cosines.values())[len(cosines) // 2] if cosines else _UNEMBEDDED
    has_srd_text = any(text.edition != Edition.A5E for text in record.texts)
    passages = [
        passage
        for passage in passages_of(record, edition)  # A5E is another game based on the rules
        if edition is not None or passage.edition != Edition.A5E or not has_srd_text
    ]
    numbers = query_words.numbers_for(record)
    part = query_words.parts.get(fold(record.name), "")
    named = passages_named(passages, part) if part else frozenset()

    def score(passage: Passage) -> float:
        if query_words.has_only_parts and passage.index not in named:
            return -1.0
        words = _stems_of(passage)
        share = sum(weight for word, weight in weights.items() if word in words) / total
        states_fact = passage.kind is PassageKind.FACTS and not _NUMBER_LABELS.isdisjoint(words & weights.keys())
        of_number = _NUMBERED * (states_fact or not numbers.isdisjoint(_numbers_of(passage)))
        if query_words.class_levels and passage.kind is PassageKind.TABLE_ROW:
            of_number *= 2  # for a multiclass character, the row of each class says most
        return (
            cosines.get(passage.index, median_cosine)
            + _WORDS * share
            + of_number
            + NAMED_PART * (passage.index in named)
        )

    scored = [ScoredPassage(passage, score(passage)) for passage in passages]
    return tuple(sorted(scored, key=lambda passage: (-passage.score, passage.passage.index)))


def _stems_of(passage: Passage) -> set[str]:
    heading, text = fold(" ".join(passage.heading)).split(), fold(passage.markdown).split()
    labels = text if passage.kind is PassageKind.FACTS else [*heading, *fold(passage.head).split()]
    words = [*heading, *text, *(other for label in labels for other in _LABELS.get(label, "").split())]
    return set(map(stem, words))


def _numbers_of(passage: Passage) -> set[str]:
    """The numbers with which the rows of a table begin, or the levels at which a class gains a feature."""
    if passage.kind is PassageKind.TABLE_ROW:
        return {stem(cell[1].lower()) for cell in _FIRST_CELL.finditer(passage.text)}
    levels = _LEVELS.match(passage.heading[0]) if passage.heading else None
    return set(levels[1].split(", ")) if levels else set()
