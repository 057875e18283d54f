"""Named records among the outcomes of all families."""

from __future__ import annotations

from lorekeeper_mcp.answer import NameForm
from lorekeeper_mcp.models import Family, Kind
from lorekeeper_mcp.query import FamilyQuery
from lorekeeper_mcp.search.family_index import Groups
from lorekeeper_mcp.search.names.mentions import Mention
from lorekeeper_mcp.search.question import QuestionNames, parse_question
from lorekeeper_mcp.search.ranking import Matches, Ranking, rank_matches
from lorekeeper_mcp.search.scoring import MAX_FUZZY_SCORE
from tests.search.entries import by_id, entry

REED, WATER, BOTH = (entry(name, kind=Kind.RULE) for name in ("Reed", "Water", "Reed and Water"))
NAMED = QuestionNames(
    (Mention("reed", 0, 1, frozenset({REED.id})), Mention("water", 2, 3, frozenset({WATER.id}))), True, False
)


def ranked(scores: dict[str, float]) -> Ranking:
    outcome = Matches(by_id([REED, WATER, BOTH]), scores)
    query = FamilyQuery(family=Family.RULES, kinds=frozenset({Kind.RULE}), search="reed an water")
    return rank_matches([outcome], parse_question(query.search), NAMED, query, Groups({}, {}))


def test_several_names_are_each_shown() -> None:
    ranking = ranked({})
    assert [group.entry.name for group in ranking.groups] == ["Reed", "Water"]
    assert ranking.form == NameForm(2)


def test_a_misspelt_name_is_not_split_into_two() -> None:
    ranking = ranked({BOTH.id: MAX_FUZZY_SCORE - 0.003, REED.id: 0.5})
    assert ranking.groups[0].entry.name == "Reed and Water"
    assert not isinstance(ranking.form, NameForm)


def test_named_records_rank_near_the_top() -> None:
    marshes = [entry(f"Marsh {number}", kind=Kind.RULE) for number in range(20)]
    outcome = Matches(
        by_id([REED, *marshes]), {REED.id: 0.01} | {marsh.id: 0.5 - n / 100 for n, marsh in enumerate(marshes)}
    )
    names = QuestionNames((Mention("reed", 0, 1, frozenset({REED.id})),), False, False)
    query = FamilyQuery(family=Family.RULES, kinds=frozenset({Kind.RULE}), search="does a reed grow in marshes")
    ranking = rank_matches([outcome], parse_question(query.search), names, query, Groups({}, {}))
    assert REED in [group.entry for group in ranking.groups[:10]]
    assert len(ranking.groups) > 10


def test_a_longer_name_that_the_question_lacks_ranks_below_the_name_in_it() -> None:
    longer, worm = entry("Reed Worm Poison", kind=Kind.RULE), entry("Reed Worm", kind=Kind.CREATURE)
    outcome = Matches(by_id([longer, worm]), {longer.id: 0.6, worm.id: 0.5})
    names = QuestionNames((Mention("reed worm", 3, 5, frozenset({worm.id})),), False, False)

    def first(search: str) -> str:
        query = FamilyQuery(family=Family.RULES, kinds=frozenset({Kind.RULE}), search=search)
        return rank_matches([outcome], parse_question(search), names, query, Groups({}, {})).groups[0].entry.name

    assert first("swallowed by a reed worm") == "Reed Worm"
    assert first("poison of a reed worm") == "Reed Worm Poison"
