"""Sections of a 5etools file: their kinds of records, copies in them, and values without a field of their own."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import CharacterClass, Creature, Kind
from lorekeeper_mcp.sources.originals import Originals
from tests.sources.fivetools.invented import FILE, SOURCE, data, item
from tests.sources.imported_items import field_at, read_file, read_items, read_records, records_by_name


@pytest.mark.parametrize(("source", "name"), [("MM", "Goblin"), ("XMM", "Goblin Warrior")])
def test_a_copy_of_an_srd_creature_is_resolved(source: str, name: str) -> None:
    mods = {
        "*": {"mode": "replaceTxt", "replace": "slashing", "with": "fire", "flags": "i"},
        "action": {"mode": "removeArr", "names": "Shortbow"},
        "senses": {"mode": "appendArr", "items": "truesight 30 ft."},
    }
    copy = item("Wick Goblin", _copy={"name": name, "source": source, "_mod": mods}, hp={"average": 30})
    goblin = read_records({"monster": [copy]})["Wick Goblin"]
    assert isinstance(goblin, Creature)
    assert (goblin.size, goblin.hit_points, goblin.armor_class) == ("small", 30, 15)
    assert (goblin.senses.darkvision, goblin.senses.passive_perception) == (60, 9)
    assert "a stored record" in goblin.other[0].text
    assert goblin.document_source == "orcbrew"
    assert [action.name for action in goblin.actions if action.type == "action"] == ["Scimitar"]
    assert "+4" in goblin.actions[0].text
    assert "fire damage" in goblin.actions[0].text


SECTIONS = [
    "action", "adventure", "book", "boon", "card", "charoption", "cult", "deck", "deity", "disease", "encounter", "facility",
    "hazard", "itemMastery", "object", "psionic", "recipe", "reward", "sense", "skill", "trap", "variantrule", "vehicle",
    "vehicleUpgrade",
]  # fmt: skip


@pytest.mark.parametrize("section", SECTIONS)
def test_any_other_list_is_a_chapter_of_rules(section: str) -> None:
    [book] = read_file({"_meta": FILE["_meta"], section: [item("Thing", entries=["It {@b is}."])]}).books
    [thing] = book.items
    assert thing.record is not None, thing.reason
    assert (thing.record.kind, thing.record.text) == (Kind.RULE, "It **is**.")
    assert section in book.unknown


def test_parts_that_nothing_uses_are_rules() -> None:
    lone = {"legendaryGroup": [item("Lone", lairActions=["Mist."])], "itemProperty": [
        {"abbreviation": "ZZ", "source": SOURCE, "name": "Zest", "entries": ["It zings."]}
    ]}  # fmt: skip
    records = records_by_name(read_items(data(**lone)))
    assert (records["Lone"].kind, records["Zest"].kind) == (Kind.RULE, Kind.RULE)
    assert "Moth" not in records, "that of the file's own moth stands in it"


def test_a_copy_is_resolved_from_another_file() -> None:
    copy = {"monster": [item("Pale Moth", _copy={"name": "Dusk Moth", "source": SOURCE}, hp={"average": 5})]}
    [alone] = read_items(copy)
    assert "not in these files" in alone.reason
    [beside] = read_items(copy, "x", Originals(lambda: [FILE]))
    assert isinstance(beside.record, Creature)
    assert (beside.record.name, beside.record.armor_class, beside.record.hit_points) == ("Pale Moth", 13, 5)


LISTED: list[tuple[str, dict[str, Any], str, str]] = [
    ("item", {"type": "M", "weaponCategory": "exotic", "dmg1": "1d6"}, "weaponCategory", "exotic"),
    ("item", {"type": "M", "range": "far"}, "range", "far"),
    ("item", {"rechargeAmount": "{@dice 1d4}"}, "rechargeAmount", "1d4"),
    ("item", {"attachedSpells": {"daily": {"1e": ["fog", "web"]}}}, "attachedSpells", "daily: (1e: fog, web)"),
    ("item", {"packContents": ["a | b", {"item": "rope|xphb", "quantity": 2}]}, "packContents", "a | b; rope (quantity: 2)"),
    ("item", {"fluff": {"entries": ["Old."]}}, "Lore", "Old."),
    ("class", {"casterProgression": "2/3"}, "casterProgression", "2/3"),
    ("class", {"classTableGroups": [{"title": "Slots", "colLabels": ["1st"], "rows": []}]}, "Table", "Slots, 1st"),
    ("monster", {"cr": {"cr": "1", "xpLair": 300}}, "cr", "xp lair: 300"),
    ("monster", {"ac": [{"special": "11 + its master's"}]}, "ac", "11 + its master's"),
    ("feat", {"additionalSpells": [{"innate": {"3": ["fog|x"]}, "known": {"1": [{"choose": "level=0|class=Wizard"}]}}]},
     "Spells", "innate: (3: fog); known: (1: choose 1 from level 0, class Wizard)"),
    ("magicvariant", {"requires": [{"type": "HA"}, {"name": "Net"}], "inherits": {"rarity": "rare"}}, "made of", "type: HA; Net"),
    ("magicvariant", {"requires": [{"sword": True}], "inherits": {"rarity": "rare"}, "excludes": {"name": "Hide"}}, "not made of", "Hide"),
]  # fmt: skip


@pytest.mark.parametrize(("section", "fields", "name", "text"), LISTED)
def test_a_value_without_a_field_is_shown_under_its_own_name(
    section: str, fields: dict[str, Any], name: str, text: str
) -> None:
    [record] = read_records({section: [item("X", **fields)]}).values()
    assert {section.name: section.text for section in record.other}.get(name) == text


def test_a_named_block_of_any_type_keeps_its_text() -> None:
    block = {"name": "Dust", "type": "list", "items": ["one", "two"]}
    records = read_records({"monster": [item("X", trait=[block])], "race": [item("Y", entries=[block])]})
    assert [field_at(record, "traits.0.text") for record in records.values()] == ["- one\n- two"] * 2


def test_a_table_of_the_class_keeps_columns_without_a_label() -> None:
    groups = [{"colLabels": ["Wicks"], "rows": [["2", "9"], ["3"]]}]
    [record] = read_records({"class": [item("X", classTableGroups=groups)]}).values()
    assert isinstance(record, CharacterClass)
    assert [(column.name, column.cells) for column in record.table] == [("Wicks", {1: "2", 2: "3"}), ("", {1: "9"})]
