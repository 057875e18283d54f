"""How much of the stored data is related to a question."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.grammar import ParsedQuery
from lorekeeper_mcp.search.names.name_match import NameMatch
from lorekeeper_mcp.search.scoring import (
    Reading,
    Relevance,
    Signals,
    rate_relevance,
    score_entries,
    weakly_relevant_ids,
)
from tests.search.entries import by_id, entry


def reading(exact: frozenset[str] = frozenset(), **match: Any) -> Reading:
    return Reading(NameMatch(exact, **match), ParsedQuery())


@pytest.mark.parametrize(
    ("nearest", "known_words", "how"),
    [
        (0.6, 1.0, Relevance.STRONG),
        (0.6, 0.0, Relevance.STRONG),
        (0.39, 1.0, Relevance.WEAK),
        (0.5, 0.5, Relevance.WEAK),
        (0.2, 1.0, Relevance.NONE),
        (0.39, 0.0, Relevance.NONE),  # gibberish comes as near as that
    ],
)
def test_relevance_depends_on_the_nearest_record_and_known_words(
    nearest: float, known_words: float, how: Relevance
) -> None:
    assert rate_relevance(Signals(reading(), {"a": nearest}), nearest, known_words) is how


def test_a_name_match_is_relevant_for_any_cosine() -> None:
    assert rate_relevance(Signals(reading(frozenset({"a"})), {"b": 0.0}), 0.0, 0.0) is Relevance.STRONG


def test_without_a_model_keywords_rank() -> None:
    assert rate_relevance(Signals(reading(), words={"a": 3.0}), 0.0, 1.0) is Relevance.STRONG
    assert rate_relevance(Signals(reading()), 0.0, 0.0) is Relevance.NONE


def test_a_record_without_an_embedding_is_found_by_keywords() -> None:
    waiting = Signals(reading(), {"a": 0.1}, {"b": 2.0}, without_vector=frozenset({"b"}))
    assert rate_relevance(waiting, 0.1, 0.5) is Relevance.WEAK
    assert weakly_relevant_ids(waiting, 0.5) == {"b"}


def test_a_distant_record_with_few_shared_words_is_irrelevant() -> None:
    evidence = Signals(reading(), {"near": 0.4, "far": 0.1}, {"far": 1.0, "alike": 4.0})
    assert weakly_relevant_ids(evidence, 1.0) == weakly_relevant_ids(evidence, 0.8) == {"near", "alike"}
    assert weakly_relevant_ids(evidence, 0.5) == {"near"}


def test_a_name_with_a_kind_word_ranks_below_an_exact_name() -> None:
    gleam, gleam_spell = entry("Gleam"), entry("Gleam Spell")
    entries = by_id([gleam, gleam_spell])
    barely = score_entries(Signals(reading(frozenset({gleam.id}), kind_word_ignored=True)), entries)
    exactly = score_entries(Signals(reading(frozenset({gleam_spell.id}))), entries)
    close = score_entries(Signals(reading(fuzzy={gleam.id: 0.99})), entries)
    assert close[gleam.id] <= barely[gleam.id] < exactly[gleam_spell.id] == 1


def test_a_feature_ranks_below_its_class_unless_features_are_wanted() -> None:
    rogue, strike = entry("Rogue", kind=Kind.CLASS), entry("Backstab", kind=Kind.FEATURE)
    entries = by_id([rogue, strike])
    cosines = {rogue.id: 0.5, strike.id: 0.51}
    plain = score_entries(Signals(reading(), cosines), entries)
    assert plain[rogue.id] > plain[strike.id]
    preferred = score_entries(Signals(reading(), cosines, preferred=frozenset({strike.id})), entries)
    assert preferred[strike.id] > preferred[rogue.id]


def test_a_phrase_of_a_record_counts_more_than_the_mean_of_its_whole_text() -> None:
    long, short = entry("Long"), entry("Short")
    entries = by_id([long, short])
    signals = Signals(reading(), {long.id: 0.3, short.id: 0.4}, passages={long.id: 0.7, short.id: 0.4})
    assert score_entries(signals, entries)[long.id] > score_entries(signals, entries)[short.id]
