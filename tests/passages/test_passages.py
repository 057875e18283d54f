"""Passages of records: nothing lost, no sentence cut, tables with their heads, one edition at a time."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Edition, Equipment, Kind, Ref, Rule, Spell, WeaponStats
from lorekeeper_mcp.passages import PassageKind, join_passages, passages_of
from lorekeeper_mcp.passages.markdown_blocks import MAX_BLOCK
from lorekeeper_mcp.passages.passage import Passage
from lorekeeper_mcp.passages.passage_words import passage_words
from lorekeeper_mcp.text import fold
from tests.own_records import heading
from tests.snapshots.invented_records import TWO_TEXTS, records

TABLE = "\n".join(
    ["| Level | Reeds gathered in a day |", "|---|---|", *(f"| {n} | {n} bundles of tall reeds |" for n in range(30))]
)


def rule(text: str) -> Rule:
    return Rule(**heading(Kind.RULE, "wading", text=text))


def test_every_word_of_a_record_is_in_a_passage() -> None:
    for record in records():
        words = set(fold(" ".join(passage.markdown for passage in passages_of(record))).split())
        assert set(fold(record.text).split()) <= words


def test_a_long_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    sentence = "The reed-wife wades 30 ft. into the mire, e.g. for eels, and comes home late."
    passages = passages_of(rule(" ".join([sentence] * 40)))
    assert len(passages) > 1
    assert all(passage.text.endswith("late.") and passage.text.startswith("The reed-wife") for passage in passages)
    assert all(len(passage.text) <= MAX_BLOCK for passage in passages)


def test_table_rows_have_the_header_and_are_joined_under_it() -> None:
    rows = [passage for passage in passages_of(rule(f"# Reeds\n\n{TABLE}")) if passage.kind is PassageKind.TABLE_ROW]
    assert {passage.heading for passage in rows} == {("Reeds",)}
    table = join_passages([rows[0], rows[-1]])
    assert table.count("Reeds gathered") == 1
    assert "| 0 |" in table
    assert "| 29 |" in table


def test_a_short_list_stays_with_its_introduction() -> None:
    (passage,) = passages_of(rule("A wader can do this:\n\n- Wade slowly.\n- Wade fast."))
    assert passage.text == "A wader can do this:\n\n- Wade slowly.\n- Wade fast."


def test_items_of_a_long_list_have_their_introduction_above_them() -> None:
    items = "\n".join(f"- {'Reeds and water. ' * 10}Number {n}." for n in range(9))
    passages = passages_of(rule(f"A wader can do this:\n\n{items}"))
    assert {passage.kind for passage in passages} == {PassageKind.LIST_ITEM}
    assert join_passages(passages[3:5]).startswith("A wader can do this:\n\n- ")


def test_passages_of_an_edition_omit_the_other_and_keep_their_positions() -> None:
    condition = rule(TWO_TEXTS[0].text).model_copy(update={"texts": TWO_TEXTS})
    passages = passages_of(condition)
    (newer,) = passages_of(condition, Edition.E2024)
    assert [passage.edition for passage in passages] == [Edition.E2014, Edition.E2024]
    assert newer == passages[1]


def test_a_class_has_one_row_for_each_level_and_features_under_theirs() -> None:
    (class_record,) = (record for record in records() if record.kind is Kind.CLASS)
    passages = passages_of(class_record)
    rows = [passage for passage in passages if passage.kind is PassageKind.TABLE_ROW]
    assert rows
    assert all(len(row.text.splitlines()) == 1 and row.head.startswith("| Level | Features |") for row in rows)
    assert any(passage.heading[0].startswith("Level ") for passage in passages if passage.kind is PassageKind.FEATURE)


def test_spell_facts_distinguish_classes_and_subclasses() -> None:
    spell = Spell(
        **heading(Kind.SPELL, "reed-song", text="The reeds sing.", level=2),
        classes=(Ref(name="Warden"),),
        subclasses=(Ref(name="Circle of the Mire"),),
    )
    [facts] = [passage.text for passage in passages_of(spell) if passage.kind is PassageKind.FACTS]
    assert "**Classes** Warden · **Subclasses** Circle of the Mire" in facts


def test_a_weapons_training_is_stated_once() -> None:
    knife = Equipment(
        **heading(Kind.WEAPON, "reed-knife", category_text="Martial Melee Weapons"),
        weapon=WeaponStats(is_simple=False, damage_dice="1d4", damage_type="slashing"),
    )
    assert passages_of(knife)[0].text.lower().count("martial") == 1


@pytest.mark.timeout(20)  # seconds; the first text alone took 25
def test_parsing_does_not_hang_on_many_brackets() -> None:
    for text in ("[" * 130_000, "[](" * 40_000, "[x](" * 30_000):
        passage = Passage(0, (), text, PassageKind.PARAGRAPH, "", None)
        assert len(passage_words(passage)) <= len(text)
