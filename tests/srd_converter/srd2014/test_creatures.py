"""Creatures: stat blocks as the book prints them, and merged shapes."""

from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import ActionType, Creature, Record


def creature(srd: Mapping[str, Record], name: str) -> Creature:
    record = srd[f"creature:srd_{name}"]
    assert isinstance(record, Creature)
    return record


def test_an_adult_red_dragon_is_as_printed(srd: Mapping[str, Record]) -> None:
    dragon = creature(srd, "adult-red-dragon")
    assert (dragon.type, dragon.size, dragon.alignment) == ("dragon", "huge", "chaotic evil")
    assert (dragon.challenge_rating, dragon.experience_points, dragon.proficiency_bonus) == (17.0, 18000, 6)
    assert (dragon.armor_class, dragon.armor_text) == (19, "natural armor")
    assert (dragon.hit_points, dragon.hit_dice) == (256, "19d12+133")
    assert dragon.speed == {"walk": 40.0, "climb": 40.0, "fly": 80.0}
    assert (dragon.abilities.strength, dragon.ability_modifiers.strength) == (27, 8)
    assert dragon.saving_throws == {"dexterity": 6, "constitution": 13, "wisdom": 7, "charisma": 11}
    assert dragon.saving_throws_all["strength"] == 8
    assert dragon.skills == {"perception": 13, "stealth": 6}
    assert dragon.skills_all["animal-handling"] == 1
    assert (dragon.senses.blindsight, dragon.senses.darkvision, dragon.senses.passive_perception) == (60.0, 120.0, 23)
    assert dragon.language_keys == ("common", "draconic")
    assert dragon.defenses.damage_immunities == ("fire",)
    assert [trait.name for trait in dragon.traits] == ["Legendary Resistance (3/Day)"]


def test_attacks_have_their_numbers(srd: Mapping[str, Record]) -> None:
    bite = next(action for action in creature(srd, "adult-red-dragon").actions if action.name == "Bite")
    (attack,) = bite.attacks
    assert (attack.type, attack.to_hit, attack.reach, attack.damage) == ("weapon", 14, 10.0, "2d10+8")
    assert (attack.damage_type, attack.extra_damage, attack.extra_damage_type) == ("piercing", "2d6", "fire")


def test_thrown_weapons_have_both_ranges(srd: Mapping[str, Record]) -> None:
    javelin = next(action for action in creature(srd, "orc").actions if action.name == "Javelin")
    (attack,) = javelin.attacks
    assert (attack.reach, attack.range, attack.long_range) == (5.0, 30.0, 120.0)


def test_every_attack_of_the_book_is_an_attack(srd: Mapping[str, Record]) -> None:
    for record in srd.values():
        for action in record.actions if isinstance(record, Creature) else ():
            if " Attack:" in action.text:
                assert action.attacks, (record.key, action.name)


def test_legendary_actions_have_costs_and_recharges_are_uses(srd: Mapping[str, Record]) -> None:
    actions = creature(srd, "adult-red-dragon").actions
    legendary = [action for action in actions if action.type is ActionType.LEGENDARY_ACTION]
    costs = [("Detect", 1), ("Tail Attack", 1), ("Wing Attack", 2)]
    assert [(one.name, one.legendary_cost) for one in legendary] == costs
    assert {one.name: one.uses for one in actions if one.uses} == {"Fire Breath": "Recharge 5–6"}


@pytest.mark.parametrize(
    ("name", "armor_class", "text"),
    [
        ("azer", 17, "natural armor, shield"),
        ("goblin", 15, "leather armor, shield"),
        ("mage", 12, "15 with mage armor"),
        ("ankheg", 14, "natural armor, 11 while prone"),
        ("basilisk", 15, "natural armor"),
        ("knight", 18, "plate"),
        ("wolf", 13, "natural armor"),
        ("bat", 12, ""),
    ],
)
def test_armor_class_is_the_best_that_needs_no_spell(
    srd: Mapping[str, Record], name: str, armor_class: int, text: str
) -> None:
    assert (creature(srd, name).armor_class, creature(srd, name).armor_text) == (armor_class, text)


def test_swarms_are_of_the_type_of_their_members(srd: Mapping[str, Record]) -> None:
    bats = creature(srd, "swarm-of-bats")
    assert (bats.type, bats.type_text) == ("beast", "swarm of Tiny beasts")
    assert creature(srd, "drow").type_text == "humanoid (elf)"


def test_a_creature_without_a_walking_speed_has_speed_0(srd: Mapping[str, Record]) -> None:
    assert creature(srd, "air-elemental").speed == {"walk": 0.0, "fly": 90.0}
    assert creature(srd, "air-elemental").hover


@pytest.mark.parametrize(
    ("name", "points"), [("ankheg", 450), ("dretch", 50), ("frog", 0), ("bat", 10), ("tarrasque", 155000)]
)
def test_experience_follows_from_the_challenge_rating(srd: Mapping[str, Record], name: str, points: int) -> None:
    assert creature(srd, name).experience_points == points


def test_conditional_resistances_are_text_and_plain_ones_keys(srd: Mapping[str, Record]) -> None:
    defenses = creature(srd, "lich").defenses
    assert defenses.damage_immunities == ("poison",)
    assert defenses.damage_immunities_text.startswith("poison; bludgeoning, piercing, and slashing")


def test_shapes_are_merged_into_one_stat_block(srd: Mapping[str, Record]) -> None:
    bear = creature(srd, "werebear")
    assert not any("-form" in id_ for id_ in srd if id_.startswith("creature:"))
    assert (bear.name, bear.armor_class, bear.speed) == ("Werebear", 10, {"walk": 30.0})
    assert bear.armor_text == "10 in humanoid form, 11 (natural armor) in bear and hybrid form"
    assert bear.languages == "Common (can't speak in bear form)"
    assert [form.partition(":")[0] for form in bear.forms] == ["Humanoid Form", "Bear Form", "Hybrid Form"]
    assert "climb 30 ft." in bear.forms[1]
    assert {action.name: action.limited_to_form for action in bear.actions} == {
        "Multiattack": "",
        "Greataxe": "Humanoid or Hybrid Form Only",
        "Bite": "Bear or Hybrid Form Only",
        "Claw": "Bear or Hybrid Form Only",
    }
    assert [action.order for action in bear.actions] == [0, 1, 2, 3]


def test_a_trait_of_some_shapes_names_them(srd: Mapping[str, Record]) -> None:
    assert "Pounce (Tiger or Hybrid Form Only)" in {trait.name for trait in creature(srd, "weretiger").traits}


def test_vampires_keep_their_legendary_actions(srd: Mapping[str, Record]) -> None:
    vampire = creature(srd, "vampire")
    names = [one.name for one in vampire.actions if one.type is ActionType.LEGENDARY_ACTION]
    assert names == ["Move", "Unarmed Strike", "Bite"]
    assert vampire.armor_text == "natural armor"


def test_type_and_alignment_are_those_of_the_line_under_the_name(srd: Mapping[str, Record]) -> None:
    printed = {
        "imp": ("fiend (devil, shapechanger)", "lawful evil"),
        "werewolf": ("humanoid (human, shapechanger)", "chaotic evil"),
        "doppelganger": ("monstrosity (shapechanger)", "neutral"),
        "goblin": ("humanoid (goblinoid)", "neutral evil"),
    }
    for name, expected in printed.items():
        creature = srd[f"creature:srd_{name}"]
        assert isinstance(creature, Creature)
        assert (creature.type_text, creature.alignment) == expected


def test_an_introduction_below_the_stat_block_is_the_creatures_text(srd: Mapping[str, Record]) -> None:
    for name in ("giant-owl", "berserker"):
        text = srd[f"creature:srd_{name}"].text
        assert len(text) > 50 and text.endswith(".") and name.rpartition("-")[2] in text
    assert srd["creature:srd_harpy"].text == ""


def test_a_nearly_equal_sentence_is_replaced_by_the_books(srd: Mapping[str, Record]) -> None:
    disrupt = next(action for action in creature(srd, "lich").actions if action.name == "Disrupt Life")
    assert disrupt.text.startswith("Each non-undead creature within 20 feet")
    scrolls = [record for record in srd.values() if record.key.startswith("srd_spell-scroll")]
    assert len(scrolls) == 11
    assert all("If the casting is interrupted" in record.text for record in scrolls)


def test_forms_of_an_item_keep_distinguishing_words(srd: Mapping[str, Record]) -> None:
    assert "closest black dragon" in srd["magic-item:srd_black-dragon-scale-mail"].text
    assert "an air elemental is summoned" in srd["magic-item:srd_air-elemental-gem"].text


def test_skills_that_the_package_lacks_are_those_of_the_stat_block(srd: Mapping[str, Record]) -> None:
    assert creature(srd, "half-red-dragon-veteran").skills == {"athletics": 5, "perception": 2}
    assert creature(srd, "werewolf").skills == {"perception": 4, "stealth": 3}


def test_the_lines_above_the_traits_are_as_printed(srd: Mapping[str, Record]) -> None:
    defenses = creature(srd, "nalfeshnee").defenses
    assert defenses.damage_resistances == ("cold", "fire", "lightning")
    assert defenses.damage_resistances_text.endswith("slashing from nonmagical attacks")
    assert creature(srd, "ice-devil").defenses.damage_immunities == ("cold", "fire", "poison")
    assert creature(srd, "hunter-shark").senses.blindsight == 30
    assert creature(srd, "wererat").senses.text == "darkvision 60 ft. (rat form only), passive Perception 12"
    assert "grappled" in creature(srd, "swarm-of-spiders").defenses.condition_immunities
    assert creature(srd, "spider").senses.passive_perception == 10
    assert creature(srd, "giant-owl").languages.endswith("but can't speak them")


def test_traits_and_actions_have_the_books_names(srd: Mapping[str, Record]) -> None:
    names = {
        name: [section.name for section in (*creature(srd, name).traits, *creature(srd, name).actions)]
        for name in ("dust-mephit", "ghast", "hezrou", "imp", "assassin")
    }
    assert "Innate Spellcasting (1/Day)" in names["dust-mephit"]
    assert "Turning Defiance" in names["ghast"]
    assert "Claw" in names["hezrou"]
    assert "Sting (Bite in Beast Form)" in names["imp"]
    assert "Sneak Attack" in names["assassin"]


@pytest.mark.parametrize("name", ["adult-bronze-dragon", "adult-gold-dragon", "adult-silver-dragon"])
def test_an_action_that_the_package_lacks_is_the_books(srd: Mapping[str, Record], name: str) -> None:
    actions = [action for action in creature(srd, name).actions if action.type is ActionType.ACTION]
    assert actions[-1].name == "Change Shape"
    assert actions[-1].text.endswith("legendary actions of that form.")
    assert [action.order for action in actions] == list(range(len(actions)))
