"""How much of what is held has to do with a question."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.repository.naming import Named
from lorekeeper_mcp.repository.ranking import Evidence, Nearness, near_ones, nearness, scores
from tests.repository.entries import entry


@pytest.mark.parametrize(
    ("nearest", "known", "how"),
    [
        (0.6, 1.0, Nearness.MUCH),
        (0.6, 0.0, Nearness.MUCH),
        (0.39, 1.0, Nearness.LITTLE),
        (0.5, 0.5, Nearness.LITTLE),
        (0.2, 1.0, Nearness.NOTHING),
        (0.39, 0.0, Nearness.NOTHING),  # letters that are no words come as near as that
    ],
)
def test_nearness_rests_on_the_nearest_record_and_on_known_words(nearest: float, known: float, how: Nearness) -> None:
    assert nearness(Evidence(Named(), {"a": nearest}), nearest, known) is how


def test_a_name_has_to_do_with_the_question_whatever_the_vectors_say() -> None:
    assert nearness(Evidence(Named(frozenset({"a"})), {"b": 0.0}), 0.0, 0.0) is Nearness.MUCH


def test_without_a_model_words_decide() -> None:
    assert nearness(Evidence(Named(), words={"a": 3.0}), 0.0, 1.0) is Nearness.MUCH
    assert nearness(Evidence(Named()), 0.0, 0.0) is Nearness.NOTHING


def test_what_has_no_embedding_yet_is_kept_where_words_find_it() -> None:
    waiting = Evidence(Named(), {"a": 0.1}, {"b": 2.0}, without_vector=frozenset({"b"}))
    assert nearness(waiting, 0.1, 0.5) is Nearness.LITTLE
    assert near_ones(waiting, 0.5) == {"b"}


def test_what_is_far_and_shares_few_words_is_not_near() -> None:
    evidence = Evidence(Named(), {"near": 0.4, "far": 0.1}, {"far": 1.0, "alike": 4.0})
    assert near_ones(evidence, 1.0) == {"near", "alike"}
    assert near_ones(evidence, 0.5) == {"near"}


def test_a_name_with_the_word_for_its_kind_stands_behind_a_name_as_it_is() -> None:
    one, other = entry("Gleam"), entry("Gleam Spell")
    found = {one.id: one, other.id: other}
    barely = scores(Evidence(Named(frozenset({one.id}), bare=True)), found)
    exactly = scores(Evidence(Named(frozenset({other.id}))), found)
    close = scores(Evidence(Named(close={one.id: 0.99})), found)
    assert close[one.id] <= barely[one.id] < exactly[other.id] == 1
