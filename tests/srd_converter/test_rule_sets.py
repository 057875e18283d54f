from __future__ import annotations

from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Record, Ref, Rule
from srd_converter.rule_sets import BOXED, RuleText, rule_set
from srd_converter.srd2024.document import COMMON


def rule(name: str, depth: int = 1) -> RuleText:
    return RuleText(name.lower(), name, f"What {name} means.", depth)


def parts(*rules: RuleText) -> dict[str, list[str]]:
    """The parts of the set and of each of its rules, by name."""
    records = rule_set(Ref(name="Set", key="set"), "", rules, COMMON, header_level=3)
    return {record.name: [ref.name for ref in record.rules] for record in records}


def test_a_rule_has_those_right_below_it_up_to_the_next_of_its_depth() -> None:
    assert parts(rule("Boat"), rule("Oar", 2), rule("Blade", 3), rule("Sail", 2), rule("Moor")) == {
        "Set": ["Boat", "Oar", "Blade", "Sail", "Moor"],
        "Boat": ["Oar", "Sail"],
        "Oar": ["Blade"],
        "Blade": [],
        "Sail": [],
        "Moor": [],
    }


def test_a_boxed_text_is_no_part_of_the_rule_around_it() -> None:
    found = parts(rule("Boat"), rule("Oar", 2), rule("Lore", BOXED), rule("Sail", 2))
    assert found == {"Set": ["Boat", "Oar", "Lore", "Sail"], "Boat": ["Oar", "Sail"], "Oar": [], "Lore": [], "Sail": []}


def test_the_level_of_a_heading_grows_with_its_depth() -> None:
    rules = [rule("Boat"), rule("Oar", 2), rule("Lore", BOXED)]
    _, *below = rule_set(Ref(name="Set", key="set"), "", rules, COMMON, header_level=3)
    assert [record.header_level for record in below] == [3, 4, 3]


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("srd-2024_combat_underwater-combat", ["Impeded Weapons", "Fire Resistance"]),
        ("srd-2024_combat_the-order-of-combat", ["Combat Step by Step", "Initiative", "Your Turn", "Ending Combat"]),
        ("srd-2024_curses-and-magical-contagions_magical-contagions", ["Rest and Recuperation", "Example Contagions"]),
        ("srd-2024_casting-spells_attack-rolls", []),
        ("srd_monsters_senses", ["Blindsight", "Darkvision", "Tremorsense", "Truesight"]),
        ("srd_environment_food-and-water", ["Food", "Water"]),
        ("srd_abilities_lifting-and-carrying", ["Variant: Encumbrance"]),
        ("srd_abilities_charisma", ["Charisma Checks", "Spellcasting Ability (Charisma)"]),
    ],
)
def test_a_rule_lists_the_headings_below_it_in_the_book(
    embedded_records: list[Record], key: str, names: list[str]
) -> None:
    record = next(record for record in embedded_records if record.id == f"rule:{key}")
    assert isinstance(record, Rule)
    assert [ref.name for ref in record.rules] == names


def test_a_rule_that_only_introduces_others_lists_them(embedded_records: list[Record]) -> None:
    rules: Mapping[str, Rule] = {record.key: record for record in embedded_records if isinstance(record, Rule)}
    introducing = [
        record.key
        for record in rules.values()
        if record.section
        and record.text.endswith(("these rules.", "following parts.", "following sections.", "detailed below."))
    ]
    assert len(introducing) >= 5
    assert [key for key in introducing if not rules[key].rules] == []


def test_a_class_chapter_without_its_features_refers_to_the_class(embedded_records: list[Record]) -> None:
    all_records = {record.id: record for record in embedded_records}
    sets = {key: record for key, record in all_records.items() if key.startswith("rule-set:") and "_class-" in key}
    assert len(sets) == 24
    for key, record in sets.items():
        (class_,) = record.see_also
        assert class_.key == key.partition(":")[2].replace("class-", "")
        assert all_records[f"class:{class_.key}"].name == class_.name
