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
from lorekeeper_mcp.search.names.lexicon import expand_shorthand, stem
from lorekeeper_mcp.search.names.part_names import passages_named
from lorekeeper_mcp.store.query_terms import query_terms
from lorekeeper_mcp.text import fold

if TYPE_CHECKING:  # the tools of a relay import this module, but not the store
    from lorekeeper_mcp.store.cache import PassageCosines, SearchIndex

_WORDS = 0.45  # the weight of the question's words relative to the cosine
_NUMBERED = 0.25  # a table row or feature of a level or number in the question
NAMED_PART = 2.0  # for the passages of a part that the question names: more than any other passage has
_UNEMBEDDED = 0.22  # the cosine of a passage without an embedding, if its record has none either
_WEIGHT_BASE = 1_000_000  # a word in one of a million passages weighs twice as much as one in one of a thousand
_FIRST_CELL = re.compile(r"^\|\s*(\d+(?:st|nd|rd|th)?)\s*\|", re.MULTILINE)
_LEVELS = re.compile(r"Level (\d+(?:, \d+)*): ")  # the heading of a feature
_LEVEL_IN_CLASS = re.compile(rf"\b({'|'.join(SRD_CLASSES)})s? (?:level )?(\d+)\b")


@dataclass(frozen=True)
class QueryWords:
    """The words of a question by their stems, each with its weight, and its numbers.

    ``class_levels`` are the levels of a multiclass character by class: "rogue 5 / fighter 2".
    ``parts`` has the folded name of the part of a record that the question names, by the record's folded name; with
    ``has_only_parts`` it asks for nothing else, so that no other passage answers it.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()
    class_levels: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    has_only_parts: bool = False

    def numbers_for(self, record: Record) -> frozenset[str]:
        """The numbers that matter for a record: the level in that class, elsewhere the sum of a character's levels."""
        if len(self.class_levels) < 2:
            return self.numbers
        if isinstance(record, CharacterClass):
            return frozenset({self.class_levels.get(fold((record.subclass_of or record).name), "")})
        return frozenset({str(sum(map(int, self.class_levels.values())))})


def weigh_words(search: str, frequencies: Mapping[str, int]) -> QueryWords:
    """Weigh the words of a question: rarer words weigh more."""
    weights: dict[str, float] = {}
    for word in query_terms(f"{search} {expand_shorthand(fold(search))}"):
        count = max(1, frequencies.get(word, 1))
        weights[stem(word)] = max(0.1, math.log(_WEIGHT_BASE / count) / math.log(_WEIGHT_BASE))
    return QueryWords(weights, frozenset(filter(str.isdigit, weights)), dict(_LEVEL_IN_CLASS.findall(fold(search))))


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
    of_row = _NUMBERED * (1 + (len(query_words.class_levels) > 1))  # the row of each class says most of the character
    part = query_words.parts.get(fold(record.name), "")
    named = passages_named(passages, part) if part else frozenset()

    def score(passage: Passage) -> float:
        if query_words.has_only_parts and passage.index not in named:
            return -1.0
        words = set(map(stem, fold(f"{' '.join(passage.heading)} {passage.markdown}").split()))
        share = sum(weight for word, weight in weights.items() if word in words) / total
        is_row = passage.kind is PassageKind.TABLE_ROW
        of_number = (of_row if is_row else _NUMBERED) * (not numbers.isdisjoint(_numbers_of(passage)))
        cosine = cosines.get(passage.index, median_cosine)
        return cosine + _WORDS * share + of_number + NAMED_PART * (passage.index in named)

    scored = [ScoredPassage(passage, score(passage)) for passage in passages]
    return tuple(sorted(scored, key=lambda passage: (-passage.score, passage.passage.index)))


def _numbers_of(passage: Passage) -> set[str]:
    """The numbers with which the rows of a table begin, or the levels at which a class gains a feature."""
    if passage.kind is PassageKind.TABLE_ROW:
        return {stem(cell[1].lower()) for cell in _FIRST_CELL.finditer(passage.text)}
    levels = _LEVELS.match(passage.heading[0]) if passage.heading else None
    return set(levels[1].split(", ")) if levels else set()
