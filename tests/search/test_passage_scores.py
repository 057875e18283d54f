"""Scores of a record's passages: levels and numbers in the question, and editions that nobody asked for."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import CharacterClass, Edition, EditionText, Feature, Kind, Reference, Rule
from lorekeeper_mcp.search.scoring import score_passages, weigh_words
from tests.own_records import heading


def test_the_feature_of_a_level_in_the_question_comes_first() -> None:
    features = (
        Feature(name="Wading", text="You wade through reeds.", levels=(2,)),
        Feature(name="Rowing", text="You row through reeds.", levels=(5, 9)),
    )
    marshal = CharacterClass.model_validate(heading(Kind.CLASS, "marshal", features=features))
    words = weigh_words("what does a level 9 marshal get", {})
    passages = [scored.passage for scored in score_passages(marshal, None, {}, words) if scored.passage.heading]
    assert next(passage for passage in passages if "reeds" in passage.text).text == "You row through reeds."


@pytest.mark.parametrize("question", ["rogue 3 and monk 4: reeds?", "reeds of a rogue level 3 / monk level 4"])
def test_the_levels_of_a_multiclass_character_add_up(question: str) -> None:
    table = "\n".join(["| Level | Reeds |", "|---|---|", *(f"| {level} | {'reed ' * 40} |" for level in range(1, 10))])
    rule = Rule.model_validate(heading(Kind.RULE, "marshals", text=table))
    best = score_passages(rule, None, {}, weigh_words(question, {}))[0].passage
    assert best.text.startswith("| 7 |")


def test_another_games_text_is_left_out_if_an_srd_has_one() -> None:
    texts = tuple(
        EditionText(text=f"Text of {edition}.", document_key="own", edition=edition)
        for edition in (Edition.E2024, Edition.A5E)
    )
    condition = Reference.model_validate(heading(Kind.CONDITION, "soaked", texts=texts))
    words = weigh_words("soaked", {})
    assert [scored.passage.edition for scored in score_passages(condition, None, {}, words)] == [Edition.E2024]
    alone = condition.model_copy(update={"texts": texts[1:]})
    assert [scored.passage.edition for scored in score_passages(alone, None, {}, words)] == [Edition.A5E]
    assert len(score_passages(condition, Edition.A5E, {}, words)) == 1
