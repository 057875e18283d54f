"""Choice of passages: best first, short records whole, alternating parts, within the budget."""

from __future__ import annotations

from lorekeeper_mcp.answer import Hit, ScoredPassage
from lorekeeper_mcp.models import CharacterClass, Edition, EditionText, Kind, Rule, Source
from lorekeeper_mcp.passages import join_passages, passages_of
from lorekeeper_mcp.search.excerpts import Excerpt, choose_passages

LONG = "\n\n".join(f"Paragraph {n}. {'The fens are wide and deep. ' * 8}".strip() for n in range(8))


def rule(name: str, text: str) -> Rule:
    return Rule(
        kind=Kind.RULE,
        key=f"fens_{name.lower()}",
        name=name,
        document_key="fens",
        document_name="Book of the Fens",
        document_source=Source.HOMEBREW,
        text=text,
    )


def hit(record: Rule | CharacterClass, scores: dict[int, float], part: int = 0) -> Hit:
    """A hit whose passages have scores by their index; the others have almost none."""
    scored = [ScoredPassage(passage, scores.get(passage.index, 0.05)) for passage in passages_of(record)]
    return Hit(record, 0.5, passages=tuple(sorted(scored, key=lambda passage: -passage.score)), part=part)


def places(excerpt: Excerpt) -> list[int]:
    return [passage.index for passage in excerpt.passages]


def test_the_best_passages_come_in_the_order_of_the_book() -> None:
    (only,) = choose_passages([hit(rule("Fens", LONG), {6: 0.9, 2: 0.8, 4: 0.7})], 900)
    assert places(only) == [2, 4, 6]


def test_the_best_passage_comes_first_within_the_budget() -> None:
    (only,) = choose_passages([hit(rule("Fens", LONG), {6: 0.9, 2: 0.8, 4: 0.7})], 400)
    assert places(only) == [6]
    assert len(join_passages(only.passages)) <= 400


def test_weakly_matching_passages_are_omitted_even_if_they_fit() -> None:
    (only,) = choose_passages([hit(rule("Fens", LONG), {1: 0.9, 5: 0.3})], 10_000)
    assert places(only) == [1]


def test_a_short_record_is_taken_whole() -> None:
    (only,) = choose_passages([hit(rule("Ford", "You can wade.\n\nIt is slow."), {1: 0.9})], 1_000)
    assert places(only) == [0, 1]


def test_each_part_of_a_question_gets_its_best_passage_first() -> None:
    strong = hit(rule("Fens", LONG), dict.fromkeys(range(8), 0.9), part=0)
    weak = hit(rule("Moor", LONG), {3: 0.3}, part=1)
    first, second = choose_passages([strong, weak], 900, named=2)
    assert places(first) == [0, 1]
    assert places(second) == [3]


def test_the_whole_question_adds_no_passages_far_from_the_named_records() -> None:
    strong = hit(rule("Fens", LONG), dict.fromkeys(range(8), 0.9), part=0)
    weak = hit(rule("Moor", f"{LONG}\n\nEels."), {8: 0.3}, part=1)
    _, second = choose_passages([strong, weak], 5_000, named=1)
    assert second.passages == ()


def test_the_top_result_is_printed_even_if_others_have_better_passages() -> None:
    first = hit(rule("Fens", LONG), {2: 0.6})
    hits = [hit(rule(name, LONG.replace("fens", name)), {3: 0.95, 4: 0.94}) for name in ("moor", "heath", "marsh")]
    chosen = choose_passages([first, *hits], 900)
    assert places(chosen[0]) == [2]
    assert [len(other.passages) for other in chosen[1:]] == [2, 0, 0]


def test_a_result_found_by_a_paraphrase_is_printed() -> None:
    hits = choose_passages([hit(rule("Fens", LONG), {2: 0.2}), hit(rule("Moor", LONG), {3: 0.95})], 900)
    assert [places(chosen) for chosen in hits] == [[2], [3]]


def test_a_text_that_two_records_have_is_printed_once() -> None:
    chapter, first_rule = hit(rule("Fens", "It is wet."), {0: 0.9}), hit(rule("Wet Fens", "It is wet."), {0: 0.9})
    chapter_hit, rule_hit = choose_passages([chapter, first_rule], 5_000)
    assert places(chapter_hit) == [0]
    assert rule_hit.passages == ()


def test_the_newest_edition_of_a_text_comes_first() -> None:
    old, new = (
        EditionText(text=text, document_key="fens", edition=edition)
        for text, edition in (("Old.", Edition.E2014), ("New.", Edition.E2024))
    )
    (only,) = choose_passages([hit(rule("Fens", "").model_copy(update={"texts": (old, new)}), {0: 0.9, 1: 0.9})], 900)
    assert [passage.text for passage in only.passages] == ["New.", "Old."]


def test_a_result_without_room_for_passages_keeps_its_rank() -> None:
    first, second = choose_passages([hit(rule("Fens", LONG), {0: 0.9}), hit(rule("Moor", LONG), {0: 0.8})], 350)
    assert places(first) == [0]
    assert second.passages == ()
    assert second.hit.record.name == "Moor"


def table(rows: int) -> str:
    return "\n".join(
        ["| Reed | What it is used for in the fens |", "|---|---|"]
        + [f"| Reed {n} | Reed number {n} is used for roofs, rafts and ropes |" for n in range(rows)]
    )


def test_a_better_matching_table_row_is_printed_alone() -> None:
    record = rule("Reeds", f"{LONG}\n\n{table(12)}")
    row = max(passage.index for passage in passages_of(record) if passage.head)
    (only,) = choose_passages([hit(record, {row: 0.9})], 500)
    assert places(only) == [row]
    assert join_passages(only.passages).startswith("| Reed | What it is used for")


def test_a_title_is_printed_with_the_text_below_it() -> None:
    record = rule(
        "Lodging", f"{LONG}\n\n**Cheap (2 cp)**\n\nYou sleep on reeds.\n\n**Dear (9 sp)**\n\nYou sleep in a bed."
    )
    title, text = 8, 11
    assert [passage.text for passage in passages_of(record)][title::3] == ["**Cheap (2 cp)**", "You sleep in a bed."]
    (only,) = choose_passages([hit(record, {title: 0.9, text: 0.8})], 5_000)
    assert places(only) == [title, title + 1, text - 1, text]


def test_a_title_whose_text_is_printed_elsewhere_is_left_out() -> None:
    text = f"{LONG}\n\n**Cheap (2 cp)**\n\nYou sleep on reeds."
    again = f"{LONG.replace('fens', 'moors')}\n\n**Cheap (2 cp)**\n\nYou sleep on reeds."
    first, second = choose_passages([hit(rule("Inn", text), {9: 0.9}), hit(rule("Inns", again), {8: 0.9})], 5_000)
    assert places(first) == [8, 9]
    assert places(second) == []
