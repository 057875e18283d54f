"""Corrections: each applies to something, is noted, and stops once the upstream is correct."""

from __future__ import annotations

from itertools import chain

import pytest

from lorekeeper_mcp.corrections import applicable, corrected, corrected_keys, rows
from lorekeeper_mcp.corrections.correction_table import STATISTICS
from lorekeeper_mcp.models import Creature, Equipment, Kind, Record, Reference, Rule, Spell
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.adapters import to_record
from lorekeeper_mcp.sources.open5e.adapters.dispatch import ADAPTERS
from srd_converter.srd2014.spells import spells as embedded_spells
from tests.record_pages import markdown
from tests.recorded import needs_recorded
from tests.sources.open5e.adapted_records import adapt, adapted, complete_records, context, records, served_record

pytestmark = needs_recorded


def ids(record: Record) -> set[str]:
    parts = (record.weapon, record.armor) if isinstance(record, Equipment) else ()
    return {record.id, *(f"{STATISTICS}:{part.key}" for part in parts if part)}


def test_every_correction_still_has_something_to_correct() -> None:
    """In Open5e, or in the books' packages, which have errors of their own."""
    every_record = chain(srd.records(), complete_records(), *(records(endpoint) for endpoint in ADAPTERS))
    applied = {(id_, note.field) for record in every_record for note in record.corrections for id_ in ids(record)}
    assert [(id_, row.field) for row in rows() for id_ in row.records if (id_, row.field) not in applied] == []


def test_no_field_of_a_record_is_corrected_twice_in_the_same_way() -> None:
    changes = [(id_, row.field, str(row.wrong), str(row.right)) for row in rows() for id_ in row.records]
    assert sorted(changes) == sorted(set(changes))


def test_a_corrected_record_needs_no_correction() -> None:
    uncorrected = [
        record.id for endpoint in ADAPTERS for record in records(endpoint) if record.corrections and applicable(record)
    ] + [record.id for record in complete_records() if applicable(record)]
    assert uncorrected == []


def test_a_value_that_only_a_merged_record_has_is_corrected() -> None:
    """An action from version 1, one that is joined from two, and a text of the book."""
    creatures = {record.key: record for record in complete_records() if isinstance(record, Creature)}
    expected = {
        ("tob3_dire-pangolin", "Claws"): "11 (2d6+4)",
        ("a5e-mm_ice-devil", "Ice Wall"): "cold damage on a failed save",
        ("srd_lamia", "Innate Spellcasting"): ".\n\n- At will: ",
    }
    for (key, name), text in expected.items():
        parts = (*creatures[key].traits, *creatures[key].actions)
        assert text in next(part.text for part in parts if part.name == name)


def test_a_corrected_field_is_noted_once() -> None:
    fields = {
        record.id: [note.field for note in record.corrections] for endpoint in ADAPTERS for record in records(endpoint)
    }
    assert [id_ for id_, noted in fields.items() if len(noted) > len(set(noted))] == []


def test_correct_upstream_values_are_unchanged() -> None:
    devil = served_record("v2/creatures", "srd_chain-devil")
    assert adapt("v2/creatures", devil, Creature, context()).challenge_rating == 8
    devil["challenge_rating"] = 9.0
    record = adapt("v2/creatures", devil, Creature, context())
    assert record.challenge_rating == 9
    assert "challenge_rating" not in {note.field for note in record.corrections}


@pytest.mark.parametrize("name", ["bard", "cleric", "druid", "paladin", "ranger", "sorcerer", "warlock", "wizard"])
def test_class_lists_of_2014_are_those_of_the_srd(name: str) -> None:
    expected = {spell.key for spell in embedded_spells() if f"srd_{name}" in {ref.key for ref in spell.classes}}
    listed = {
        spell.key
        for spell in records("v2/spells")
        if isinstance(spell, Spell) and f"srd_{name}" in {ref.key for ref in spell.classes}
    }
    assert {key for key in listed if key.startswith("srd_")} == expected


def test_a_corrected_page_shows_open5es_value_and_the_source() -> None:
    elk = adapted("v2/creatures", "srd_giant-elk", Creature)
    assert "**Armor Class** 14" in markdown(elk)
    assert "armor class (Open5e says: 15; here as in SRD 5.1, page 375)" in markdown(elk)


def test_missing_texts_are_added_whole_and_in_paragraphs() -> None:
    spells = {spell.key: spell for spell in records("v2/spells")}
    assert len(spells["srd-2024_greater-invisibility"].text) == 70
    dispel = spells["srd-2024_dispel-evil-and-good"]
    assert len(dispel.text) > 750
    assert "\n\n**Dismissal.** " in dispel.text
    assert "a text of 192 characters" in markdown(dispel)
    assert not spells["srd-2024_tsunami"].text.rstrip().endswith("Spells")
    lightning = spells["srd-2024_chain-lightning"]
    assert isinstance(lightning, Spell)
    assert lightning.higher_level


def test_weapon_stats_are_corrected_in_weapons_and_items() -> None:
    for endpoint, key in (("v2/weapons", "srd_whip"), ("v2/items", "srd_whip"), ("v2/magicitems", "srd_whip-2")):
        whip = adapted(endpoint, key, Equipment)
        assert whip.weapon
        assert {prop.name for prop in whip.weapon.properties} == {"Finesse", "Reach"}
        assert all(prop.text for prop in whip.weapon.properties)
    axe = adapted("v2/weapons", "srd_handaxe", Equipment)
    assert axe.weapon
    assert ("Thrown", "range 20/60") in {(prop.name, prop.detail) for prop in axe.weapon.properties}


@pytest.mark.parametrize(
    ("key", "field", "right"),
    [
        ("srd_magic-missile", "damage_types", ("force",)),
        ("srd_vicious-mockery", "damage_roll", "1d4"),
        ("srd_animal-friendship", "saving_throw", "wisdom"),
        ("srd-2024_scrying", "casting_time_text", "10 minutes"),
        ("srd-2024_simulacrum", "casting_time", "12hours"),
        ("srd-2024_bless", "attack_roll", False),
        ("srd-2024_clairvoyance", "material_consumed", False),
        ("srd-2024_clairvoyance", "material_cost", 100),
        ("srd-2024_spirit-guardians", "shape_type", "emanation"),
    ],
)
def test_spell_fields_follow_the_book(key: str, field: str, right: object) -> None:
    assert getattr(adapted("v2/spells", key, Spell), field) == right


def test_a_creature_of_two_sizes_shows_both() -> None:
    mage = adapted("v2/creatures", "srd-2024_mage", Creature)
    assert markdown(mage).startswith("# Mage\n\n*Medium or Small humanoid")


def test_a_misnamed_rule_gets_the_books_name() -> None:
    rule = adapted("v2/rules", "srd_environment_darkvision", Rule)
    assert rule.name == "Darkvision"


def test_records_of_other_sources_are_left_alone() -> None:
    spell = to_record("v2/spells", {"key": "own_aid", "name": "Aid", "document": {"key": "own"}}, context())
    assert corrected(spell) is spell


def test_corrected_fields_add_the_keys_that_an_upstream_filter_would_miss() -> None:
    assert len(corrected_keys(Kind.SPELL, frozenset({"classes"}))) == 99
    assert "srd_chain-devil" in corrected_keys(Kind.CREATURE, frozenset({"challenge_rating"}))
    assert "srd-2024_octopus" in corrected_keys(Kind.CREATURE, frozenset({"constitution"}))
    assert corrected_keys(Kind.SPELL, frozenset({"school"})) == {
        "srd_mass-cure-wounds",
        "srd_mass-heal",
        "srd_revivify",
    }
    assert corrected_keys(Kind.SPELL, frozenset({"level"})) == frozenset()


def test_embedded_references_are_those_of_the_book() -> None:
    kit, undercommon = srd.record_of("proficiency:srd_forgery-kit"), srd.record_of("language:undercommon")
    assert isinstance(kit, Reference)
    assert isinstance(undercommon, Reference)
    assert kit.type == "Other"
    assert (undercommon.speakers, undercommon.type) == ("Underworld traders", "rare in the 2024 rules")
