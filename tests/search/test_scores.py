"""How much of the stored data is related to a question."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Kind
from lorekeeper_mcp.search.names.name_match import NameMatch
from lorekeeper_mcp.search.scores import Relevance, Signals, relevance, scores, weakly_relevant
from tests.search.entries import entry


@pytest.mark.parametrize(
    ("nearest", "known", "how"),
    [
        (0.6, 1.0, Relevance.STRONG),
        (0.6, 0.0, Relevance.STRONG),
        (0.39, 1.0, Relevance.WEAK),
        (0.5, 0.5, Relevance.WEAK),
        (0.2, 1.0, Relevance.NONE),
        (0.39, 0.0, Relevance.NONE),  # gibberish comes as near as that
    ],
)
def test_nearness_rests_on_the_nearest_record_and_on_known_words(nearest: float, known: float, how: Relevance) -> None:
    assert relevance(Signals(NameMatch(), {"a": nearest}), nearest, known) is how


def test_a_name_has_to_do_with_the_question_whatever_the_vectors_say() -> None:
    assert relevance(Signals(NameMatch(frozenset({"a"})), {"b": 0.0}), 0.0, 0.0) is Relevance.STRONG


def test_without_a_model_words_decide() -> None:
    assert relevance(Signals(NameMatch(), words={"a": 3.0}), 0.0, 1.0) is Relevance.STRONG
    assert relevance(Signals(NameMatch()), 0.0, 0.0) is Relevance.NONE


def test_what_has_no_embedding_yet_is_kept_where_words_find_it() -> None:
    waiting = Signals(NameMatch(), {"a": 0.1}, {"b": 2.0}, without_vector=frozenset({"b"}))
    assert relevance(waiting, 0.1, 0.5) is Relevance.WEAK
    assert weakly_relevant(waiting, 0.5) == {"b"}


def test_what_is_far_and_shares_few_words_is_not_near() -> None:
    evidence = Signals(NameMatch(), {"near": 0.4, "far": 0.1}, {"far": 1.0, "alike": 4.0})
    assert weakly_relevant(evidence, 1.0) == {"near", "alike"}
    assert weakly_relevant(evidence, 0.5) == {"near"}


def test_a_name_with_the_word_for_its_kind_stands_behind_a_name_as_it_is() -> None:
    one, other = entry("Gleam"), entry("Gleam Spell")
    found = {one.id: one, other.id: other}
    barely = scores(Signals(NameMatch(frozenset({one.id}), kind_word_ignored=True)), found)
    exactly = scores(Signals(NameMatch(frozenset({other.id}))), found)
    close = scores(Signals(NameMatch(fuzzy={one.id: 0.99})), found)
    assert close[one.id] <= barely[one.id] < exactly[other.id] == 1


def test_a_feature_stands_behind_its_class_unless_the_question_asks_for_features() -> None:
    rogue, strike = entry("Rogue", kind=Kind.CLASS), entry("Backstab", kind=Kind.FEATURE)
    found = {rogue.id: rogue, strike.id: strike}
    near = {rogue.id: 0.5, strike.id: 0.51}
    plain = scores(Signals(NameMatch(), near), found)
    assert plain[rogue.id] > plain[strike.id]
    asked = scores(Signals(NameMatch(), near, preferred=frozenset({strike.id})), found)
    assert asked[strike.id] > asked[rogue.id]


def test_a_phrase_of_a_record_counts_more_than_the_mean_of_its_whole_text() -> None:
    long, short = entry("Long"), entry("Short")
    found = {long.id: long, short.id: short}
    signals = Signals(NameMatch(), {long.id: 0.3, short.id: 0.4}, passages={long.id: 0.7, short.id: 0.4})
    assert scores(signals, found)[long.id] > scores(signals, found)[short.id]
