"""Scores of a record's passages: levels and numbers of the question, and editions that nobody asked for."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import CharacterClass, Edition, EditionText, Feature, Kind, Reference, Rule
from lorekeeper_mcp.passages import PassageKind
from lorekeeper_mcp.search.passage_scores import score_passages, weigh_words
from tests.own_records import book_heading, heading


def test_the_feature_of_a_level_in_the_question_comes_first() -> None:
    features = (
        Feature(name="Wading", text="You wade through reeds.", levels=(2,)),
        Feature(name="Rowing", text="You row through reeds.", levels=(5, 9)),
    )
    marshal = CharacterClass.model_validate(heading(Kind.CLASS, "marshal", features=features))
    words = weigh_words("what does a level 9 marshal get", {})
    passages = [scored.passage for scored in score_passages(marshal, None, {}, words) if scored.passage.heading]
    assert next(passage for passage in passages if "reeds" in passage.text).text == "You row through reeds."


def _classes() -> tuple[CharacterClass, CharacterClass]:
    """Two classes that gain a feature at the levels 3 and 4."""
    features = tuple(Feature(name=f"Wading {level}", text="You wade.", levels=(level,)) for level in (3, 4))
    rogue, monk = (
        CharacterClass.model_validate(book_heading(Kind.CLASS, name, features=features)) for name in ("Rogue", "Monk")
    )
    return rogue, monk


def test_a_multiclass_characters_level_counts_in_each_class_alone() -> None:
    words = weigh_words("rogue 3 / monk 4", {})
    best = [score_passages(record, None, {}, words)[0].passage.heading for record in _classes()]
    assert best == [("Level 3: Wading 3",), ("Level 4: Wading 4",)]


@pytest.mark.parametrize(
    "question",
    ["rogue 3 and monk 4: reeds?", "reeds of a level 3 rogue with 4 levels of monk", "3rd-level rogue, monk 4"],
)
def test_the_sum_of_a_multiclass_characters_levels_counts_elsewhere(question: str) -> None:
    table = "\n".join(["| Level | Reeds |", "|---|---|", *(f"| {level} | {'reed ' * 40} |" for level in range(1, 10))])
    rule = Rule.model_validate(heading(Kind.RULE, "marshals", text=table))
    best = score_passages(rule, None, {}, weigh_words(question, {}))[0].passage
    assert best.text.startswith("| 7 |")


@pytest.mark.parametrize(("edition", "level"), [(Edition.E2014, 5), (Edition.E2024, 6)])
def test_spell_slots_are_those_of_the_sum_of_casters_levels(edition: Edition, level: int) -> None:
    table = "\n".join(["| Level | Slots |", "|---|---|", *(f"| {level} | {'slot ' * 40} |" for level in range(1, 15))])
    rule = Rule.model_validate(heading(Kind.RULE, "marshals", text=table, editions=(edition,)))
    words = weigh_words("spell slots of a paladin 5 / wizard 3 / rogue 4", {})
    assert score_passages(rule, None, {}, words)[0].passage.text.startswith(f"| {level} |")


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


def test_facts_are_found_by_the_words_that_people_use() -> None:
    texts = {"hit_dice": "d8", "hit_points_at_1st_level": "8 + your Constitution modifier", "text": "Reeds and rowing."}
    marshal = CharacterClass.model_validate(heading(Kind.CLASS, "marshal", **texts))
    words = weigh_words("hit die and starting hp of a marshal", {})
    assert score_passages(marshal, None, {}, words)[0].passage.kind is PassageKind.FACTS


def test_a_heading_is_found_by_the_words_that_people_use() -> None:
    texts = {"proficiencies": "Light armor and punts", "text": "A marshal can row.\n\nReeds and rowing."}
    marshal = CharacterClass.model_validate(heading(Kind.CLASS, "marshal", **texts))
    words = weigh_words("can a marshal wear a breastplate", {})
    assert score_passages(marshal, None, {}, words)[0].passage.text == "Light armor and punts"


def test_a_row_is_found_by_the_words_that_people_use_for_its_columns() -> None:
    table = "Some classes row.\n\n| Class | Primary Ability |\n|---|---|\n| Marshal | Charisma |\n| Rower | Strength |"
    rule = Rule.model_validate(heading(Kind.RULE, "classes", text=table))
    words = weigh_words("what do I need to multiclass into marshal", {})
    assert "Charisma" in score_passages(rule, None, {}, words)[0].passage.text


def test_a_figure_in_the_question_is_stated_first() -> None:
    texts = {
        "hit_dice": "d8",
        "hit_points_at_1st_level": "8 + your Constitution modifier",
        "text": "Punts, rafts, mires and herons differ.",
    }
    marshal = CharacterClass.model_validate(heading(Kind.CLASS, "marshal", **texts))
    words = weigh_words("how do punts, rafts, mires and herons differ, and the hp of a marshal", {})
    assert score_passages(marshal, None, {}, words)[0].passage.kind is PassageKind.FACTS
