"""The stat block, the spell and the item that all homebrew readers produce, from printed strings."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import Creature, Kind
from lorekeeper_mcp.sources.item_form import ArmorForm, ItemForm, WeaponForm, pounds, price, to_equipment
from lorekeeper_mcp.sources.spell_form import SpellForm, to_spell
from lorekeeper_mcp.sources.stat_block import StatBlock, heading, speeds, to_creature

pytestmark = pytest.mark.unit


def creature(**lines: object) -> Creature:
    return to_creature(StatBlock(name="Moth", **lines), "Fens")  # type: ignore[arg-type]


def also(record: Creature) -> dict[str, str]:
    return {section.name: section.text for section in record.other}


def test_numbers_are_read_from_printed_lines() -> None:
    moth = creature(
        armor="15 (dusty wings)",
        hit_points="1,037 (5d10 + 10)",
        challenge="CR 1/4 (50 XP)",
        type="swarm of tiny beasts",
        speed="30 ft., fly 60 ft. (hover)",
        senses="darkvision 60 ft., passive Perception 13",
    )
    assert (moth.armor_class, moth.armor_text, moth.hit_points, moth.hit_dice) == (15, "dusty wings", 1037, "5d10+10")
    assert (moth.challenge_rating, moth.experience_points, moth.type) == (0.25, 50, "beast")
    assert (moth.speed, moth.hover) == ({"walk": 30.0, "fly": 60.0}, True)
    assert (moth.senses.darkvision, moth.senses.passive_perception) == (60.0, 13)
    assert moth.other == ()


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("30 ft. fly 60 ft.", {"walk": 30.0, "fly": 60.0}),
        ("walking 30 feet, swimming speed 40 feet", {"walk": 30.0, "swim": 40.0}),
        ("30 pies, volar 60 pies", {"walk": 30.0}),
        ("9 m, vuela 18 m", {}),
        ("7,5 m", {}),
        ("30 ft., 40 ft. in moth form", {"walk": 30.0}),
    ],
)
def test_speeds_in_feet_are_read_and_no_others(line: str, read: dict[str, float]) -> None:
    assert speeds(line) == read


def test_lines_of_another_language_stay_as_written() -> None:
    moth = creature(
        size="Grande",
        type="monstruosidad",
        skills={"Percepción": 5, "Stealth": 4},
        speed="9 m, vuela 18 m",
        senses="visión en la oscuridad 18 m, Percepción pasiva 15",
        hit_points="3d8+6",
        challenge="0,5",
    )
    assert (moth.size_text, moth.type_text, moth.skills) == ("Grande", "monstruosidad", {"percepción": 5, "stealth": 4})
    assert (moth.hit_points, moth.hit_dice, moth.challenge_rating) == (None, "3d8+6", 0.5)
    assert also(moth) == {"speed": "9 m, vuela 18 m"}
    assert "Percepción pasiva 15" in moth.senses.text


def test_what_a_spell_does_not_say_is_read_from_its_text() -> None:
    text = "You fling light. A creature must make a Dexterity saving throw or take 3d6 radiant damage."
    form = SpellForm(
        level=2,
        school="Evocation",
        casting_time="1 reaction, which you take when you fall",
        range="Self (15-foot cone)",
        material_text="a wick worth 50 gp, which the spell consumes",
        duration="Concentration, up to 1 minute",
    )
    head = heading("Fens", "spells", "Flare", Kind.SPELL, f"{text}\n\n**At Higher Levels.** One more die.")
    spell = to_spell(form, head)
    assert (spell.text, spell.higher_level) == (text, "One more die.")
    assert (spell.casting_time, spell.reaction_condition) == ("reaction", "which you take when you fall")
    assert (spell.range, spell.shape_type, spell.shape_size) == (0.0, "cone", 15.0)
    assert (spell.material, spell.material_cost, spell.material_consumed) == (True, 50.0, True)
    assert (spell.duration, spell.concentration) == ("1 minute", True)
    assert (spell.damage_types, spell.damage_roll, spell.saving_throw) == (("radiant",), "3d6", "dexterity")


def test_the_range_of_a_spell_is_a_distance() -> None:
    distances = {"60 feet": (60.0, "feet"), "1 mile": (1.0, "miles"), "18 m": (60.0, "feet"), "Touch": (0.0, "feet"),
                 "Sight": (None, "")}  # fmt: skip
    for line, distance in distances.items():
        spell = to_spell(SpellForm(level=0, range=line), heading("Fens", "spells", "Flare", Kind.SPELL))
        assert (spell.range, spell.range_unit) == distance


def test_items_have_rarity_and_numbers() -> None:
    head = heading("Fens", "items", "Knife", Kind.MAGIC_ITEM)
    weapon = WeaponForm(damage="1d4", damage_type="Piercing", two_handed="1d6", training="simple")
    knife = to_equipment(ItemForm(rarity="Very Rare", weapon=weapon, armor=ArmorForm("medium", 13)), head)
    assert (knife.rarity, knife.rarity_text, knife.requires_attunement) == ("very-rare", "", False)
    assert knife.weapon is not None and knife.armor is not None
    assert (knife.weapon.damage_type, [prop.name for prop in knife.weapon.properties]) == ("piercing", ["Versatile"])
    assert knife.armor.ac_text == "13 + Dex modifier (max 2)"
    assert to_equipment(ItemForm(rarity="uncommon (+1) or rare (+2)"), head).rarity_text == "uncommon (+1) or rare (+2)"
    prices = (15, "2,000 gp", "5 sp", {"num": 3, "type": "sp"}, "much", None)
    assert list(map(price, prices)) == [15, 2000, 0.5, 0.3, None, None]
    assert [pounds(value) for value in (3, "1/2 lb.", "heavy")] == [3, 0.5, None]
