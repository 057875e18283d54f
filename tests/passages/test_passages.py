"""Passages of records: nothing lost, no sentence cut, tables with their heads, one edition at a time."""

from __future__ import annotations

import time

from lorekeeper_mcp.models import Edition, Equipment, Kind, Ref, Rule, Source, Spell, WeaponStats
from lorekeeper_mcp.passages import PassageKind, joined, passages_of
from lorekeeper_mcp.passages.markdown_blocks import LONGEST
from lorekeeper_mcp.passages.passage import Passage
from lorekeeper_mcp.passages.plain import passage_words
from lorekeeper_mcp.text import fold
from tests.snapshots.invented_records import TWO_TEXTS, records

TABLE = "\n".join(
    ["| Level | Reeds gathered in a day |", "|---|---|", *(f"| {n} | {n} bundles of tall reeds |" for n in range(30))]
)


def rule(text: str) -> Rule:
    return Rule(
        kind=Kind.RULE,
        key="fens_wading",
        name="Wading",
        document_key="fens",
        document_name="Book of the Fens",
        document_source=Source.ORCBREW,
        text=text,
    )


def test_every_word_of_a_record_is_in_a_passage() -> None:
    for record in records():
        said = set(fold(" ".join(passage.markdown for passage in passages_of(record))).split())
        assert set(fold(record.text).split()) <= said


def test_a_long_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    sentence = "The reed-wife wades 30 ft. into the mire, e.g. for eels, and comes home late."
    found = passages_of(rule(" ".join([sentence] * 40)))
    assert len(found) > 1
    assert all(passage.text.endswith("late.") and passage.text.startswith("The reed-wife") for passage in found)
    assert all(len(passage.text) <= LONGEST for passage in found)


def test_table_rows_have_the_header_and_are_joined_under_it() -> None:
    found = [p for p in passages_of(rule(f"# Reeds\n\n{TABLE}")) if p.kind is PassageKind.TABLE_ROW]
    assert {passage.heading for passage in found} == {("Reeds",)}
    together = joined([found[0], found[-1]])
    assert together.count("Reeds gathered") == 1
    assert "| 0 |" in together
    assert "| 29 |" in together


def test_a_short_list_stays_with_its_introduction() -> None:
    (only,) = passages_of(rule("A wader can do this:\n\n- Wade slowly.\n- Wade fast."))
    assert only.text == "A wader can do this:\n\n- Wade slowly.\n- Wade fast."


def test_items_of_a_long_list_have_their_introduction_above_them() -> None:
    items = "\n".join(f"- {'Reeds and water. ' * 10}Number {n}." for n in range(9))
    found = passages_of(rule(f"A wader can do this:\n\n{items}"))
    assert {passage.kind for passage in found} == {PassageKind.LIST_ITEM}
    assert joined(found[3:5]).startswith("A wader can do this:\n\n- ")


def test_passages_of_an_edition_omit_the_other_and_keep_their_positions() -> None:
    condition = rule(TWO_TEXTS[0].text).model_copy(update={"texts": TWO_TEXTS})
    every = passages_of(condition)
    (of_2024,) = passages_of(condition, Edition.E2024)
    assert [passage.edition for passage in every] == [Edition.E2014, Edition.E2024]
    assert of_2024 == every[1]


def test_a_class_has_one_row_for_each_level_and_features_under_theirs() -> None:
    (one,) = (record for record in records() if record.kind is Kind.CLASS)
    found = passages_of(one)
    rows = [passage for passage in found if passage.kind is PassageKind.TABLE_ROW]
    assert rows
    assert all(len(row.text.splitlines()) == 1 and row.head.startswith("| Level | Features |") for row in rows)
    assert any(passage.heading[0].startswith("Level ") for passage in found if passage.kind is PassageKind.FEATURE)


def test_spell_facts_distinguish_classes_and_subclasses() -> None:
    spell = Spell(
        kind=Kind.SPELL,
        key="fens_reed-song",
        name="Reed Song",
        document_key="fens",
        document_name="Book of the Fens",
        document_source=Source.ORCBREW,
        text="The reeds sing.",
        level=2,
        classes=(Ref(name="Warden"),),
        subclasses=(Ref(name="Circle of the Mire"),),
    )
    [facts] = [passage.text for passage in passages_of(spell) if passage.kind is PassageKind.FACTS]
    assert "**Classes** Warden · **Subclasses** Circle of the Mire" in facts


def test_a_weapons_training_is_stated_once() -> None:
    knife = Equipment(
        kind=Kind.WEAPON,
        key="fens_reed-knife",
        name="Reed Knife",
        document_key="fens",
        document_name="Book of the Fens",
        document_source=Source.ORCBREW,
        category_text="Martial Melee Weapons",
        weapon=WeaponStats(is_simple=False, damage_dice="1d4", damage_type="slashing"),
    )
    assert passages_of(knife)[0].text.lower().count("martial") == 1


def test_a_text_of_many_brackets_is_parsed_quickly() -> None:
    began = time.process_time()
    for text in ("[" * 130_000, "[](" * 40_000, "[x](" * 30_000):
        found = Passage(0, (), text, PassageKind.PARAGRAPH, "", None)
        assert len(passage_words(found)) <= len(text)
    assert time.process_time() - began < 5  # seconds; the first took 25
