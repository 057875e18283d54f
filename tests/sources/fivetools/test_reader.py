"""The place of each construct of a 5etools file in the records."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Record, Spell
from lorekeeper_mcp.sources.imported import ImportedBook, ImportedItem
from tests.record_pages import markdown
from tests.sources.fivetools.invented import FILE, data
from tests.sources.imported_items import field_at, read_file, records_by_name


@cache
def books() -> dict[str, ImportedBook]:
    file = read_file(data(), "fens")
    assert file.fault == ""
    return {book.document.name: book for book in file.books}


def items() -> list[ImportedItem]:
    return [item for book in books().values() for item in book.items]


@cache
def records() -> dict[str, Record]:
    return records_by_name(items())


# ruff: noqa: E501 - a row of a table is one line
# construct -> its place: the record's name, the path in it, the value
TABLE: list[tuple[str, str, str, Any]] = [
    ("key", "Dusk Moth", "key", "orcbrew_lights-of-the-fens_monsters_dusk-moth"),
    ("several sizes", "Dusk Moth", "size_text", "Small or Medium"),
    ("type", "Dusk Moth", "type", "monstrosity"),
    ("type tags", "Dusk Moth", "type_text", "monstrosity (shapechanger, Fen elf)"),
    ("ac with a condition", "Dusk Moth", "armor_text", "15 with mage armor"),
    ("canHover", "Dusk Moth", "hover", True),
    ("resist", "Dusk Moth", "defenses.damage_resistances", ["cold", "bludgeoning"]),
    ("resist note", "Dusk Moth", "defenses.damage_resistances_text", "cold; bludgeoning from nonmagical attacks"),
    ("languages", "Dusk Moth", "language_keys", ["common"]),
    ("trait", "Dusk Moth", "traits.0.text", "It sheds *light*.\n\n- one\n- two"),
    ("action", "Dusk Moth", "actions.0.text",
     "*Melee or Ranged Weapon Attack:* +5 to hit, reach 5 ft. *Hit:* 7 (1d8 + 3) piercing damage, DC 12."),
    ("recharge", "Dusk Moth", "actions.1.uses", "Recharge 5–6"),
    ("2024 save", "Dusk Moth", "actions.1.text", "*Constitution Saving Throw:* *Failure:* Blinded."),
    ("reaction", "Dusk Moth", "actions.4.type", "reaction"),
    ("legendary cost", "Dusk Moth", "actions.5.legendary_cost", 2),
    ("legendaryHeader", "Dusk Moth", "legendary_text", "The moth can take 3 legendary actions."),
    ("spellcasting", "Dusk Moth", "traits.1.text",
     "It casts, DC 11.\n\n- At will: light\n- 2/day each: sleep, blur\n- Cantrips (at will): guidance\n"
     "- 1st level (2 slots): bane\n\nNo components."),
    ("environment", "Dusk Moth", "environments.0.key", "swamp"),
    ("school of the file", "Weigh Light", "school", "lumomancy"),
    ("time", "Lantern Rain", "casting_time", "bonus-action"),
    ("several times", "Lantern Rain", "casting_time_text", "1 bonus action or 10 minutes"),
    ("components.m.consume", "Lantern Rain", "material_consumed", True),
    ("duration", "Lantern Rain", "duration", "up to 10 minutes"),
    ("fromClassList", "Lantern Rain", "classes.0.key", "srd_wizard"),
    ("class of the file", "Lantern Rain", "classes.1.key", "orcbrew_lights-of-the-fens_classes_lamplighter"),
    ("fromSubclass", "Lantern Rain", "subclasses.0.name", "Light (Cleric)"),
    ("damage tag", "Lantern Rain", "damage_roll", "3d6"),
    ("entriesHigherLevel", "Lantern Rain", "higher_level", "One more d6."),
    ("baseitem weapon", "Wick Knife", "kind", "weapon"),
    ("versatile", "Wick Knife", "weapon.properties.2.detail", "1d6"),
    ("itemProperty", "Wick Knife", "weapon.properties.3", {"name": "Wicked", "detail": "", "text": "It holds a wick.", "type": ""}),
    ("range of a weapon", "Wick Knife", "weapon.long_range", 60.0),
    ("armor", "Wax Coat", "armor.ac_text", "14 + Dex modifier (max 2)"),
    ("wondrous", "Ever Candle", "category", "wondrous-item"),
    ("reqAttune", "Ever Candle", "attunement_text", "requires attunement by a wizard"),
    ("attachedSpells", "Ever Candle", "other.3.text", "light, daylight"),
    ("bonusAc", "Ever Candle", "other.4.text", "+1"),
    ("generic variant", "Glowing Sword", "rarity", "rare"),
    ("variant's text", "Glowing Sword", "text", "You have a +1 bonus with it."),
    ("casterProgression", "Lamplighter", "caster_type", "half"),
    ("refClassFeature", "Lamplighter", "features.0.text", "You light things.\n\n**Flame.** It burns blue."),
    ("classTableGroups", "Lamplighter", "table.0.cells", {"1": "2", "2": "3"}),
    ("subclass", "Green Guild", "subclass_of.key", "orcbrew_lights-of-the-fens_classes_lamplighter"),
    ("subclassFeature", "Green Guild", "features.0.text", "It burns green."),
    ("additionalSpells", "Green Guild", "spells.0.text", "prepared: (3: entangle, spike growth)"),
    ("orphan feature", "Ember", "kind", "rule"),
    ("race speed", "Mothfolk", "speed", "25 ft., fly 30 ft."),
    ("ability", "Mothfolk", "traits.1.text", "Dexterity +2, choose 1 from Intelligence, Wisdom"),
    ("subraces", "Mothfolk (Luna)", "subspecies_of.key", "orcbrew_lights-of-the-fens_races_mothfolk"),
    ("subrace", "Gnome (Fen)", "subspecies_of.key", "srd_gnome"),
    ("background feature", "Lamp Keeper", "benefits.3.name", "Feature: Night Watch"),
    ("startingEquipment", "Lamp Keeper", "benefits.2.text", "torch; pouch (contains value: 10 gp)"),
    ("prerequisite", "Ash Walker", "prerequisite",
     "level 4, Dexterity 13, Spellcasting"),
    ("feat category", "Ash Walker", "type", "General"),
    ("prerequisite of a class", "Long Wick", "prerequisite", "level 5 Lamplighter"),
    ("variantrule", "Dim Light", "section.name", "Variantrule"),
    ("language", "Flicker", "script", "lamp"),
    ("_copy", "Elder Moth", "hit_points", 99),
    ("_mod replaceArr", "Elder Moth", "actions.0.name", "Great Bite"),
    ("_mod appendArr", "Elder Moth", "actions.2.name", "Roar"),
    ("_mod replaceTxt", "Elder Moth", "traits.0.text", "It pours *light*.\n\n- one\n- two"),
]  # fmt: skip


@pytest.mark.parametrize(("construct", "name", "path", "value"), TABLE, ids=[row[0] for row in TABLE])
def test_a_construct_is_read_into_its_field(construct: str, name: str, path: str, value: Any) -> None:
    assert field_at(records()[name], path) == value, construct


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Lantern Rain", "**Embers.** Who looks long is blinded."),
        ("Lantern Rain", "**Colours**\n\n| d4 | Colour |\n|---|---|\n| 1–2 | red |\n| 3 | blue |"),
        ("Lantern Rain", "> Light is patient.\n>\n> — Vell"),
        ("Lantern Rain", "> **Note**\n>\n> Inset."),
        ("Lantern Rain", "**Spell save DC** = 8 + your proficiency bonus + your Intelligence or Wisdom modifier"),
        ("Dim Light", "## Dusk\n\nIt is dim."),
    ],
)
def test_a_text_reads_as_a_book_prints_it(name: str, text: str) -> None:
    assert text in records()[name].text


def test_lore_lair_actions_and_unmapped_fields_are_shown() -> None:
    page = markdown(records()["Dusk Moth"])
    for text in ("Old songs tell of moths.", "Dust falls.", "It is dim.", "***Treasure.***", "lair: 1"):
        assert text in page, text


def test_a_table_of_the_file_is_a_table() -> None:
    omens = records()["Omens"]
    assert omens.text == "| d2 | Omen |\n|---|---|\n| 1 | ash |\n| 2 | rain |"
    assert omens.other == ()


def test_books_are_the_sources_of_the_file() -> None:
    document = books()["Lights of the Fens"].document
    assert (document.author, document.permalink, str(document.published)) == (
        "A. Reed, B. Moth",
        "https://example.org/fens",
        "2024-03-01",
    )
    assert set(books()) == {"Lights of the Fens", "The Bog", "fens"}


def test_every_loss_is_reported() -> None:
    skipped = {item.path: item.reason for item in items() if item.reason}
    assert skipped == {
        "Lights of the Fens › monsters › Lost Moth": 'it is a copy of "Gnarl" (MM), which is not in these files, the SRD or the store',
        "fens › foundryMonster": "1 entry is data for another program",
    }
    counted = {"monster": 3, "spell": 3, "baseitem": 3, "item": 2, "feat": 1, "table": 1, "condition": 1}
    for section, number in counted.items():
        assert len(FILE[section]) == number
    assert not [name for name, record in records().items() if "{@" in record.model_dump_json()]


def test_each_section_has_its_record_type() -> None:
    assert isinstance(records()["Dusk Moth"], Creature)
    assert isinstance(records()["Lantern Rain"], Spell)
    assert isinstance(records()["Wick Knife"], Equipment)
    assert isinstance(records()["Lamplighter"], CharacterClass)
