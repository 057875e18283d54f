"""Scores from signals: names first, then meaning and words combined."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.name_index import RULING_KINDS
from lorekeeper_mcp.search.names.name_match import NameMatch
from lorekeeper_mcp.search.ranking_weights import (
    CERTAIN_COSINE,
    CERTAIN_COSINE_IF_UNKNOWN,
    KNOWN_SHARE,
    MAX_FUZZY_SCORE,
    MAX_OTHER_SCORE,
    MIN_NAME_SCORE,
    PARTIAL_NAME_SCORE,
    RELATED_COSINE,
    RELATED_COSINE_IF_UNKNOWN,
    RELATED_KEYWORD_SHARE,
    WEIGHTS,
    RankingWeights,
)
from lorekeeper_mcp.store.catalog import Entry


@dataclass(frozen=True)
class Signals:
    """The signals of records by id: cosines, BM25 scores, names.

    ``passages`` and ``passage_words`` are those of each record's best passage. ``mentioned`` is how likely the question
    means the record's name, from 0 to 1. ``are_equal`` if the question does not
    distinguish its matches, ``asks_for_rules`` if it asks what somebody may do.
    """

    named: NameMatch
    cosines: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    passages: Mapping[str, float] = field(default_factory=dict)
    passage_words: Mapping[str, float] = field(default_factory=dict)
    mentioned: Mapping[str, float] = field(default_factory=dict)
    without_vector: frozenset[str] = frozenset()
    preferred: frozenset[str] = frozenset()
    are_equal: bool = False
    asks_for_rules: bool = False


def score_entries(
    signals: Signals, entries: Mapping[str, Entry], weights: RankingWeights = WEIGHTS
) -> dict[str, float]:
    """Return a score in [0, 1] for each of the entries that has a signal."""
    highest = weights.highest
    by_content = {  # a share of the highest score, between 0 and 1
        id_: MAX_OTHER_SCORE * (score / highest if 0.0 < score < highest else float(score > 0.0))
        for id_, score in _content_scores(signals, entries, weights).items()
    }
    return by_content | _name_scores(signals.named, entries, weights)


def _content_scores(signals: Signals, entries: Mapping[str, Entry], weights: RankingWeights) -> dict[str, float]:
    """The sums of weighted signals, without names."""
    top_words = max(signals.words.values(), default=0.0) or 1.0
    top_passage_words = max(signals.passage_words.values(), default=0.0) or 1.0
    median_cosine = statistics.median(signals.cosines.values()) if signals.cosines and signals.without_vector else 0.0
    # Records found by words alone get less than the lowest cosine. Fetching their own cosines would double the time for
    # no gain.
    cosine_if_unknown = weights.words_only * min(signals.cosines.values(), default=0.0)
    srd = weights.srd_among_equals if signals.are_equal else weights.srd
    mundane = weights.mundane_among_equals if signals.are_equal else 0.0

    @cache
    def book_and_kind(document_key: str, kind: Kind) -> float:
        """The bonus of a record's book and kind."""
        score = weights.ruling * (signals.asks_for_rules and kind in RULING_KINDS)
        score += mundane * (kind is not Kind.MAGIC_ITEM)
        return score + srd * document_key.startswith("srd") - weights.feature * (kind is Kind.FEATURE)

    # All matches of a question that consists of filters are ranked, without other signals by their book and kind.
    sums = {id_: book_and_kind(e.document_key, e.kind) for id_, e in entries.items()} if signals.are_equal else {}
    signaled = {*signals.cosines, *signals.words, *signals.passages, *signals.passage_words}
    signaled |= {*signals.mentioned, *signals.preferred, *signals.without_vector}
    for id_ in signaled:
        if (entry := entries.get(id_)) is not None:
            cosine = median_cosine if id_ in signals.without_vector else signals.cosines.get(id_, cosine_if_unknown)
            nearest = max(cosine, signals.passages.get(id_, 0.0))
            score = max(0.0, (1 - weights.passage) * cosine + weights.passage * nearest)
            score += weights.words * signals.words.get(id_, 0.0) / top_words
            score += weights.passage_words * signals.passage_words.get(id_, 0.0) / top_passage_words
            score += weights.preferred * (id_ in signals.preferred)
            score += weights.mentioned * signals.mentioned.get(id_, 0.0)
            is_meant = id_ in signals.mentioned or id_ in signals.preferred
            score += weights.feature * (entry.kind is Kind.FEATURE and is_meant)
            sums[id_] = score + book_and_kind(entry.document_key, entry.kind)
    return sums


def _name_scores(named: NameMatch, entries: Mapping[str, Entry], weights: RankingWeights) -> dict[str, float]:
    """The scores of records whose name is the question or nearly so, above those of all others."""
    by_name: dict[str, float] = {}
    for id_, similarity in named.fuzzy.items():
        if (entry := entries.get(id_)) is not None:
            share = min(1.0, similarity + weights.srd_among_names * entry.document_key.startswith("srd"))
            by_name[id_] = MIN_NAME_SCORE + (MAX_FUZZY_SCORE - MIN_NAME_SCORE) * share
    exact_score = PARTIAL_NAME_SCORE if named.kind_word_ignored else 1.0
    return by_name | {id_: exact_score for id_ in named.exact if id_ in entries}


class Relevance(IntEnum):
    """How many records relate to a question: none, a few, or plenty."""

    NONE = 0
    WEAK = 1
    STRONG = 2


def rate_relevance(signals: Signals, nearest: float, known_share: float) -> Relevance:
    """Rate a question for a family by names, by its nearest record's cosine, and by its words.

    ``nearest`` is over the whole family, whatever the filters, since these do not change what a question is about.
    ``known_share`` is the share of the question's significant words that occur anywhere in the family.
    """
    if signals.named.exact or signals.named.fuzzy:
        return Relevance.STRONG
    if not signals.cosines:  # without a model there are only words
        return Relevance.STRONG if signals.words else Relevance.NONE
    if nearest >= (CERTAIN_COSINE if known_share == 1 else CERTAIN_COSINE_IF_UNKNOWN):
        return Relevance.STRONG
    if (
        nearest >= (RELATED_COSINE if known_share >= 0.5 else RELATED_COSINE_IF_UNKNOWN)
        or signals.words.keys() & signals.without_vector
    ):
        return Relevance.WEAK
    return Relevance.NONE


def weakly_relevant_ids(signals: Signals, known_share: float) -> frozenset[str]:
    """The ids of records related to a weakly matching question, and of records without a vector that match by keyword.

    If most words of the question are known, records that have most of these are related, too.
    """
    related_ids = {id_ for id_, cosine in signals.cosines.items() if cosine >= RELATED_COSINE}
    min_keyword_score = RELATED_KEYWORD_SHARE * max(signals.words.values(), default=0.0)
    related_ids |= {
        id_ for id_, score in signals.words.items() if known_share >= KNOWN_SHARE and score >= min_keyword_score
    }
    return frozenset(related_ids | (signals.words.keys() & signals.without_vector))
