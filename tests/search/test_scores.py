"""How much of the stored data is related to a question."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.family_index import FamilyIndex
from lorekeeper_mcp.search.names.name_index import NameMatch
from lorekeeper_mcp.search.scoring import FamilySearch, Signals, related_ids, score_entries
from lorekeeper_mcp.store.catalog import Entry
from tests.search.entries import by_id, entry


def search(*entries: Entry, exact: frozenset[str] = frozenset(), known: float = 1.0, **match: Any) -> FamilySearch:
    query = FamilyQuery(family=Family.EQUIPMENT, kinds=frozenset(Kind))
    found = by_id(entries)
    frequencies = {str(number): number < 4 * known for number in range(4)}
    index = FamilyIndex(Family.EQUIPMENT, found)
    return FamilySearch(query, index, query.record_filter(), found, frequencies, NameMatch(exact, **match))


@pytest.mark.parametrize(
    ("nearest", "known_words", "related"),
    [
        (0.6, 1.0, None),
        (0.6, 0.0, None),
        (0.39, 1.0, {"a"}),
        (0.5, 0.5, {"a"}),
        (0.2, 1.0, set()),
        (0.39, 0.0, set()),  # gibberish comes as near as that
    ],
)
def test_how_much_is_related_depends_on_the_nearest_record_and_known_words(
    nearest: float, known_words: float, related: set[str] | None
) -> None:
    assert related_ids(search(known=known_words), Signals({"a": nearest, "b": 0.1})) == related


def test_a_record_without_an_embedding_is_found_by_keywords() -> None:
    waiting = Signals({"a": 0.1}, {"b": 2.0}, without_vector=frozenset({"b"}))
    assert related_ids(search(known=0.5), waiting) == {"b"}


def test_a_distant_record_with_few_shared_words_is_irrelevant() -> None:
    signals = Signals({"near": 0.4, "far": 0.1}, {"far": 1.0, "alike": 4.0})
    assert related_ids(search(known=0.75), signals) == {"near", "alike"}
    assert related_ids(search(known=0.5), signals) == {"near"}


def test_a_feature_ranks_below_its_class_unless_features_are_wanted() -> None:
    rogue, strike = entry("Rogue", kind=Kind.CLASS), entry("Backstab", kind=Kind.FEATURE)
    cosines = {rogue.id: 0.5, strike.id: 0.51}
    plain = score_entries(search(rogue, strike), Signals(cosines))
    assert plain[rogue.id] > plain[strike.id]
    preferred = score_entries(search(rogue, strike), Signals(cosines, preferred=frozenset({strike.id})))
    assert preferred[strike.id] > preferred[rogue.id]
