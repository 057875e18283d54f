"""The forms of an answer: what is in which channel, in which order, within which budget."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from lorekeeper_mcp.answer import (
    Answer,
    CacheState,
    Form,
    Hit,
    Link,
    ListForm,
    NameForm,
    QuestionForm,
    ScoredPassage,
    SpellLinks,
)
from lorekeeper_mcp.models import (
    CharacterFeature,
    Creature,
    Edition,
    EditionText,
    FeatureType,
    Kind,
    Record,
    Ref,
    Reference,
    Rule,
    Section,
    Source,
    Spell,
)
from lorekeeper_mcp.passages import passages_of
from lorekeeper_mcp.repository.answer_pages import select_edition, split_editions
from lorekeeper_mcp.tools.answer_layout import AnswerOptions
from lorekeeper_mcp.tools.envelope import result
from lorekeeper_mcp.tools.error_messages import join_within_limit


def heading(name: str, kind: Kind = Kind.SPELL, document: str = "fens", edition: str = "2024") -> dict[str, Any]:
    return {
        "kind": kind, "key": f"{document}_{name.lower().replace(' ', '-')}", "name": name, "document_key": document,
        "document_name": f"Book {document}", "document_source": Source.HOMEBREW, "editions": (Edition(edition),),
        "license": "CC0-1.0", "publisher": "Reed Press",
    }  # fmt: skip


def spell(name: str, text: str = "It glows.", document: str = "fens", edition: str = "2024", **more: Any) -> Spell:
    return Spell(**heading(name, document=document, edition=edition), level=1, text=text, **more)


def hits(*records: Record, **more: Any) -> tuple[Hit, ...]:
    return tuple(Hit(record, round(1 - 0.01 * place, 4), **more) for place, record in enumerate(records))


def rendered(hits_: tuple[Hit, ...], form: Form, total: int = 99, **options: Any) -> tuple[str, dict[str, Any]]:
    answer = Answer(hits_, form, total, True, CacheState.FRESH, None, next_offset=20)
    page = result(answer, AnswerOptions(**options), cursor="", question="")
    return page.text, dict(page.structured or {})


def full_hit(record: Record) -> Hit:
    """The hit of a question that every passage of a record answers."""
    return Hit(record, 0.5, passages=tuple(ScoredPassage(passage, 1.0) for passage in passages_of(record)))


def test_a_name_returns_the_whole_record_and_a_few_related_names() -> None:
    related = [spell(f"{name} Glow", "Unrelated text.") for name in ("Red", "Blue", "Green")]
    text, structured = rendered(hits(spell("Glow"), *related), NameForm(1))
    assert [item["name"] for item in structured["results"]] == ["Glow", "Red Glow", "Blue Glow", "Green Glow"]
    assert structured["results"][0]["text"].startswith("# Glow\n")
    assert all(set(item) <= {"kind", "key", "name", "document_key", "document_name", "document_source", "edition",
                            "similarity_score"} for item in structured["results"][1:])  # fmt: skip
    assert "Related: Red Glow [fens_red-glow] · Blue Glow" in text
    assert "Unrelated" not in text
    assert (structured["total"], structured["next_cursor"]) == (4, None)
    page = structured["results"][0]["text"]
    assert len(text) - len(page) < 400


def test_several_names_return_each_record_whole() -> None:
    text, structured = rendered(hits(spell("Glow"), spell("Mud", "It is wet."), spell("Glow Worm")), NameForm(2))
    assert [bool(item.get("text")) for item in structured["results"]] == [True, True, False]
    assert text.index("It glows.") < text.index("It is wet.") < text.index("Related: Glow Worm")


def test_a_name_in_several_books_is_whole_once_and_the_other_books_are_named() -> None:
    _, structured = rendered(hits(spell("Glow"), spell("Glow", "Another.", "moor")), NameForm(2))
    assert [(item["key"], "text" in item) for item in structured["results"]] == [
        ("fens_glow", True),
        ("moor_glow", False),
    ]


def test_full_returns_only_the_exact_name() -> None:
    _, structured = rendered(hits(spell("Glow"), spell("Glow Worm")), NameForm(1), detail="full")
    assert [item["name"] for item in structured["results"]] == ["Glow"]


def test_a_name_in_two_editions_is_shown_once_with_the_differences() -> None:
    new = spell("Glow", "It glows for an hour. Undead shun it.", range_text="30 feet")
    old = spell("Glow", "It glows for an hour. Plants follow it.", "old", "2014", range_text="60 feet")
    hit = dataclasses.replace(hits(new, also_in=("old",))[0], editions=(new, old))
    text, structured = rendered((hit,), NameForm(1))
    (first,) = structured["results"]
    difference = first["text"].partition("## 2014 edition, where it differs [old_glow]\n\n")[2]
    assert difference == '- **Range:** 60 feet\n- Plants follow it.\n- Not in 2014: "Undead shun it."'
    assert text.count("It glows for an hour.") == 1
    assert [book["document_key"] for book in structured["documents"]] == ["fens", "old"]


def test_equal_editions_show_no_differences() -> None:
    new, old = spell("Glow"), spell("Glow", document="old", edition="2014")
    text, structured = rendered((dataclasses.replace(hits(new)[0], editions=(new, old)),), NameForm(1))
    assert "differs" not in text
    assert [book["document_key"] for book in structured["documents"]] == ["fens"]


def fen_rule(text: str, document: str, edition: str) -> Rule:
    return Rule(**heading("Wading", Kind.RULE, document, edition), text=text)


def test_a_name_in_both_srds_is_shown_once_with_the_differences() -> None:
    new, old = fen_rule("You wade slowly.", "srd-2024", "2024"), fen_rule("No one can swim.", "srd-2014", "2014")
    text, structured = rendered(hits(new, old, fen_rule("Eels wade.", "moor", "2014")), NameForm(3))
    assert [(item["key"], "text" in item) for item in structured["results"]] == [
        ("srd-2024_wading", True), ("moor_wading", False)
    ]  # fmt: skip
    assert text.index("You wade slowly.") < text.index("2014 edition, whole") < text.index("No one can swim")
    assert "Eels wade." not in text


def test_a_feature_shows_its_class_and_level() -> None:
    gills = CharacterFeature(
        **heading("Gills", Kind.FEATURE),
        type=FeatureType.CLASS,
        text="You breathe water.",
        parent=Ref(name="Warden", key="fens_warden"),
        parent_kind=Kind.CLASS,
        levels=(3, 9),
    )
    text, structured = rendered((full_hit(gills),), QuestionForm(("who breathes water",)))
    assert "**Warden level 3, 9**: You breathe water." in text
    assert structured["results"][0]["passages"][0]["heading"] == "Warden level 3, 9"


def test_a_described_situation_gets_a_longer_answer_than_a_question() -> None:
    long = [stat_block(f"Behemoth {number}", 30) for number in range(3)]
    record_hits = tuple(full_hit(record) for record in long)
    question, _ = rendered(record_hits, QuestionForm(("told",)), search="what is told at length")
    case, _ = rendered(record_hits, QuestionForm(("told",)), search="She is told at length. May she leave?")
    assert len(question) + 500 < len(case) <= 5_000


DAZED = Reference(
    **{**heading("Dazed", Kind.CONDITION, "old", "2014"), "editions": (Edition.E2014, Edition.E2024)},
    text="You stagger.",
    texts=(
        EditionText(text="You stagger.", document_key="old", edition=Edition.E2014),
        EditionText(text="You see stars.", document_key="new", edition=Edition.E2024),
    ),
)


@pytest.mark.parametrize(("detail", "form"), [("auto", NameForm(1)), ("brief", ListForm()), ("full", NameForm(1)),
                                              ("auto", QuestionForm(("dazed",)))])  # fmt: skip
def test_with_an_edition_every_part_is_of_that_edition(detail: str, form: Form) -> None:
    hit = full_hit(select_edition(DAZED, Edition.E2024, {}))
    text, structured = rendered((hit,), form, detail=detail, edition=Edition.E2024)
    assert "You see stars." in text
    assert "You stagger." not in text + json.dumps(structured)
    assert "2014" not in text + json.dumps(structured)


def test_a_condition_by_name_has_each_text_under_its_edition() -> None:
    hit = dataclasses.replace(hits(DAZED)[0], editions=split_editions(DAZED, {}))
    text, structured = rendered((hit,), NameForm(1))
    assert text.index("You see stars.") < text.index("2014 edition, whole") < text.index("You stagger.")
    assert structured["results"][0]["edition"] == "2024"


def test_in_both_editions_each_passage_names_its_edition() -> None:
    _, structured = rendered((full_hit(DAZED),), QuestionForm(("dazed",)))
    texts = {passage["heading"]: passage["text"] for passage in structured["results"][0]["passages"]}
    assert (texts["2014 rules"], texts["2024 rules"]) == ("You stagger.", "You see stars.")


def test_a_question_gets_passages_and_the_further_names_in_one_line() -> None:
    lamp = spell("Lamp", "It burns oil.", higher_level="It burns longer.")
    text, structured = rendered((full_hit(lamp), *hits(spell("Glow"), spell("Mud"))), QuestionForm(("lamp oil",)))
    first, *further = structured["results"]
    assert "It burns oil." in " ".join(passage["text"] for passage in first["passages"])
    assert not any(set(item) & {"passages", "text", "summary"} for item in further)
    assert "Also: Glow [fens_glow] · Mud [fens_mud]" in text
    assert structured["next_cursor"]


def test_scores_decrease_with_and_without_passages() -> None:
    records = [spell(f"Glow {number}") for number in range(10)]
    ranked = [Hit(record, 0.9 - 0.01 * place) for place, record in enumerate(records)]
    ranked[3] = dataclasses.replace(ranked[3], passages=full_hit(records[3]).passages)
    _, structured = rendered(tuple(ranked), QuestionForm(("glow",)))
    scores = [item["similarity_score"] for item in structured["results"]]
    assert len(scores) == 7  # the one with passages, and six by name
    assert scores == sorted(scores, reverse=True)


def stat_block(name: str, traits: int) -> Creature:
    listed = tuple(Section(name=f"Trait {number}", text="It is told at length. " * 20) for number in range(traits))
    return Creature(**heading(name, Kind.CREATURE), armor_class=13, traits=listed)


def test_a_long_record_shows_the_parts_that_fit_and_names_the_rest() -> None:
    text, structured = rendered(hits(stat_block("Behemoth", 30)), NameForm(1))
    page = structured["results"][0]["text"]
    assert "**Armor Class** 13" in page
    assert "***Trait 0.***" in page
    assert "***Trait 29.***" not in page
    assert "Trait 29" in page.rpartition("*Left out for length: ")[2]
    assert 3_500 < len(text) <= 5_000
    assert page.count("It is told at length.") % 20 == 0  # never cut inside a trait


LINKED = SpellLinks(
    given_by=tuple(Link(Kind.CREATURE, f"fens_mage-{number}", f"Mage {number}", "fens") for number in range(60))
)


def test_several_named_spells_are_printed_whole_before_the_names_of_their_casters() -> None:
    spells = [spell(name, f"{name} glows. " * 85) for name in ("Lamp", "Torch", "Ember")]
    text, structured = rendered(hits(*spells, links=LINKED), NameForm(3), total=3)
    for printed, record in zip(spells, structured["results"], strict=True):
        assert printed.text.strip() in record["text"]
    assert "Left out for length" not in text
    assert "fens_mage-40" not in text


def test_one_of_several_named_records_is_printed_whole_before_the_differences_of_its_editions() -> None:
    old = spell("Lamp", "\n\n".join(f"Paragraph {number} of the old lamp. " * 3 for number in range(8)), "old", "2014")
    new = spell("Lamp", "The new lamp glows. " * 80, "new")
    lamp = Hit(new, 1.0, editions=(new, old))
    text, structured = rendered((lamp, *hits(stat_block("Behemoth", 30))), NameForm(2), total=2)
    assert structured["results"][0]["text"].count("The new lamp glows.") == 80
    assert "where it differs" not in text


def test_more_named_records_than_fit_are_on_the_next_page() -> None:
    text, structured = rendered(hits(*(stat_block(f"Beast {number}", 3) for number in range(9))), NameForm(9))
    assert 1 < len(structured["results"]) < 9
    assert all("***Trait " in item["text"] for item in structured["results"])
    assert structured["next_cursor"]
    assert len(text) <= 5_000


def test_a_long_record_shows_the_requested_parts_first() -> None:
    record = stat_block("Behemoth", 30)
    passages = [passage for passage in passages_of(record) if "Trait 27" in passage.text]
    hit = Hit(record, 1.0, passages=tuple(ScoredPassage(passage, 1.0) for passage in passages))
    _, structured = rendered((hit,), NameForm(1), search="behemoth trait 27")
    assert "***Trait 27.***" in structured["results"][0]["text"]


@pytest.mark.parametrize("form", [NameForm(1), NameForm(3), QuestionForm(("told",)), ListForm()])
@pytest.mark.parametrize(("detail", "has_limit", "budgets"), [
    ("auto", False, (5_000, 8_000)), ("auto", True, (40_000, 40_000)), ("brief", False, (40_000, 40_000)),
    ("full", False, (40_000, 40_000)),
])  # fmt: skip
def test_every_layout_stays_within_its_budget(
    form: Form, detail: str, has_limit: bool, budgets: tuple[int, int]
) -> None:
    long = [stat_block(f"Behemoth {number}", 150) for number in range(3)]
    record_hits = [full_hit(record) for record in (*long, *(spell(f"Glow {number}") for number in range(47)))]
    text, structured = rendered(tuple(record_hits), form, detail=detail, has_limit=has_limit)
    assert len(text) <= budgets[0]
    assert len(json.dumps(structured, ensure_ascii=False)) <= budgets[1]
    assert structured["results"]


def test_books_are_listed_once() -> None:
    text, structured = rendered(hits(*(spell(f"Glow {number}") for number in range(5))), ListForm(), total=5)
    assert text.count("Book fens") == text.count("CC0-1.0") == 1
    (book,) = structured["documents"]
    assert {book["document_name"], book["edition"], book["publisher"], book["license"]} <= {
        "Book fens", "2024", "Reed Press", "CC0-1.0"
    }  # fmt: skip


def test_a_hint_is_never_cut_inside_a_word() -> None:
    assert join_within_limit(["First of all.", "Second " * 40], 60) == "First of all."
    assert join_within_limit(["word " * 40], 23) == "word word word word …"
