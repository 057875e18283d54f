"""Scores of a family's records: names first, then meaning and words combined; and of a record's passages."""

from __future__ import annotations

import asyncio
import math
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from lorekeeper_mcp.answer import ScoredPassage
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.filters.record_filter import RecordFilter
from lorekeeper_mcp.models import CharacterClass, Edition, Family, Kind, Record, Source, family_of
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.passages import Passage, PassageKind, passages_of
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.family_index import FamilyIndex
from lorekeeper_mcp.search.grammar import ParsedQuery
from lorekeeper_mcp.search.names.lexicon import expand_shorthand, stem
from lorekeeper_mcp.search.names.name_index import RULING_KINDS, NameMatch
from lorekeeper_mcp.search.names.part_names import passages_named
from lorekeeper_mcp.store.catalog import Entry
from lorekeeper_mcp.store.query_terms import query_terms
from lorekeeper_mcp.text import fold

if TYPE_CHECKING:  # the tools of a relay import this module, but not the store
    from lorekeeper_mcp.store.cache import PassageCosines, SearchIndex

# An exact name scores 1, a close one above 0.9, everything else less; scores decrease down the list.
MIN_NAME_SCORE, MAX_OTHER_SCORE = 0.9, 0.88
MAX_FUZZY_SCORE = 0.998  # the highest score of a close name
# A record below the first bound has nothing to do with the question. If one is above the second, the question is about
# the game. Questions with words that no record has need more, since they reach the first by chance.
RELATED_COSINE, RELATED_COSINE_IF_UNKNOWN = 0.24, 0.45
CERTAIN_COSINE, CERTAIN_COSINE_IF_UNKNOWN = 0.42, 0.55
RELATED_KEYWORD_SHARE = 0.5  # of the best keyword score: a record with a larger share is near, too
KNOWN_SHARE = 0.75  # of a question's words that some record has: below it, records are near by their meaning alone
# How many candidates a search retrieves by meaning, and as many by keyword. It ranks their union; further matches of
# its filters follow in a fixed order.
NEAREST = 80
_PASSAGES = 60  # passages by keyword whose records become candidates
_OTHER_TEXTS = 0.95  # the weight of a part of the question relative to the whole question

# Keyword hits of a family: records, and passages with their record and position, each with its BM25 score.
WordHits: TypeAlias = tuple[Sequence[tuple[str, float]], Sequence[tuple[str, int, float]]]


@dataclass(frozen=True)
class RankingWeights:
    """The weight of each signal relative to the record's cosine.

    In brackets nDCG@10 on the tuned, untouched and unseen questions of ``benchmarks/retrieval`` without it; with all of
    them 0.884, 0.848 and 0.821. Those without figures were not measured alone.
    """

    passage: float = 0.85  # the share of the best passage's cosine in relevance (0.805, 0.805, 0.808)
    words: float = 0.2  # BM25 of the record (0.849, 0.825, 0.756)
    passage_words: float = 0.1  # BM25 of its best passage
    preferred: float = 0.25  # it matches the type, class, rarity ... that the question names (0.854, 0.826, 0.815)
    mentioned: float = 0.15  # its name is in the question (0.881, 0.850, 0.827; one of 303 first answers)
    ruling: float = 0.1  # it is a rule, and the question asks what somebody may do
    srd: float = 0.1  # (0.873, 0.834, 0.829)
    feature: float = 0.03  # the penalty of a feature that the question neither names nor asks for: its class is meant
    srd_among_names: float = 0.02  # less than one typing error
    srd_among_equals: float = 0.5  # if the question consists of filters alone
    mundane_among_equals: float = 0.2  # "weapons with reach": the weapons before the magic items made of them
    words_only: float = 0.75  # of the lowest cosine: a record found by words alone ranks below those found by meaning

    @property
    def highest(self) -> float:
        """The highest possible score of a record."""
        return 1 + self.words + self.passage_words + self.preferred + self.mentioned + self.ruling + self.srd


WEIGHTS = RankingWeights()


@dataclass(frozen=True)
class FamilySearch:
    """The search of one family: the question as it is read for it, and the entries that match all filters.

    ``frequencies`` is how many of the family's passages contain each word of the question. ``mentioned`` has the weight
    of each record whose name occurs in the question, ``kinds`` the kinds that it mentions. ``are_equal`` if it does not
    distinguish its matches, ``asks_for_rules`` if it asks what somebody may do.
    """

    query: FamilyQuery
    index: FamilyIndex
    filter: RecordFilter
    entries: Mapping[str, Entry]
    frequencies: Mapping[str, int] = field(default_factory=dict)
    match: NameMatch = field(default_factory=NameMatch)
    parsed: ParsedQuery = field(default_factory=ParsedQuery)
    kinds: frozenset[Kind] = frozenset()
    mentioned: Mapping[str, float] = field(default_factory=dict)
    are_equal: bool = False
    asks_for_rules: bool = False

    @property
    def known_share(self) -> float:
        """The share of the question's words that the family's passages have."""
        return sum(map(bool, self.frequencies.values())) / max(1, len(self.frequencies))


@dataclass(frozen=True)
class Signals:
    """The signals of records by id: cosines and BM25 scores.

    ``passages`` and ``passage_words`` are those of each record's best passage; ``preferred`` match the boosts.
    """

    cosines: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    passages: Mapping[str, float] = field(default_factory=dict)
    passage_words: Mapping[str, float] = field(default_factory=dict)
    without_vector: frozenset[str] = frozenset()
    preferred: frozenset[str] = frozenset()


async def gather_signals(
    index: SearchIndex, family: FamilySearch, words: WordHits, vectors: Sequence[Vector]
) -> Signals:
    """Return the best candidates by words and by meaning, and the cosines of their passages."""
    entries = family.entries
    cosines, boosted = await _search_vectors(index, family, vectors)
    by_words = dict(_top_hits((hit for hit in words[0] if hit[0] in entries), NEAREST))
    passage_hits = ((id_, score) for id_, _, score in words[1] if id_ in entries)
    by_passage_words = dict(reversed(_top_hits(passage_hits, _PASSAGES)))  # each record's best passage
    ids = {*cosines, *by_words, *by_passage_words, *family.mentioned} & entries.keys()
    of_passages: Mapping[str, Mapping[int, float]] = {}
    if vectors and ids:
        # A cosine with a shorter vector is proportionally lower.
        weighted = [vectors[0], *([_OTHER_TEXTS * number for number in vector] for vector in vectors[1:])]
        of_passages = await index.passage_cosines(family.query.family, weighted, ids)
    return Signals(
        cosines,
        by_words,
        {id_: max(of_record.values(), default=-1.0) for id_, of_record in of_passages.items()},
        by_passage_words,
        frozenset(id_ for id_ in ids if not entries[id_].has_vector),
        boosted | {id_ for id_ in ids if entries[id_].kind in family.kinds},
    )


def _top_hits(hits: Iterable[tuple[str, float]], count: int) -> list[tuple[str, float]]:
    """The first hits by score, and those that score as much as the last of them, since editions of one text tie."""
    ordered = list(hits)
    min_score = ordered[count - 1][1] if len(ordered) > count else -math.inf
    return [hit for hit in ordered if hit[1] >= min_score]


async def _search_vectors(
    index: SearchIndex, family: FamilySearch, vectors: Sequence[Vector]
) -> tuple[dict[str, float], frozenset[str]]:
    """Cosines of the nearest matches, best first, and the ids among them that match the boosts."""
    if not vectors or not family.entries:
        return {}, frozenset()
    searches = [index.nearest(family.filter, vector, NEAREST) for vector in vectors]
    if boosts := family.parsed.boosts:
        searches.append(index.nearest(family.filter.and_also(boosts), vectors[0], NEAREST))
    hits = await asyncio.gather(*searches)
    boosted = dict(hits[-1]) if boosts else {}
    cosines = dict(boosted)
    for number, of_vector in enumerate(hits[: len(vectors)]):
        for id_, cosine in of_vector:
            cosines[id_] = max(cosines.get(id_, -1.0), cosine if number == 0 else _OTHER_TEXTS * cosine)
    # The index may have a record that was stored after the candidates were selected.
    stored = ((id_, cosine) for id_, cosine in cosines.items() if id_ in family.entries)
    return dict(sorted(stored, key=lambda hit: (-hit[1], hit[0]))), frozenset(boosted)


# -- scores


def score_entries(family: FamilySearch, signals: Signals, weights: RankingWeights = WEIGHTS) -> dict[str, float]:
    """Return a score in [0, 1] for each of the entries that has a signal."""
    highest = weights.highest
    by_content = {  # a share of the highest score, between 0 and 1
        id_: MAX_OTHER_SCORE * (score / highest if 0.0 < score < highest else float(score > 0.0))
        for id_, score in _content_scores(family, signals, weights).items()
    }
    match, entries = family.match, family.entries
    by_name: dict[str, float] = {}
    for id_, similarity in match.fuzzy.items():
        if (entry := entries.get(id_)) is not None:
            share = min(1.0, similarity + weights.srd_among_names * entry.document_key.startswith("srd"))
            by_name[id_] = MIN_NAME_SCORE + (MAX_FUZZY_SCORE - MIN_NAME_SCORE) * share
    return by_content | by_name | {id_: 1.0 for id_ in match.exact if id_ in entries}


def _content_scores(family: FamilySearch, signals: Signals, weights: RankingWeights) -> dict[str, float]:
    """The sums of weighted signals, without names."""
    entries, mentioned = family.entries, family.mentioned
    top_words = max(signals.words.values(), default=0.0) or 1.0
    top_passage_words = max(signals.passage_words.values(), default=0.0) or 1.0
    median_cosine = statistics.median(signals.cosines.values()) if signals.cosines and signals.without_vector else 0.0
    # Records found by words alone get less than the lowest cosine. Fetching their own cosines would double the time for
    # no gain.
    cosine_if_unknown = weights.words_only * min(signals.cosines.values(), default=0.0)

    @cache
    def book_and_kind(document_key: str, source: Source, kind: Kind) -> float:
        """The bonus of a record's book and kind."""
        score = weights.ruling * (family.asks_for_rules and kind in RULING_KINDS)
        score += weights.mundane_among_equals * (family.are_equal and kind is not Kind.MAGIC_ITEM)
        srd = weights.srd_among_equals if family.are_equal else weights.srd
        is_own = document_key.startswith("srd") or source is Source.HOMEBREW  # who imports a book wants it found
        return score + srd * is_own - weights.feature * (kind is Kind.FEATURE)

    # All matches of a question that consists of filters are ranked, without other signals by their book and kind.
    sums = (
        {id_: book_and_kind(e.document_key, e.source, e.kind) for id_, e in entries.items()} if family.are_equal else {}
    )
    signaled = {*signals.cosines, *signals.words, *signals.passages, *signals.passage_words}
    for id_ in signaled | {*mentioned, *signals.preferred, *signals.without_vector}:
        if (entry := entries.get(id_)) is not None:
            cosine = median_cosine if id_ in signals.without_vector else signals.cosines.get(id_, cosine_if_unknown)
            nearest = max(cosine, signals.passages.get(id_, 0.0))
            score = max(0.0, (1 - weights.passage) * cosine + weights.passage * nearest)
            score += weights.words * signals.words.get(id_, 0.0) / top_words
            score += weights.passage_words * signals.passage_words.get(id_, 0.0) / top_passage_words
            score += weights.preferred * (id_ in signals.preferred)
            score += weights.mentioned * mentioned.get(id_, 0.0)
            is_meant = id_ in mentioned or id_ in signals.preferred
            score += weights.feature * (entry.kind is Kind.FEATURE and is_meant)
            sums[id_] = score + book_and_kind(entry.document_key, entry.source, entry.kind)
    return sums


# -- how much has to do with the question


def related_ids(family: FamilySearch, signals: Signals) -> frozenset[str] | None:
    """The ids of the records that have to do with a question; None if it is about this family as a whole.

    These are near by their meaning or, if most words of the question are known, by most of these. A record that has no
    vector yet is near by any of them.
    """
    known = family.known_share
    is_named = family.match.exact or family.match.fuzzy or family.mentioned
    if is_named or family.parsed.has_filters:
        return None
    if not signals.cosines:  # without a model there are only words
        return None if signals.words else frozenset()
    nearest = max(signals.cosines.values())
    if nearest >= (CERTAIN_COSINE if known == 1 else CERTAIN_COSINE_IF_UNKNOWN):
        return None
    waiting = frozenset(signals.words.keys() & signals.without_vector)
    if nearest < (RELATED_COSINE if known >= 0.5 else RELATED_COSINE_IF_UNKNOWN):
        return waiting
    min_words = RELATED_KEYWORD_SHARE * max(signals.words.values(), default=0.0) if known >= KNOWN_SHARE else math.inf
    near = {id_ for id_, cosine in signals.cosines.items() if cosine >= RELATED_COSINE}
    return waiting | near | {id_ for id_, score in signals.words.items() if score >= min_words}


# -- passages of a record

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
