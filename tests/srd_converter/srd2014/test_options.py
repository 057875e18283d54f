"""Classes, subclasses, species, the background and the feat."""

from collections.abc import Mapping

import pytest

from lorekeeper_mcp.models import Background, CharacterClass, Feat, Record, Species


def a_class(srd: Mapping[str, Record], id_: str) -> CharacterClass:
    record = srd[id_]
    assert isinstance(record, CharacterClass)
    return record


def test_the_wizard_is_as_printed(srd: Mapping[str, Record]) -> None:
    wizard = a_class(srd, "class:srd_wizard")
    assert (wizard.hit_dice, wizard.caster_type, wizard.flavor) == ("d6", "full", "Arcane Tradition")
    assert wizard.saving_throws == ("Intelligence", "Wisdom")
    assert wizard.hit_points_at_1st_level == "6 + your Constitution modifier"
    assert wizard.hit_points_at_higher_levels == "1d6 (or 4) + your Constitution modifier per wizard level after 1st"
    assert "**Weapons:** Daggers" in wizard.proficiencies
    assert "A spellbook" in wizard.equipment
    assert "**Spellcasting ability:** Intelligence" in wizard.spellcasting
    columns = {(one.name, one.type): one.cells for one in wizard.table}
    assert columns["Proficiency Bonus", "PROFICIENCY_BONUS"][20] == "+6"
    assert columns["3rd", "SPELL_SLOTS"] == {5: "2", **dict.fromkeys(range(6, 21), "3")}
    assert columns["Cantrips Known", "CLASS_TABLE_DATA"][1] == "3"


@pytest.mark.parametrize(
    ("key", "die", "caster"),
    [("barbarian", "d12", "none"), ("paladin", "d10", "half"), ("warlock", "d8", "pact"), ("sorcerer", "d6", "full")],
)
def test_classes_have_their_hit_dice_and_casting(srd: Mapping[str, Record], key: str, die: str, caster: str) -> None:
    assert (a_class(srd, f"class:srd_{key}").hit_dice, a_class(srd, f"class:srd_{key}").caster_type) == (die, caster)


def test_an_improved_feature_is_one_feature(srd: Mapping[str, Record]) -> None:
    bard = a_class(srd, "class:srd_bard")
    (inspiration,) = [one for one in bard.features if one.name == "Bardic Inspiration"]
    assert inspiration.key == "srd_bard_bardic-inspiration"
    assert inspiration.levels == (1, 5, 10, 15)
    assert inspiration.details == {1: "d6", 5: "d8", 10: "d10", 15: "d12"}


def test_class_features_exclude_those_of_subclasses(srd: Mapping[str, Record]) -> None:
    names = {one.name for one in a_class(srd, "class:srd_bard").features}
    assert "Spellcasting" in names
    assert "Cutting Words" not in names
    assert "Cutting Words" in {one.name for one in a_class(srd, "subclass:srd_college-of-lore").features}


def test_invocations_have_prerequisites(srd: Mapping[str, Record]) -> None:
    features = {one.name: one for one in a_class(srd, "class:srd_warlock").features}
    blade = features["Eldritch Invocation: Thirsting Blade"]
    assert blade.type == "CLASS_FEATURE_OPTION_LIST"
    assert blade.text.startswith("*Prerequisite: 5th level, Pact of the Blade feature*")


def test_level_tables_equal_the_books(srd: Mapping[str, Record]) -> None:
    tables = {name: a_class(srd, f"class:srd_{name}").table for name in ("barbarian", "cleric", "monk", "sorcerer")}
    cells = {name: {one.name: one.cells for one in columns} for name, columns in tables.items()}
    assert [one.name for one in tables["monk"]] == [
        "Proficiency Bonus", "Martial Arts", "Ki Points", "Unarmored Movement", "Features",
    ]  # fmt: skip
    assert cells["monk"]["Features"][6] == "Ki-Empowered Strikes, Monastic Tradition feature"
    assert (cells["monk"]["Unarmored Movement"].get(1), cells["monk"]["Unarmored Movement"][2]) == (None, "+10 ft.")
    assert (cells["barbarian"]["Features"][11], cells["barbarian"]["Rages"][20]) == ("Relentless Rage", "Unlimited")
    assert cells["cleric"]["Features"][17] == "Destroy Undead (CR 4), Divine Domain feature"
    assert 3 not in cells["cleric"]["Features"]
    assert cells["cleric"]["2nd"][3] == "2"
    assert (cells["sorcerer"]["Sorcery Points"].get(1), cells["sorcerer"]["Cantrips Known"][5]) == (None, "5")


def test_a_feature_belongs_to_the_subclass_that_the_book_has_it_in(srd: Mapping[str, Record]) -> None:
    names = {
        id_: [one.name for one in a_class(srd, id_).features]
        for id_ in ("class:srd_cleric", "subclass:srd_life-domain")
    }
    assert "Supreme Healing" not in names["class:srd_cleric"]
    assert "Supreme Healing" in names["subclass:srd_life-domain"]


def test_subclasses_have_the_books_full_names(srd: Mapping[str, Record]) -> None:
    life = a_class(srd, "subclass:srd_life-domain")
    assert (life.name, life.flavor) == ("Life Domain", "Divine Domain")
    assert life.subclass_of is not None
    assert life.subclass_of.key == "srd_cleric"
    lists = {one.name: one.text for one in life.spells}
    assert lists["Cleric 1"] == "Bless, Cure Wounds"
    assert lists["Cleric 7"] == "Death Ward, Guardian of Faith"


def test_species_are_as_printed(srd: Mapping[str, Record]) -> None:
    dwarf, lightfoot = srd["species:srd_dwarf"], srd["species:srd_lightfoot"]
    assert isinstance(dwarf, Species)
    assert isinstance(lightfoot, Species)
    traits = {one.name: one.text for one in dwarf.traits}
    assert (dwarf.size, dwarf.speed) == ("Medium", "25 feet")
    assert traits["Ability Score Increase"] == "Your Constitution score increases by 2."
    assert traits["Speed"].endswith("Your speed is not reduced by wearing heavy armor.")
    assert {"Darkvision", "Stonecunning", "Age", "Alignment", "Languages"} <= set(traits)
    assert lightfoot.subspecies_of is not None
    assert (lightfoot.subspecies_of.key, lightfoot.is_subspecies) == ("srd_halfling", True)
    assert all(text for text in traits.values())


def test_draconic_ancestries_keep_their_rows(srd: Mapping[str, Record]) -> None:
    dragonborn = srd["species:srd_dragonborn"]
    assert isinstance(dragonborn, Species)
    ancestry = next(trait.text for trait in dragonborn.traits if trait.name == "Draconic Ancestry")
    rows = [line for line in ancestry.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 10
    assert "| Gold | Fire | 15 ft. cone (Dex. save) |" in rows


def test_a_species_is_no_lineage_of_the_one_before_it(srd: Mapping[str, Record]) -> None:
    bases = {id_: record.subspecies_of for id_, record in srd.items() if isinstance(record, Species)}
    lineages = {id_.rpartition("_")[2]: base.key for id_, base in bases.items() if base}
    assert lineages == {
        "hill-dwarf": "srd_dwarf", "high-elf": "srd_elf", "lightfoot": "srd_halfling", "rock-gnome": "srd_gnome",
    }  # fmt: skip


def test_options_belong_to_the_trait_that_announces_them(srd: Mapping[str, Record]) -> None:
    gnome = srd["species:srd_rock-gnome"]
    assert isinstance(gnome, Species)
    assert [trait.name for trait in gnome.traits] == ["Ability Score Increase", "Artificer's Lore", "Tinker"]
    assert "**Music Box.**" in gnome.traits[-1].text


def test_every_paragraph_on_a_species_is_the_books(srd: Mapping[str, Record]) -> None:
    rules = "\n".join(record.text for id_, record in srd.items() if id_.startswith("rule:srd_race_"))
    species = [record for record in srd.values() if isinstance(record, Species)]
    for record in species:
        texts = [record.text, *(trait.text for trait in record.traits)]
        assert [line for text in texts for line in text.splitlines() if line not in rules] == [], record.key


def test_features_keep_their_tables(srd: Mapping[str, Record]) -> None:
    shapes = next(one for one in a_class(srd, "class:srd_druid").features if one.name == "Wild Shape")
    slots = next(one for one in a_class(srd, "class:srd_sorcerer").features if one.name.endswith("Spell Slots"))
    assert "| 4th | 1/2 | No flying speed | Crocodile |" in shapes.text
    assert "| 5th | 7 |" in slots.text


def test_acolyte_and_grappler_are_as_printed(srd: Mapping[str, Record]) -> None:
    acolyte, grappler = srd["background:srd_acolyte"], srd["feat:srd_grappler"]
    assert isinstance(acolyte, Background)
    assert isinstance(grappler, Feat)
    benefits = {one.type: one.text for one in acolyte.benefits}
    assert benefits["skill_proficiency"] == "Insight, Religion"
    assert benefits["equipment"].endswith("15 gp")
    assert benefits["suggested_characteristics"].count("| --- | --- |") == 4
    assert acolyte.text
    assert (grappler.prerequisite, len(grappler.benefits)) == ("Strength 13 or higher", 2)
    assert grappler.text.startswith("You've developed the skills necessary")
