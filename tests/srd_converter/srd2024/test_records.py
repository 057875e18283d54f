"""The embedded SRD 5.2 as a whole: its records, their sources, and facts that every player knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from lorekeeper_mcp.models import (
    CharacterClass,
    Creature,
    Edition,
    Equipment,
    Feat,
    Kind,
    Record,
    Source,
    Species,
    Spell,
    model_of,
)
from lorekeeper_mcp.render.pages import record_page
from srd_converter.book2024 import pages as book
from srd_converter.srd2024 import document as revised

COUNTS = {
    Kind.DOCUMENT: 1, Kind.SPELL: 339, Kind.CREATURE: 330, Kind.WEAPON: 38, Kind.ARMOR: 13, Kind.ITEM: 148,
    Kind.SERVICE: 35,
    Kind.MAGIC_ITEM: 258, Kind.WEAPON_PROPERTY: 18, Kind.CLASS: 12, Kind.SUBCLASS: 12, Kind.SPECIES: 9,
    Kind.BACKGROUND: 4, Kind.FEAT: 17, Kind.RULE: 483, Kind.RULE_SET: 66,
}  # fmt: skip


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


def test_every_kind_has_all_its_records(srd52: Mapping[str, Record]) -> None:
    assert Counter(record.kind for record in srd52.values()) == COUNTS


def test_every_record_names_its_source(srd52: Mapping[str, Record]) -> None:
    for record in srd52.values():
        assert record.key.startswith("srd-2024"), record.id
        assert record.document_name == revised.DOCUMENT.name, record.id
        assert record.document_source is Source.SRD, record.id
        assert (record.license, record.publisher) == ("CC-BY-4.0", "Wizards of the Coast"), record.id
        assert record.editions == (Edition.E2024,), record.id
        assert isinstance(record, model_of(record.kind)), record.id


def test_the_document_carries_the_attribution_that_the_book_asks_for() -> None:
    asked = book.read().prose(book.read().between(1, 1))
    assert re.sub(r"\W+", "", revised.DOCUMENT.attribution) in re.sub(r"\W+", "", asked)


_TRACE = re.compile(r"\w -\w|\w- (?!and |or )\w| ,|\xad|[^\S\n]{2}")


def _without_tables(text: str) -> str:
    return re.sub(r"(?m)^\|.*\n?", "", text)


def test_no_text_contains_page_furniture(srd52: Mapping[str, Record]) -> None:
    found = [
        (record.id, text)
        for record in srd52.values()
        for text in texts(record.model_dump(exclude={"document_name", "name", "attribution"}))
        if "System Reference Document" in text or _TRACE.search(_without_tables(text))
    ]
    assert found == []


def test_described_kinds_have_text(srd52: Mapping[str, Record]) -> None:
    kinds = {Kind.SPELL, Kind.MAGIC_ITEM, Kind.RULE, Kind.SUBCLASS, Kind.FEAT, Kind.WEAPON_PROPERTY}
    bare = {record.key for record in srd52.values() if record.kind in kinds and len(record.text) < 30}
    assert bare == set()


def test_a_spell_is_as_printed(srd52: Mapping[str, Record]) -> None:
    fireball = srd52["spell:srd-2024_fireball"]
    assert isinstance(fireball, Spell)
    assert (fireball.level, fireball.school, fireball.range) == (3, "evocation", 150.0)
    assert [one.name for one in fireball.classes] == ["Sorcerer", "Wizard"]
    assert (fireball.saving_throw, fireball.damage_types, fireball.damage_roll) == ("dexterity", ("fire",), "8d6")
    assert (fireball.shape_type, fireball.shape_size, fireball.shape_unit) == ("sphere", 20.0, "feet")
    assert "Steed" not in fireball.text
    assert "1d6" in fireball.higher_level
    assert {one.type: one.damage_roll for one in fireball.casting_options} == {
        f"slot_level_{level}": f"{level + 5}d6" for level in range(4, 10)
    }


@pytest.mark.parametrize(
    ("spell", "name"),
    [
        ("find-steed", "Otherworldly Steed"),
        ("animate-objects", "Animated Object"),
        ("summon-dragon", "Draconic Spirit"),
    ],
)
def test_a_stat_block_is_only_in_its_spell(srd52: Mapping[str, Record], spell: str, name: str) -> None:
    having = {
        record.key for record in srd52.values() if isinstance(record, Spell) and f"**{name}**\n\n*" in record.text
    }
    assert having == {f"srd-2024_{spell}"}
    text = srd52[f"spell:srd-2024_{spell}"].text
    assert re.search(r"\n- \*\*AC\*\* \d+[^\n]*\n- \*\*HP\*\* \d+", text)
    assert "| Str | Dex | Con | Int | Wis | Cha |\n| --- |" in text


def test_a_dragon_is_as_printed(srd52: Mapping[str, Record]) -> None:
    dragon = srd52["creature:srd-2024_adult-red-dragon"]
    assert isinstance(dragon, Creature)
    assert (dragon.armor_class, dragon.hit_points, dragon.hit_dice) == (19, 256, "19d12 + 133")
    assert (dragon.challenge_rating, dragon.experience_points, dragon.proficiency_bonus) == (17, 18000, 6)
    assert (dragon.type, dragon.type_text, dragon.size) == ("dragon", "Dragon (Chromatic)", "huge")
    assert dragon.speed == {"walk": 40, "climb": 40, "fly": 80}
    assert (dragon.saving_throws["dexterity"], dragon.skills["perception"]) == (6, 13)
    assert (dragon.senses.blindsight, dragon.senses.passive_perception) == (60, 23)
    breath = next(action for action in dragon.actions if action.name == "Fire Breath")
    assert breath.uses == "Recharge 5–6"
    assert [a.name for a in dragon.actions if a.type == "legendary-action"] == [
        "Commanding Presence", "Fiery Rays", "Pounce",
    ]  # fmt: skip
    assert "XP in its lair: 20,000." in dragon.legendary_text


def test_no_action_ends_in_the_heading_of_another_creature(srd52: Mapping[str, Record]) -> None:
    ends = [
        (record.key, section.name, section.text[-30:])
        for record in srd52.values()
        if isinstance(record, Creature)
        for section in (*record.traits, *record.actions)
        if section.name not in {"Spellcasting", "Gear", "Speed"} and not re.search(r"[.!?)\"]$|\d$", section.text)
    ]
    assert ends == []


def test_equipment_is_as_printed(srd52: Mapping[str, Record]) -> None:
    axe, plate = srd52["weapon:srd-2024_battleaxe"], srd52["armor:srd-2024_plate-armor"]
    assert isinstance(axe, Equipment)
    assert isinstance(plate, Equipment)
    assert axe.weapon
    assert plate.armor
    assert (axe.cost, axe.weight, axe.weapon.two_handed_damage) == (10, 4, "1d10")
    assert [(one.name, one.type) for one in axe.weapon.properties] == [("Versatile", ""), ("Topple", "Mastery")]
    assert all(one.text for one in axe.weapon.properties)
    assert (plate.armor.ac_base, plate.armor.strength_required, plate.armor.stealth_disadvantage) == (18, 15, True)
    deck = srd52["magic-item:srd-2024_mysterious-deck"]
    assert isinstance(deck, Equipment)
    assert (deck.rarity, deck.requires_attunement) == ("legendary", False)
    avenger = srd52["magic-item:srd-2024_holy-avenger"]
    assert isinstance(avenger, Equipment)
    assert avenger.attunement_text == "Requires Attunement by a Paladin"


def test_character_options_are_as_printed(srd52: Mapping[str, Record]) -> None:
    wizard, grappler = srd52["class:srd-2024_wizard"], srd52["feat:srd-2024_grappler"]
    elf = srd52["species:srd-2024_elf"]
    assert isinstance(wizard, CharacterClass)
    assert isinstance(grappler, Feat)
    assert isinstance(elf, Species)
    assert (wizard.hit_dice, wizard.caster_type, wizard.primary_abilities) == ("d6", "full", ("Intelligence",))
    columns = {column.name: column.cells for column in wizard.table}
    assert (columns["9th"], columns["Prepared Spells"][20]) == ({17: "1", 18: "1", 19: "1", 20: "1"}, "25")
    assert {one.name: one.levels for one in wizard.features}["Ability Score Improvement"] == (4, 8, 12, 16)
    assert (grappler.type, grappler.prerequisite) == ("General", "Level 4+, Strength or Dexterity 13+")
    assert {"Trance", "Elven Lineage", "Keen Senses"} <= {trait.name for trait in elf.traits}
    hand = srd52["subclass:srd-2024_warrior-of-the-open-hand"]
    assert isinstance(hand, CharacterClass)
    assert hand.subclass_of
    assert hand.subclass_of.key == "srd-2024_monk"


def test_a_chapter_of_a_class_ends_where_its_subclass_begins(srd52: Mapping[str, Record]) -> None:
    lists = [record for record in srd52.values() if record.key.endswith("-spell-list")]
    assert len(lists) == 8
    assert [record.key for record in lists if "Core " in record.text or " Subclass:" in record.text] == []


@pytest.mark.parametrize(
    ("id_", "rows"),
    [
        ("species:srd-2024_elf", 3),
        ("species:srd-2024_tiefling", 3),
        ("subclass:srd-2024_circle-of-the-land", 28),
        ("spell:srd-2024_teleport", 6),
        ("magic-item:srd-2024_staff-of-the-magi", 19),
        ("rule:srd-2024_rules-glossary_damage-types", 13),
        ("rule:srd-2024_create-your-character_choose-class", 12),
        ("rule:srd-2024_rules-glossary_carrying-capacity", 5),
    ],
)
def test_tables_have_their_columns_and_rows(srd52: Mapping[str, Record], id_: str, rows: int) -> None:
    lines = [line for line in record_page(srd52[id_]).split("\n") if line.startswith("|")]
    assert len(lines) - 2 == rows


def test_spells_name_the_subclasses_that_have_them_on_a_list(srd52: Mapping[str, Record]) -> None:
    spells = [record for record in srd52.values() if isinstance(record, Spell)]
    listed = Counter(ref.name for spell in spells for ref in spell.subclasses)
    assert listed == {
        "Circle of the Land": 24,
        "Life Domain": 10,
        "Oath of Devotion": 10,
        "Draconic Sorcery": 10,
        "Fiend Patron": 10,
    }


def test_an_option_with_its_cost_is_a_named_paragraph(srd52: Mapping[str, Record]) -> None:
    thief = srd52["subclass:srd-2024_thief"]
    assert isinstance(thief, CharacterClass)
    (sneak,) = [one for one in thief.features if one.name == "Supreme Sneak"]
    assert "**Stealth Attack (Cost: 1d6).** If you have" in sneak.text


def test_a_price_by_the_bottle_says_so(srd52: Mapping[str, Record]) -> None:
    wine = srd52["service:srd-2024_wine-common"]
    assert isinstance(wine, Equipment)
    assert (wine.cost, wine.cost_unit) == (0.2, "bottle")
