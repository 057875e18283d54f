"""Scores of a record's passages: levels and numbers of the question, and editions that nobody asked for."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass, Edition, EditionText, Feature, Kind, Reference
from lorekeeper_mcp.search.passage_scores import scored_passages, weigh_words
from tests.own_records import heading


def test_the_feature_of_a_level_in_the_question_comes_first() -> None:
    features = (
        Feature(name="Wading", text="You wade through reeds.", levels=(2,)),
        Feature(name="Rowing", text="You row through reeds.", levels=(5, 9)),
    )
    marshal = CharacterClass.model_validate(heading(Kind.CLASS, "marshal", features=features))
    words = weigh_words("what does a level 9 marshal get", {})
    passages = [one.passage for one in scored_passages(marshal, None, {}, words) if one.passage.heading]
    assert next(one for one in passages if "reeds" in one.text).text == "You row through reeds."


def test_another_games_text_is_left_out_if_an_srd_has_one() -> None:
    texts = tuple(
        EditionText(text=f"Text of {edition}.", document_key="own", edition=edition)
        for edition in (Edition.E2024, Edition.A5E)
    )
    condition = Reference.model_validate(heading(Kind.CONDITION, "soaked", texts=texts))
    words = weigh_words("soaked", {})
    assert [one.passage.edition for one in scored_passages(condition, None, {}, words)] == [Edition.E2024]
    alone = condition.model_copy(update={"texts": texts[1:]})
    assert [one.passage.edition for one in scored_passages(alone, None, {}, words)] == [Edition.A5E]
    assert len(scored_passages(condition, Edition.A5E, {}, words)) == 1
