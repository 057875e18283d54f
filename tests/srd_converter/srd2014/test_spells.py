"""Spells: facts that every player knows, as in the records."""

from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Record, Ref, Spell


def spell(srd: Mapping[str, Record], name: str) -> Spell:
    record = srd[f"spell:srd_{name}"]
    assert isinstance(record, Spell)
    return record


def test_fireball_is_as_printed(srd: Mapping[str, Record]) -> None:
    fireball = spell(srd, "fireball")
    assert (fireball.name, fireball.level, fireball.school) == ("Fireball", 3, "evocation")
    assert (fireball.range, fireball.range_unit, fireball.range_text) == (150.0, "feet", "150 feet")
    assert fireball.classes == (Ref(name="Sorcerer", key="srd_sorcerer"), Ref(name="Wizard", key="srd_wizard"))
    assert Ref(name="The Fiend", key="srd_the-fiend") in fireball.subclasses
    assert (fireball.saving_throw, fireball.damage_types, fireball.damage_roll) == ("dexterity", ("fire",), "8d6")
    assert (fireball.shape_type, fireball.shape_size, fireball.shape_unit) == ("sphere", 20.0, "feet")
    assert (fireball.casting_time, fireball.casting_time_text) == ("action", "1 action")
    assert (fireball.duration, fireball.concentration, fireball.ritual) == ("instantaneous", False, False)
    assert {option.type: option.damage_roll for option in fireball.casting_options} == {
        f"slot_level_{level}": f"{level + 5}d6" for level in range(4, 10)
    }


def test_a_cantrip_grows_with_the_character(srd: Mapping[str, Record]) -> None:
    bolt = spell(srd, "fire-bolt")
    assert (bolt.level, bolt.damage_roll, bolt.attack_roll) == (0, "1d10", True)
    assert [(one.type, one.damage_roll) for one in bolt.casting_options] == [
        ("player_level_5", "2d10"),
        ("player_level_11", "3d10"),
        ("player_level_17", "4d10"),
    ]


def test_healing_is_no_damage_and_its_increase_is_in_words(srd: Mapping[str, Record]) -> None:
    cure = spell(srd, "cure-wounds")
    assert (cure.damage_roll, cure.damage_types, cure.casting_options) == ("", (), ())
    assert "1d8" in cure.higher_level


def test_a_spell_with_two_damage_types_has_both(srd: Mapping[str, Record]) -> None:
    assert spell(srd, "ice-storm").damage_types == ("bludgeoning", "cold")


def test_the_duration_omits_concentration(srd: Mapping[str, Record]) -> None:
    haste = spell(srd, "haste")
    assert (haste.duration, haste.concentration) == ("1 minute", True)


@pytest.mark.parametrize("name", ["counterspell", "feather-fall", "hellish-rebuke", "shield"])
def test_reactions_have_a_trigger(srd: Mapping[str, Record], name: str) -> None:
    assert spell(srd, name).casting_time == "reaction"
    assert spell(srd, name).reaction_condition.startswith("which you take ")


def test_range_time_and_duration_are_as_printed(srd: Mapping[str, Record]) -> None:
    assert spell(srd, "burning-hands").range_text == "Self (15-foot cone)"
    assert spell(srd, "plant-growth").casting_time_text == "1 action or 8 hours"
    assert spell(srd, "thaumaturgy").duration == "up to 1 minute"
    assert spell(srd, "glyph-of-warding").duration == "until dispelled or triggered"


@pytest.mark.parametrize(
    ("name", "cost", "consumed"),
    [("revivify", 300.0, True), ("identify", 100.0, False), ("gate", 5000.0, False), ("web", None, False)],
)
def test_material_costs_are_parsed(srd: Mapping[str, Record], name: str, cost: float | None, consumed: bool) -> None:
    assert (spell(srd, name).material_cost, spell(srd, name).material_consumed) == (cost, consumed)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cure-wounds", (0.0, "feet")),
        ("shield", (0.0, "feet")),
        ("clairvoyance", (1.0, "miles")),
        ("project-image", (500.0, "miles")),
        ("sending", (999999.0, "miles")),
    ],
)
def test_ranges_have_open5es_form(srd: Mapping[str, Record], name: str, expected: tuple[float, str]) -> None:
    assert (spell(srd, name).range, spell(srd, name).range_unit) == expected


@pytest.mark.parametrize(
    ("name", "classes"),
    [("bless", {"Cleric", "Paladin"}), ("faerie-fire", {"Bard", "Druid"}), ("meld-into-stone", {"Cleric", "Druid"})],
)
def test_class_lists_are_those_of_the_book(srd: Mapping[str, Record], name: str, classes: set[str]) -> None:
    assert {one.name for one in spell(srd, name).classes} == classes


def test_tables_stay_tables(srd: Mapping[str, Record]) -> None:
    rows = [line for line in spell(srd, "confusion").text.split("\n") if line.startswith("|")]
    assert len(rows) == 6
    assert "\n".join(rows) in spell(srd, "confusion").text


def test_flat_areas_are_not_cubes(srd: Mapping[str, Record]) -> None:
    assert (spell(srd, "forbiddance").shape_type, spell(srd, "forbiddance").shape_size) == ("", None)


def test_materials_are_those_of_the_book(srd: Mapping[str, Record]) -> None:
    assert spell(srd, "shatter").material_text == "a chip of mica"
    assert spell(srd, "confusion").material_text == "three nut shells"
