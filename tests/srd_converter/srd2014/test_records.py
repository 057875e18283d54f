"""The embedded SRD as a whole: its records, their sources, and that no text is lost."""

from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from lorekeeper_mcp.models import Edition, Kind, Record, Rule, Source, model_of
from lorekeeper_mcp.sources.srd import records as shipped
from lorekeeper_mcp.text import letters
from srd_converter.book2014.proofreading import opening, proofread
from srd_converter.srd2014.document import DOCUMENT
from srd_converter.srd2014.entries import paragraphs, read

COUNTS = {
    Kind.DOCUMENT: 1, Kind.SPELL: 319, Kind.CREATURE: 322, Kind.ITEM: 273, Kind.SERVICE: 35, Kind.WEAPON: 37,
    Kind.ARMOR: 13, Kind.MAGIC_ITEM: 362, Kind.CLASS: 12, Kind.SUBCLASS: 12, Kind.SPECIES: 13,
    Kind.BACKGROUND: 1, Kind.FEAT: 1, Kind.RULE: 387, Kind.RULE_SET: 59,
    Kind.CONDITION: 15, Kind.SKILL: 18, Kind.ABILITY_SCORE: 6,
    Kind.DAMAGE_TYPE: 13, Kind.MAGIC_SCHOOL: 8, Kind.ALIGNMENT: 9, Kind.LANGUAGE: 16, Kind.WEAPON_PROPERTY: 13,
    Kind.PROFICIENCY: 117, Kind.ITEM_SET: 39,
}  # fmt: skip
WITH_TEXT = (
    Kind.SPELL, Kind.MAGIC_ITEM, Kind.RULE, Kind.CONDITION, Kind.SKILL, Kind.ABILITY_SCORE, Kind.DAMAGE_TYPE,
    Kind.MAGIC_SCHOOL, Kind.ALIGNMENT, Kind.LANGUAGE, Kind.WEAPON_PROPERTY, Kind.SUBCLASS, Kind.FEAT,
)  # fmt: skip


def test_every_kind_has_all_its_records(srd: Mapping[str, Record]) -> None:
    assert Counter(record.kind for record in srd.values()) == COUNTS


def test_keys_are_unique_within_a_kind(embedded_records: list[Record]) -> None:
    ids = Counter(record.id for record in embedded_records)
    assert [id_ for id_, count in ids.items() if count > 1] == []


def test_the_order_is_the_same_every_time(srd: Mapping[str, Record]) -> None:
    first = [record.id for record in shipped() if record.document_key == DOCUMENT.key]  # in the wheel when it was built
    assert first == list(srd)


def test_every_record_names_its_source(srd: Mapping[str, Record]) -> None:
    for record in srd.values():
        assert record.name, record.id
        assert record.key, record.id
        assert record.document_key == DOCUMENT.key, record.id
        assert record.document_name == DOCUMENT.name, record.id
        assert record.document_source is Source.SRD, record.id
        assert record.license == "CC-BY-4.0", record.id
        assert record.publisher == "Wizards of the Coast", record.id
        both = (Edition.E2014, Edition.E2024) if record.kind is Kind.CONDITION else (Edition.E2014,)
        assert record.editions == both, record.id
        assert isinstance(record, model_of(record.kind)), record.id


def test_the_document_carries_the_attribution_its_licence_asks_for() -> None:
    assert "System Reference Document 5.1" in DOCUMENT.attribution
    assert "Creative Commons Attribution 4.0" in DOCUMENT.attribution
    assert DOCUMENT.documents == ("srd-2014",)


@pytest.mark.parametrize("kind", WITH_TEXT)
def test_kinds_that_the_book_describes_have_text(srd: Mapping[str, Record], kind: Kind) -> None:
    assert [record.id for record in srd.values() if record.kind is kind and not record.text] == []


def test_only_sets_that_open5e_introduces_have_no_text_among_rule_sets(srd: Mapping[str, Record]) -> None:
    bare = {record.key for record in srd.values() if record.kind is Kind.RULE_SET and not record.text}
    assert {key for key in bare if not key.startswith("srd_class-")} == {
        "srd_races", "srd_magic-items", "srd_spell-lists",
    }  # fmt: skip


def described(module: str, *nested: str) -> Iterator[str]:
    """Every line of description in a module: of its entries and of the lists nested in them."""
    for entry in read(module):
        for one in (entry, *(part for key in nested for part in entry.entries(key))):
            for text in one.strings("desc"):
                yield from (line.strip() for line in text.splitlines() if line.strip())


def test_a_caption_and_rows_are_set_as_a_table() -> None:
    lines = ["Kinds of Tea (table)", "| d4 | Tea", "|---|---|", "A fork", "| d4 | Fork |", "It regains 1d3", "charges."]
    assert paragraphs(lines) == (
        "**Kinds of Tea**\n\n| d4 | Tea |\n|---|---|\n\n**A fork**\n\n| d4 | Fork |\n\nIt regains 1d3 charges."
    )


@pytest.mark.parametrize(("module", "nested"), [("Equipment", ()), ("Conditions", ()), ("Skills", ()), ("Feats", ())])
def test_every_line_of_the_package_is_in_some_record(
    srd: Mapping[str, Record], module: str, nested: tuple[str, ...]
) -> None:
    kept = (text for record in srd.values() for text in texts(record.model_dump()))
    lines = {letters(line) for text in kept for line in text.splitlines()}
    assert [line for line in described(module, *nested) if letters(proofread(line)) not in lines] == []


@pytest.mark.parametrize("module", ["Features", "Subclasses"])
def test_every_paragraph_of_classes_is_the_packages_or_the_books(srd: Mapping[str, Record], module: str) -> None:
    kept = [text for record in srd.values() for text in texts(record.model_dump())]
    lines = {line.strip() for text in kept for line in text.splitlines()}
    opened = {opening(line) for line in lines}
    gone = [line for line in described(module) if line not in lines and opening(line) not in opened]
    sentences = [line for line in gone if line.endswith(".")]  # the others name options, which have texts of their own
    # The book: "your choice grants", and that land is chosen in the same paragraph.
    assert {opening(line) for line in sentences} <= {"your domain grants", "choose that land"}


def texts(value: object) -> Iterator[str]:
    """Every text in a dumped record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


def test_paragraphs_keep_tables_and_lists_together() -> None:
    lines = ["Roll.", "| d4 | Tea |", "|---|---|", "| 1 | Mint |", "- hot", "- sweet", "", "Drink."]
    assert paragraphs(lines) == "Roll.\n\n| d4 | Tea |\n|---|---|\n| 1 | Mint |\n\n- hot\n- sweet\n\nDrink."


def test_an_ability_lists_the_rules_below_its_heading(srd: Mapping[str, Record]) -> None:
    wisdom = srd["rule:srd_abilities_wisdom"]
    assert isinstance(wisdom, Rule)
    assert [rule.name for rule in wisdom.rules] == ["Wisdom Checks", "Spellcasting Ability (Wisdom)"]
