"""No record has meaningless or duplicate content."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import (
    Abilities,
    Action,
    ActionType,
    CastingOption,
    CharacterClass,
    Creature,
    Edition,
    Equipment,
    Feat,
    Kind,
    Record,
    Ref,
    Section,
    Senses,
    Source,
    Spell,
)
from lorekeeper_mcp.sources.open5e.adapters import Context, to_record
from lorekeeper_mcp.sources.open5e.record_repairs import clean_record
from tests.record_pages import markdown
from tests.recorded import load, needs_recorded


def common(kind: Kind, name: str, document: str = "own") -> dict[str, Any]:
    key = name.lower().replace(" ", "-")
    return {
        "kind": kind, "key": f"own_{key}", "name": name, "document_key": document, "document_name": "Own",
        "document_source": Source.OPEN5E_V2,
    }  # fmt: skip


def moth(document: str = "own", name: str = "Moth", **fields: Any) -> Creature:
    return clean_record(Creature(**common(Kind.CREATURE, name, document), **fields))


def glow(**fields: Any) -> Spell:
    return clean_record(Spell(**common(Kind.SPELL, "Glow"), level=1, **fields))


def test_texts_of_traits_and_actions_are_cleaned() -> None:
    record = moth(
        "a5e-mm",
        traits=(Section(name="Dusty", text="On a hit  it coughs."),),
        actions=(Action(name="Bite", text="A\\nB"),),
    )
    assert (record.traits[0].text, record.actions[0].text) == ("On a hit, it coughs.", "A\nB")


def test_an_introduction_to_legendary_actions_is_no_action() -> None:
    flap = Action(name="Flap", text="It flaps.", type=ActionType.LEGENDARY_ACTION)
    intro = Action(
        name="The moth can take 2 legendary actions",
        text="Only one at the end of another creatures turn.",
        type=ActionType.LEGENDARY_ACTION,
    )
    record = moth("a5e-mm", actions=(flap, intro))
    assert record.actions == (flap,)
    assert record.legendary_text == (
        "The moth can take 2 legendary actions. Only one at the end of another creature's turn."
    )


def test_an_alignment_served_for_a_whole_book_is_dropped() -> None:
    assert moth("bfrd", alignment="chaotic evil").alignment == ""
    assert moth("tob", alignment="chaotic evil").alignment == "chaotic evil"


def test_an_alignment_is_in_small_letters_in_every_book() -> None:
    assert moth("tob-2023", alignment="Any Non-Lawful Alignment").alignment == "any non-lawful alignment"


def test_a_creature_of_all_environments_has_no_environment() -> None:
    places = tuple(Ref(name=str(number), key=str(number)) for number in range(31))
    assert moth(environments=places).environments == ()
    assert len(moth(environments=places[:13]).environments) == 13


def test_a_legendary_action_is_not_also_an_ordinary_action() -> None:
    twice = tuple(
        Action(name="Dust", text="It dusts.", type=type_) for type_ in (ActionType.ACTION, ActionType.LEGENDARY_ACTION)
    )
    assert [one.type for one in moth(actions=twice).actions] == [ActionType.LEGENDARY_ACTION]


def test_an_armor_class_is_printed_once() -> None:
    assert (
        moth(armor_class=14, armor_text="14 (natural armor), 11 while prone").armor_text
        == "natural armor, 11 while prone"
    )


@pytest.mark.parametrize(("rating", "bonus"), [(0.25, 2), (4, 2), (5, 3), (17, 6), (30, 9)])
def test_a_stat_block_of_2024_has_a_proficiency_bonus(rating: float, bonus: int) -> None:
    assert moth(challenge_rating=rating, editions=(Edition.E2024,)).proficiency_bonus == bonus
    assert moth(challenge_rating=rating, editions=(Edition.E2014,)).proficiency_bonus is None


def test_a_limit_of_use_is_shown_once() -> None:
    found = moth(actions=(Action(name="Glow (Recharge 4-6)", text="It glows.", uses="Recharge 4–6"),))
    assert [(action.name, action.uses) for action in found.actions] == [("Glow", "Recharge 4–6")]


def test_the_srd_of_2024_prints_no_kind_of_armor() -> None:
    assert moth("srd-2024", armor_text="natural armor").armor_text == ""
    assert moth("own", armor_text="natural armor").armor_text == "natural armor"


def test_lost_apostrophes_are_restored() -> None:
    trait = Section(name="Devils Sight", text="The moths wings glow while the moths are near. The lamps light dims.")
    song = Section(name="Song", text="It is immune to any moths song, and the targets Speed is halved.")
    [found, other] = moth("a5e-mm", traits=(trait, song)).traits
    assert found.name == "Devil's Sight"
    assert found.text == "The moth's wings glow while the moths are near. The lamps light dims."
    assert other.text == "It is immune to any moth's song, and the target's Speed is halved."


def test_possessives_get_their_apostrophes() -> None:
    text = "The moths wings, a lamp moths glow, an enemys reach, draconic masters breath; it can cast Heroes Feast."
    [found] = moth("a5e-mm", "Lamp Moth", traits=(Section(name="Dragons Blood", text=text),)).traits
    assert found.name == "Dragon's Blood"
    own = Section(name="Hum", text="The mothcan hum.")
    assert moth("a5e-mm", traits=(own,)).traits[0].text == "The moth can hum."
    assert found.text == (
        "The moth's wings, a lamp moth's glow, an enemy's reach, draconic masters breath; it can cast Heroes' Feast."
    )
    lamps = "The lamp mens eyes see lamps. The cube spells trouble, and of creatures turn few."
    [found] = moth("a5e-mm", "Lamp Men's Eyes", traits=(Section(name="Eyes", text=lamps),)).traits
    assert found.text == lamps.replace("lamp mens eyes", "lamp men's eyes")


def test_a_material_is_no_sentence() -> None:
    assert glow(material_text="A bit of moth dust, or a lamp.").material_text == "a bit of moth dust, or a lamp"
    assert glow(material_text="Holy water").material_text == "holy water"


def test_feet_are_written_out_and_no_area_is_counted() -> None:
    assert glow(range_text="30 ft.", target_count=0, target_type="area").model_dump().items() >= {
        "range_text": "30 feet", "target_count": None, "target_type": ""}.items()  # fmt: skip


def test_a_lost_second_digit_of_a_saving_throw_is_restored() -> None:
    scores = Abilities(strength=22, dexterity=14)
    record = moth(challenge_rating=13.0, abilities=scores, saving_throws={"strength": 1, "dexterity": 2})
    assert record.saving_throws == {"strength": 11, "dexterity": 2}
    assert [(note.field, note.was) for note in record.corrections] == [("saving_throws", "strength +1, dexterity +2")]


@pytest.mark.parametrize(("passive", "skills"), [(14, {"perception": 4}), (17, {"perception": 7}), (11, {}), (16, {})])
def test_lost_perception_follows_from_the_passive_score(passive: int, skills: dict[str, int]) -> None:
    fields = {"challenge_rating": 5.0, "abilities": Abilities(wisdom=12), "skills": {"perception": 1}}
    senses = Senses(passive_perception=passive)
    assert moth("tob3", senses=senses, **fields).skills == skills
    assert moth("own", senses=senses, **fields).skills == {"perception": 1}


def test_names_of_magic_weapons_of_2014_have_no_hyphens() -> None:
    names = [("Crossbow-Hand (+1)", "Hand Crossbow (+1)"), ("Vicious Weapon (War-Pick)", "Vicious Weapon (War Pick)")]
    for served, name in names:
        assert clean_record(Equipment(**common(Kind.MAGIC_ITEM, served))).name == name


def test_a_repeated_name_is_no_text_and_nothing_costs_0_gp() -> None:
    lamp = clean_record(Equipment(**common(Kind.ITEM, "Oil Lamp"), text="An oil lamp.", cost=0.0))
    assert (lamp.text, lamp.cost) == ("", None)
    assert clean_record(Equipment(**common(Kind.ITEM, "Lamp, oil"), text="An oil lamp.")).text == ""
    assert clean_record(Equipment(**common(Kind.WEAPON, "Greatlamp"), text="A great lamp.")).text == ""


def test_run_on_properties_get_their_own_paragraphs() -> None:
    served = "It has 3 charges. Light of Moths (Rare). You can make it glow. It may go out. Darkness. It ends."
    staff = clean_record(Equipment(**common(Kind.MAGIC_ITEM, "Staff of Moths"), text=served))
    assert staff.text == (
        "It has 3 charges.\n\n**Light of Moths (Rare).** You can make it glow. It may go out.\n\n**Darkness.** It ends."
    )


def test_a_fragment_of_a_type_is_no_alignment() -> None:
    assert moth(alignment="Shapechanger)").alignment == ""
    assert moth(alignment="good (50%) or evil (50%)").alignment == "good (50%) or evil (50%)"


def test_one_target_is_not_counted_and_a_cantrips_list_has_its_changes() -> None:
    options = tuple(
        CastingOption(type=f"player_level_{level}", damage_roll=f"{1 + (level >= 5)}d6") for level in range(1, 11)
    )
    record = glow(damage_roll="1d6", target_count=1, casting_options=options)
    assert record.target_count is None
    assert [(one.type, one.damage_roll) for one in record.casting_options] == [("player_level_5", "2d6")]


def test_a_list_of_slots_that_contradicts_the_sentence_is_dropped() -> None:
    grows = "The damage increases by 1d6 for each slot level above 1st."
    right = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level + 1}d6") for level in (2, 3))
    wrong = tuple(CastingOption(type=f"slot_level_{level}", damage_roll=f"{level}d10") for level in (2, 3))
    assert glow(damage_roll="2d6", higher_level=grows, casting_options=right).casting_options == right
    assert glow(damage_roll="2d6", higher_level=grows, casting_options=wrong).casting_options == ()
    told = (CastingOption(type="slot_level_2", text="It shines twice."),)
    assert (
        glow(higher_level="It shines once more for each slot level above 1st.", casting_options=told).casting_options
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
    assert [one.damage_roll for one in record.casting_options] == ["4d6 + 4", "5d6 + 4"]


def test_damage_that_the_text_does_not_mention_is_dropped() -> None:
    text = "It deals 4d6 fire damage and 3d6 cold damage."
    assert glow(text=text, damage_roll="7d6", damage_types=("fire", "cold")).damage_roll == "7d6"
    wrong = glow(text=text, damage_roll="4d8", damage_types=("fire", "psychic"))
    assert (wrong.damage_roll, wrong.damage_types) == ("", ("fire",))


def test_concentration_without_a_printed_time_lasts_as_long_as_concentration() -> None:
    assert "**Duration** Concentration\n" in markdown(glow(duration="special", concentration=True))
    assert glow(duration="special").duration == "special"


def test_effects_of_higher_slots_are_not_in_the_main_text() -> None:
    record = glow(text="It glows.\n\n_**At Higher Levels**_. It glows twice.")
    assert (record.text, record.higher_level) == ("It glows.", "It glows twice.")
    followed = "It glows.\n\n**At Higher Levels.** It glows twice.\n\n## Moth\n\nA beast."
    assert glow(text=followed).text == followed


def test_a_list_of_targets_is_kept_only_if_it_starts_at_the_right_number() -> None:
    counts = tuple(CastingOption(type=f"slot_level_{level}", target_count=level) for level in (2, 3))
    more = "You can target one additional creature for each slot level above 1st."
    rays = "You create one additional ray for each slot level above 1st."
    assert glow(text="One creature glows.", higher_level=more, casting_options=counts).casting_options == counts
    assert glow(text="Up to three creatures glow.", higher_level=more, casting_options=counts).casting_options == ()
    assert glow(text="Two rays shoot forth.", higher_level=rays, casting_options=counts).casting_options == ()


@needs_recorded
@pytest.mark.parametrize(
    ("endpoint", "key", "field", "value"),
    [
        ("v2/spells", "srd-2024_ice-knife", "casting_options", ()),
        ("v2/magicitems", "srd-2024_weapon-of-warning-battleaxe", "requires_attunement", True),
        ("v2/items", "srd_acid", "cost", 25.0),
        ("v2/items", "srd-2024_holy-symbol-amulet", "name", "Holy Symbol, Amulet"),
        ("v2/creatures", "a5e-mm_unicorn", "alignment", ""),
        ("v2/creatures", "tob_bouda", "environments", ()),
        ("v2/creatures", "tob3_npc-wind-acolyte", "name", "Wind Acolyte"),
        ("v2/creatures", "srd_donkey", "speed", {"walk": 40.0}),
        ("v2/creatures", "tob3_archon-siege", "skills", {"perception": 10}),
        ("v2/magicitems", "srd-2024_chain-shirt-plus-3", "rarity", "legendary"),
        ("v2/magicitems", "srd-2024_shield-plus-3", "rarity", "very-rare"),
        ("v2/magicitems", "srd_staff-of-the-python", "rarity", "uncommon"),
        ("v2/items", "srd_cow", "weight", None),
        ("v2/classes", "srd-2024_path-of-the-berserker", "hit_dice", ""),
        ("v2/spells", "srd_flaming-sphere", "shape_type", ""),
    ],
)
def test_known_errors_of_open5e_are_corrected(endpoint: str, key: str, field: str, value: object) -> None:
    served = next(record for record in load(endpoint) if record["key"] == key)
    record: Record = to_record(endpoint, served, Context({}))
    assert getattr(record, field) == value


def test_class_saving_throws_follow_the_class_text() -> None:
    fields: dict[str, Any] = common(Kind.CLASS, "Moth Keeper") | {"saving_throws": ("Constitution", "Wisdom")}
    told = CharacterClass(
        **fields, proficiencies="**Armor:** None\n**Saving Throws:** Wisdom, Charisma\n**Skills:** Any"
    )
    assert clean_record(told).saving_throws == ("Wisdom", "Charisma")
    assert clean_record(CharacterClass(**fields)).saving_throws == ("Constitution", "Wisdom")


def test_a_spells_area_follows_its_text() -> None:
    ward = glow(text="You make a 20-foot cube of light.", shape_type="line", shape_size=20.0)
    assert (ward.shape_type, ward.shape_size) == ("cube", 20.0)
    flood = glow(text="It fills a 50-foot square.", shape_type="cone", shape_size=50.0)
    assert (flood.shape_type, flood.shape_size) == ("", None)
    both = glow(text="A 20-foot cube, then a 20-foot line.", shape_type="line", shape_size=20.0)
    assert both.shape_type == "line"


def test_an_action_that_costs_actions_is_legendary() -> None:
    burst = Action(name="Burst (Costs 2 Actions)", text="It bursts.")
    assert [one.type for one in moth(actions=(burst,)).actions] == [ActionType.LEGENDARY_ACTION]


def test_contractions_with_lost_apostrophes_are_restored() -> None:
    trait = Section(name="Dim", text="It doesnt glow and hasnt burned.")
    assert moth("a5e-mm", traits=(trait,)).traits[0].text == "It doesn't glow and hasn't burned."
    assert moth(languages="Thieves' cant, but cant speak").languages == "Thieves' cant, but can't speak"


def test_a_prerequisite_has_no_emphasis() -> None:
    lamp = Feat(**common(Kind.FEAT, "Lamp"), prerequisite="*The ability to cast the* light *spell*", text="It glows.")
    assert clean_record(lamp).prerequisite == "The ability to cast the light spell"


def test_a_form_that_begins_a_line_has_a_paragraph_of_its_own() -> None:
    text = "A lamp of cloth. \nLamp (Common). It glows.\nOld Lamp (Rare). It glows for long."
    lamp = clean_record(Equipment(**common(Kind.MAGIC_ITEM, "Lamp"), text=text))
    assert lamp.text == "A lamp of cloth.\n\n**Lamp (Common).** It glows.\n\n**Old Lamp (Rare).** It glows for long."


def test_a_text_of_a_stat_block_begins_with_a_capital() -> None:
    record = moth(
        traits=(Section(name="Light", text="the moth's light is dim."), Section(name="Dice", text="1d6 moths"))
    )
    assert [one.text for one in record.traits] == ["The moth's light is dim.", "1d6 moths"]


def test_an_action_ends_before_the_next_one() -> None:
    dim = Action(name="Dim", text="It dims every lamp that it can see.", uses="1/Day")
    light = Action(name="Light", text=f"It casts light.\nDim (1/Day){dim.text}")
    glow = Action(name="Glow", text=dim.text)
    assert moth(actions=(light, dim, glow)).actions == (light.model_copy(update={"text": "It casts light."}), dim, glow)


def test_damage_that_a_spell_prevents_is_not_damage_dealt() -> None:
    shield = glow(damage_types=("cold", "fire"), text="You have Resistance to Cold damage. It deals Fire damage.")
    assert shield.damage_types == ("fire",)
    assert glow(damage_types=("cold",), damage_roll="1d6", text="It has immunity to cold.").damage_types == ("cold",)


def test_the_name_of_a_line_in_an_action_is_bold() -> None:
    breath = Action(
        name="Breath", text="It has two breaths:\nDust Breath. It breathes dust.\nLight of Lamps. It glows."
    )
    [whole] = moth(actions=(breath,)).actions
    assert whole.text == "It has two breaths:\n\n**Dust Breath.** It breathes dust.\n\n**Light of Lamps.** It glows."
