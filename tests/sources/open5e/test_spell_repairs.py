"""No spell has a value that its own text contradicts."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import CastingOption
from tests.record_pages import markdown
from tests.sources.open5e.cleaned_records import glow


def test_a_material_is_no_sentence() -> None:
    assert glow(material_text="A bit of moth dust, or a lamp.").material_text == "a bit of moth dust, or a lamp"
    assert glow(material_text="Holy water").material_text == "holy water"


def test_feet_are_written_out_and_no_area_is_counted() -> None:
    assert glow(range_text="30 ft.", target_count=0, target_type="area").model_dump().items() >= {
        "range_text": "30 feet", "target_count": None, "target_type": ""}.items()  # fmt: skip


def test_one_target_is_not_counted_and_a_cantrips_list_has_its_changes() -> None:
    options = tuple(
        CastingOption(type=f"player_level_{level}", damage_roll=f"{1 + (level >= 5)}d6") for level in range(1, 11)
    )
    record = glow(damage_roll="1d6", target_count=1, casting_options=options)
    assert record.target_count is None
    assert [(option.type, option.damage_roll) for option in record.casting_options] == [("player_level_5", "2d6")]


def test_a_list_of_slots_that_contradicts_the_sentence_is_dropped() -> None:
    grows = "The damage increases by 1d6 for each slot level above 1st."
    right = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level + 1}d6") for level in (2, 3))
    wrong = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level}d10") for level in (2, 3))
    assert glow(damage_roll="2d6", higher_level=grows, casting_options=right).casting_options == right
    assert glow(damage_roll="2d6", higher_level=grows, casting_options=wrong).casting_options == ()
    options = (CastingOption(type="slot_level_2", text="It shines twice."),)
    assert (
        glow(higher_level="It shines once more for each slot level above 1st.", casting_options=options).casting_options
        == ()
    )


def test_a_list_of_slots_follows_the_steps_of_the_sentence() -> None:
    text = "It sheds 3d6 light."
    grows = "The damage increases by 1d6 for every two slot levels above 4th."
    right = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level // 2 + 1}d6") for level in (6, 7, 8))
    wrong = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level - 1}d6") for level in (5, 6))
    same = CastingOption(type="slot_level_5", damage_roll="3d6")
    assert (
        glow(text=text, damage_roll="3d6", higher_level=grows, casting_options=(*right, same)).casting_options == right
    )
    assert glow(text=text, damage_roll="3d6", higher_level=grows, casting_options=wrong).casting_options == ()
    lasts = "The duration is extended by 1 round for every two slot levels above 3rd."
    rounds = tuple(CastingOption(type=f"slot_level_{level}", duration=f"{level - 1} rounds") for level in (4, 5, 6))
    assert glow(duration="2 rounds", higher_level=lasts, casting_options=rounds).casting_options == ()
    at_one = "With an 8th-level slot, one more creature glows."
    counts = tuple(CastingOption(type=f"slot_level_{level}", target_count=level - 5) for level in (7, 8, 9))
    assert glow(higher_level=at_one, casting_options=counts).casting_options == ()


def test_a_list_of_slots_is_sorted_and_keeps_constant_damage() -> None:
    options = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level}d6") for level in (5, 4))
    record = glow(text="It burns for 3d6 + 4.", damage_roll="3d6 + 4", casting_options=options)
    assert [option.damage_roll for option in record.casting_options] == ["4d6 + 4", "5d6 + 4"]


def test_damage_that_the_text_does_not_mention_is_dropped() -> None:
    text = "It deals 4d6 fire damage and 3d6 cold damage."
    assert glow(text=text, damage_roll="7d6", damage_types=("fire", "cold")).damage_roll == "7d6"
    wrong = glow(text=text, damage_roll="4d8", damage_types=("fire", "psychic"))
    assert (wrong.damage_roll, wrong.damage_types) == ("", ("fire", "cold"))


def test_concentration_without_a_printed_time_lasts_as_long_as_concentration() -> None:
    assert "**Duration** Concentration  \n" in markdown(glow(duration="special", concentration=True))
    assert glow(duration="special").duration == "special"


def test_effects_of_higher_slots_are_not_in_the_main_text() -> None:
    record = glow(text="It glows.\n\n_**At Higher Levels**_. It glows twice.")
    assert (record.text, record.higher_level) == ("It glows.", "It glows twice.")
    followed = "It glows.\n\n**At Higher Levels.** It glows twice.\n\n## Moth\n\nA beast."
    assert glow(text=followed).text == followed


def test_a_list_of_targets_is_kept_only_if_it_starts_at_the_right_number() -> None:
    counts = tuple(CastingOption(type=f"slot_level_{level}", target_count=level) for level in (2, 3))
    targets = "You can target one additional creature for each slot level above 1st."
    rays = "You create one additional ray for each slot level above 1st."
    assert glow(text="One creature glows.", higher_level=targets, casting_options=counts).casting_options == counts
    assert glow(text="Up to three creatures glow.", higher_level=targets, casting_options=counts).casting_options == ()
    assert glow(text="Two rays shoot forth.", higher_level=rays, casting_options=counts).casting_options == ()


def test_a_spells_area_follows_its_text() -> None:
    ward = glow(text="You make a 20-foot cube of light.", shape_type="line", shape_size=20.0)
    assert (ward.shape_type, ward.shape_size) == ("cube", 20.0)
    spell = glow(text="A 20-foot cube, then a 20-foot line.", shape_type="line", shape_size=20.0)
    assert spell.shape_type == "line"


def test_damage_that_a_spell_prevents_is_not_damage_dealt() -> None:
    shield = glow(damage_types=("cold", "fire"), text="You have Resistance to Cold damage. It deals Fire damage.")
    assert shield.damage_types == ("fire",)


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("It deals 1d6 + 3 fire damage, then 2d6 acid, cold, or thunder damage.", ("fire", "acid", "cold", "thunder")),
        ("You take 2d6 psychic damage. Each moth takes 1d6 cold damage.", ("cold",)),
        ("| 1 | 2d6 force damage |\n| 2 | Nothing |", ("force",)),
        ("Poisoned moths have resistance to poison damage. It ends the Poisoned condition.", ()),
        ("A wall appears, and 10d6 cold damage. It has vulnerability to fire damage.", ("cold",)),
    ],
)
def test_a_spell_has_the_damage_types_that_its_text_deals(text: str, types: tuple[str, ...]) -> None:
    assert glow(text=text).damage_types == types
    assert set(glow(text=text, damage_types=("poison",)).damage_types) == set(types)


def test_a_type_of_damage_that_is_no_word_is_no_pattern() -> None:
    assert glow(text="It glows.", damage_types=("*?", "(fire")).damage_types == ("*?", "(fire")


def test_a_spell_says_what_open5e_lacks() -> None:
    page = markdown(glow(material=True))
    assert "**Components** M (material not given)" in page
    assert "**Classes** none listed" in page


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("It deals 2d10 fire damage plus 2d8 psychic damage.", "2d10 fire, 2d8 psychic"),
        ("You take 1d6 cold damage. It deals 2d10 fire or psychic damage.", "2d10 fire or psychic"),
        ("It deals 2d10 fire damage, and later psychic damage.", "2d10 fire, psychic"),
    ],
)
def test_each_type_of_damage_has_its_own_dice(text: str, damage: str) -> None:
    record = glow(text=text, damage_roll="2d10", damage_types=("fire", "psychic"))
    assert f"**Damage** {damage}" in markdown(record).replace("  \n", "\n").split("\n")


def test_lost_dice_are_those_of_the_only_roll_in_the_text() -> None:
    text = "A mire takes 5d8 fire damage."
    assert glow(text=text, damage_types=("fire",)).damage_roll == "5d8"
    two = f"{text} A punt takes 2d6 cold damage."
    assert glow(text=two, damage_types=("fire",)).damage_roll == ""
