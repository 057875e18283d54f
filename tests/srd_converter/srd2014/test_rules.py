"""Rules split at their headings, and the short lists."""

import re
from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import CharacterClass, Kind, Record, Reference, Rule, Spell
from lorekeeper_mcp.text import fold


@pytest.mark.parametrize(
    ("key", "name", "section"),
    [
        ("srd_resting_short-rest", "Short Rest", "srd_resting"),
        ("srd_damage-and-healing_death-saving-throws", "Death Saving Throws", "srd_damage-and-healing"),
        ("srd_environment_falling", "Falling", "srd_environment"),
        ("srd_attacking_unseen-attackers-and-targets", "Unseen Attackers and Targets", "srd_attacking"),
        ("srd_spellcasting_concentration", "Concentration", "srd_spellcasting"),
        ("srd_abilities_wisdom-spellcasting-ability", "Spellcasting Ability (Wisdom)", "srd_abilities"),
        ("srd_pantheons_greek-deities", "Greek Deities", "srd_pantheons"),
    ],
)
def test_rules_have_the_names_of_their_headings(srd: Mapping[str, Record], key: str, name: str, section: str) -> None:
    rule = srd[f"rule:{key}"]
    assert isinstance(rule, Rule)
    assert (rule.name, rule.section.key if rule.section else "") == (name, section)
    assert not rule.text.startswith("#")


def test_a_rule_set_lists_its_rules_in_order(srd: Mapping[str, Record]) -> None:
    for record in srd.values():
        if isinstance(record, Rule) and record.kind is Kind.RULE_SET:
            rules = (one for one in srd.values() if isinstance(one, Rule))
            own = [one for one in rules if one.section and one.section.key == record.key]
            assert [one.order for one in own] == list(range(1, len(own) + 1)), record.key
            assert [ref.key for ref in record.rules] == [one.key for one in own]


def test_spaces_in_bold_and_after_numbers_are_kept(srd: Mapping[str, Record]) -> None:
    turn, steps = srd["rule:srd_combat-sequence_your-turn"], srd["rule:srd_combat-sequence_combat-step-by-step"]
    assert isinstance(turn, Rule)
    assert isinstance(steps, Rule)
    assert {"can move", "and take"} <= set(re.findall(r"can ?move|and ?take", turn.text))
    assert [paragraph.split()[0] for paragraph in steps.text.split("\n\n")] == ["1.", "2.", "3.", "4.", "5."]


def test_a_heading_that_is_printed_twice_is_one_rule(srd: Mapping[str, Record]) -> None:
    assert "Upper Planes" in srd["rule:srd_planes_outer-planes"].text
    assert [record.id for record in srd.values() if "()" in record.name or "_-" in record.key] == []


def test_tables_have_their_columns(srd: Mapping[str, Record]) -> None:
    assert (
        "| Score | Modifier |\n| --- | --- |\n| 1 | −5 |" in srd["rule:srd_abilities_ability-scores-and-modifiers"].text
    )
    pace = srd["rule:srd_movement_travel-pace"].text
    assert "| Fast | 400 feet | 4 miles | 30 miles | −5 penalty to passive Wisdom (Perception) scores |" in pace
    experience = srd["rule:srd_monsters_experience-points-by-cr"].text
    assert "| 1/2 | 100 |" in experience
    assert "| 30 | 155,000 |" in experience
    assert "| **Light Armor** |  |  |  |  |  |" in srd["rule:srd_armor_armor-table"].text
    assert "| Cheese, hunk | 1 sp |" in srd["rule:srd_expenses_food-drink-lodging"].text


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("srd_combat-sequence_surprise", "can't move or take an action on your first turn"),
        ("srd_class-druid_sacred-plants-and-wood", "lengths of oak or yew"),
        ("srd_class-paladin_breaking-your-oath", "absolution"),
        ("srd_conditions", "each instance of the condition has its own duration"),
        ("srd_leveling-up", "| 355,000 | 20 | +6 |"),
        ("srd_monsters_half-dragon-template", "Breath Weapon"),
    ],
)
def test_no_heading_of_the_book_is_lost(srd: Mapping[str, Record], key: str, words: str) -> None:
    record = srd.get(f"rule:{key}") or srd[f"rule-set:{key}"]
    assert words in record.text


def test_lists_of_skills_stay_in_their_rule(srd: Mapping[str, Record]) -> None:
    assert "#### Dexterity" in srd["rule:srd_abilities_skills"].text


@pytest.mark.parametrize(
    "id_",
    ["condition:blinded", "skill:sleight-of-hand", "ability-score:str", "magic-school:evocation", "damage-type:fire"],
)
def test_shared_words_have_bare_keys(srd: Mapping[str, Record], id_: str) -> None:
    assert srd[id_].text


def test_references_are_as_printed(srd: Mapping[str, Record]) -> None:
    found = {id_: record for id_, record in srd.items() if isinstance(record, Reference)}
    assert found["skill:stealth"].ability == "dex"
    assert (found["ability-score:str"].name, found["ability-score:str"].short_name) == ("Strength", "STR")
    assert [one.key for one in found["ability-score:str"].members] == ["athletics"]
    evil, neutral = found["alignment:chaotic-evil"], found["alignment:neutral"]
    assert (evil.short_name, evil.societal_attitude, evil.morality) == ("CE", "chaotic", "evil")
    assert (neutral.societal_attitude, neutral.morality) == ("neutral", "neutral")
    assert (found["language:draconic"].is_exotic, found["language:common"].is_exotic) == (True, False)
    assert found["language:dwarvish"].script == "dwarvish"
    assert "srd_fighter" not in {one.key for one in found["proficiency:srd_light-armor"].members}
    assert "srd_bard" in {one.key for one in found["proficiency:srd_light-armor"].members}
    assert [one.key for one in found["proficiency:srd_tinkers-tools"].members] == ["srd_rock-gnome"]
    assert {"srd_amulet", "srd_emblem", "srd_reliquary"} <= {one.key for one in found["item-set:holy-symbols"].members}


def test_features_of_classes_have_the_books_text(srd: Mapping[str, Record]) -> None:
    barbarian = srd["class:srd_barbarian"]
    assert isinstance(barbarian, CharacterClass)
    rage = next(feature.text for feature in barbarian.features if feature.name == "Rage")
    assert "Rage Damage column" in rage
    assert "\n\nIf you are able" in rage, "what follows a list is no part of its last entry"


def test_class_text_outside_features_is_a_rule(srd: Mapping[str, Record]) -> None:
    assert "| 17th |" in srd["rule:srd_class-paladin_oath-spells"].text
    assert srd["rule:srd_class-warlock_eldritch-invocations"].text
    assert "rule:srd_class-barbarian_rage" not in srd
    assert "Spell save DC = 8" in srd["rule:srd_class-druid_spellcasting-ability"].text


def test_spell_lists_agree_with_the_spells_classes(srd: Mapping[str, Record]) -> None:
    lists = {rule.name: rule.text for rule in srd.values() if rule.key.startswith("srd_spell-lists_")}
    assert len(lists) == 8
    for name, text in lists.items():
        owner = name.removesuffix(" Spell List")
        levels = (re.sub(r"^\*\*[^*]+\*\* ", "", level) for level in text.split("\n\n"))
        listed = {fold(spell) for level in levels for spell in level.split(", ")}
        spells = (one for one in srd.values() if isinstance(one, Spell))
        assert listed == {fold(one.name) for one in spells if owner in {ref.name for ref in one.classes}}, name


def test_a_table_whose_head_is_printed_in_several_lines_has_none_of_them_as_a_row(srd: Mapping[str, Record]) -> None:
    rows = [line for line in srd["rule:srd_multiclassing_spellcasting"].text.split("\n") if line.startswith("|")]
    assert len(rows) == 22  # a head, the line below it, and twenty levels
    assert rows[2].startswith("| 1st | 2 |")
