"""No record's text continues in another's: boxed texts, tables and headings are in the entry they belong to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest
from scripts.data_checks.loose_headings import check_headings
from scripts.data_checks.prose import prose

from lorekeeper_mcp.models import CharacterClass, Kind, Record
from lorekeeper_mcp.text import fold
from srd_converter.book2024.table_places import with_tables_in_place

_LISTS = {"magic-item:srd_robe-of-useful-items", "magic-item:srd_ring-of-animal-influence"}  # of things and spells
_NAMED = {Kind.SPELL, Kind.CREATURE, Kind.ITEM, Kind.MAGIC_ITEM, Kind.FEAT, Kind.CLASS, Kind.SUBCLASS, Kind.SPECIES}
_MAX_LENGTH = 60  # characters of a heading
_CAPTION = re.compile(r"\*\*([^*\n]+)\*\*\n\n\|")
_CUT_REFERENCE = re.compile(r"\b(?:described|detailed|explained|given|listed) in\.")
_UNANNOUNCED = {  # captions that no text names
    "Multiclass Spellcaster: Spell Slots per Spell Level", "Holy Symbols", "Container Capacity",
    "Donning and Doffing Armor", "Fiend Expanded Spells",
}  # fmt: skip


def headings(text: str) -> Iterator[str]:
    """Lines between paragraphs that may name what follows, without marks and prices; option lists included."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for line, after in pairwise(lines):
        if len(line) < _MAX_LENGTH and not line.startswith(("|", "-", "•", "###")) and not after.startswith("|"):
            yield fold(re.sub(r" \([^)]*\)", "", line.strip("*:. ")))


def test_no_heading_has_lost_its_mark(embedded_records: list[Record]) -> None:
    found = {record.id: list(check_headings(record)) for record in embedded_records if record.id not in _LISTS}
    assert {id_: clauses for id_, clauses in found.items() if clauses} == {}


def test_no_entry_holds_the_name_of_another_as_a_heading(embedded_records: list[Record]) -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for record in embedded_records:
        if record.kind in _NAMED:
            owners[fold(record.name)].add(fold(record.name))
        if isinstance(record, CharacterClass):
            for feature in record.features:
                owners[fold(feature.name.rpartition(": ")[2])].add(fold(feature.name))
    found = [
        (record.id, heading)
        for record in embedded_records
        if record.kind in _NAMED and record.id not in _LISTS
        for _, text in prose(record)
        for heading in headings(text)
        if owners[heading] and fold(record.name) not in owners[heading]
    ]
    features = {
        fold(f.name) for record in embedded_records if isinstance(record, CharacterClass) for f in record.features
    }
    assert [(id_, heading) for id_, heading in found if heading not in features] == []


def test_every_table_is_in_the_rule_that_announces_it(embedded_records: list[Record]) -> None:
    rules = [record for record in embedded_records if record.kind in (Kind.RULE, Kind.RULE_SET)]
    texts = {record.id: " ".join(record.text.split()).lower() for record in rules}
    misplaced = [
        (record.id, caption)
        for record in rules
        for caption in _CAPTION.findall(record.text)
        if f"{caption.lower()} table" not in texts[record.id]
        and caption not in _UNANNOUNCED
        and any(f"{caption.lower()} table" in texts[other.id] for other in rules if other.documents == record.documents)
    ]
    assert misplaced == []


def test_a_table_moves_to_the_rule_that_names_it() -> None:
    table = "**Lamps**\n\n| Lamp | Cost |\n| --- | --- |\n| Small | 1 |"
    sets = {
        "Light": [("Light", "The Lamps table lists lamps."), ("Shade", f"It is dark.\n\n{table}\n\nIt stays dark.")],
        "Moths": [("Moths", f"No text names it.\n\n{table.replace('Lamps', 'Moths')}")],
    }
    moved = with_tables_in_place(sets)
    assert moved["Light"] == [
        ("Light", f"The Lamps table lists lamps.\n\n{table}"), ("Shade", "It is dark.\n\nIt stays dark.")
    ]  # fmt: skip
    assert moved["Moths"] == sets["Moths"]


@pytest.mark.parametrize(
    ("owner", "feature", "absent"),
    [("srd-2024_paladin", "Lay On Hands", "penitence"), ("srd-2024_wizard", "Spellcasting", "transcri")],
)
def test_a_boxed_text_is_a_rule_of_its_own(
    embedded_records: list[Record], owner: str, feature: str, absent: str
) -> None:
    record = next(one for one in embedded_records if one.key == owner)
    assert isinstance(record, CharacterClass)
    text = next(one.text for one in record.features if one.name == feature)
    boxes = [one for one in embedded_records if one.kind is Kind.RULE and absent in one.text and "2024" in one.key]
    assert absent not in text
    assert [box.section.key for box in boxes if box.section] == [f"srd-2024_class-{owner.rpartition('_')[2]}"]


def test_a_boxed_text_at_the_top_of_a_page_cuts_no_sentence(embedded_records: list[Record]) -> None:
    rules = {record.key: record for record in embedded_records if record.kind is Kind.RULE}
    assert "abilities and actions. The GM can also" in rules["srd-2024_d20-tests_advantage-disadvantage"].text
    assert rules["srd-2024_d20-tests_heroic-inspiration"].text.startswith("Sometimes the GM")


def test_no_reference_lacks_the_chapter_that_it_names(embedded_records: list[Record]) -> None:
    cut = [record.id for record in embedded_records for _, text in prose(record) if _CUT_REFERENCE.search(text)]
    assert cut == []
