"""Differences between editions: every rule that one edition has and the other lacks or words otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from lorekeeper_mcp.models import (
    Abilities,
    Action,
    CharacterFeature,
    Creature,
    Edition,
    Equipment,
    FeatureType,
    Kind,
    Ref,
    Rule,
    Section,
    Spell,
)
from lorekeeper_mcp.render.edition_differences import EditionNote, compare_editions
from tests.own_records import book_heading

SENTENCE = "Each creature in a 20-foot-radius Sphere makes a Dexterity saving throw, taking 2d6 Fire."


def spell(text: str, edition: Edition, **fields: Any) -> Spell:
    return Spell(**book_heading(Kind.SPELL, "Glow"), text=text, level=2, editions=(edition,), **fields)


def note(new: str, old: str, **fields: Any) -> EditionNote:
    return compare_editions(spell(new, Edition.E2024), spell(old, Edition.E2014, **fields), 2_000)


@pytest.mark.parametrize(
    "older",
    [
        "Creatures in a 20-foot radius sphere must make a dexterity saving throw, taking 2d6 fire.",
        "Each creature in a 20-foot-radius sphere must make a Dexterity saving throw. It takes 2d6 fire.",
    ],
)
def test_another_wording_or_division_of_sentences_is_no_difference(older: str) -> None:
    assert note(SENTENCE, older).text == ""


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("It takes 2d6 Fire damage from the lamp.", "It takes 3d6 fire damage from the lamp."),
        ("It takes 2d6 Fire damage from the lamp.", "It takes 2d6 cold damage from the lamp."),
        ("As a Bonus Action, you can move the lamp.", "As an action, you can move the lamp."),
        ("The lamp burns for 1 minute in the fen.", "The lamp burns for 1 hour in the fen."),
        ("Make an attack roll with the hot lamp.", "Make a weapon attack with the hot lamp."),
        ("The reeds make a Wisdom saving throw.", "The reeds make a Charisma saving throw."),
        ("The wader has the Blinded condition.", "The wader is deafened."),
        ("The reeds can see the lamp.", "The reeds can't see the lamp."),
    ],
)
def test_a_changed_rule_is_a_difference_however_alike_the_words(newer: str, older: str) -> None:
    assert older in note(f"{newer} The fen is quiet at night.", f"{older} The fen is quiet at night.").text


def test_a_renamed_term_is_no_difference() -> None:
    newer = "You have Disadvantage on D20 Tests while the reeds sway."
    older = "You have disadvantage on attack rolls, saving throws, and ability checks while the reeds sway."
    assert note(newer, older).text == ""


def test_what_only_the_newer_edition_has_is_said() -> None:
    same = "The lamp shines on reeds, herons and toads in the whole fen."
    found = note(f"{same} It doubles the price of eels.", same)
    assert found.text == '- Not in 2014: "It doubles the price of eels."'


def test_a_text_that_differs_in_most_of_its_sentences_is_whole_with_its_lists() -> None:
    older = "Herons dislike it:\n\n- The first heron takes 1d4 damage.\n- The second heron sleeps for 1 hour."
    found = note("Toads sing for a day.", older)
    assert found.is_whole
    assert "- The first heron takes 1d4 damage.\n- The second heron sleeps for 1 hour." in found.text


def test_a_changed_table_is_printed_as_a_table() -> None:
    table = "| Roll | Effect |\n|---|---|\n| 1 | The lamp goes out for {} hours. |"
    text = "Roll on the table of lamps. The reeds stand in the fen by night. The toad sits in the mud below them."
    found = note(f"{text}\n\n{table.format(3)}", f"{text}\n\n{table.format(4)}")
    assert table.format(4) in found.text


def test_facts_are_compared_one_by_one() -> None:
    text = "It glows."
    assert note(text, text, range_text="60 feet").text == "- **Range:** 60 feet"
    assert note(text, text, material_text="a lump of coal").text == ""
    hat = book_heading(Kind.MAGIC_ITEM, "Hat")
    newer = Equipment(**hat, requires_attunement=False, editions=(Edition.E2024,))
    older = Equipment(**hat, requires_attunement=True, editions=(Edition.E2014,))
    assert compare_editions(newer, older, 500).text == "- **Attunement:** requires attunement"
    assert compare_editions(older, newer, 500).text == "- **Attunement:** none"


def creature(edition: Edition, bite: str, **fields: Any) -> Creature:
    traits = (Section(name="Keen Nose", text="It smells eels."),) if edition is Edition.E2014 else ()
    return Creature(
        **book_heading(Kind.CREATURE, "Gloom"), abilities=Abilities(dexterity=14), traits=traits, editions=(edition,),
        actions=(Action(name="Bite", text=bite),), **fields,
    )  # fmt: skip


def test_stat_blocks_are_compared_by_numbers_traits_and_actions() -> None:
    newer = creature(Edition.E2024, "Melee Attack Roll: +5, reach 5 ft. Hit: 7 (1d8 + 3) Piercing damage.")
    same = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."
    older = creature(Edition.E2014, same, saving_throws={"dexterity": 4})
    found = compare_editions(newer, older, 2_000).text.splitlines()
    assert found == ["- **Saving Throws:** Dexterity +4", "- **Keen Nose:** It smells eels."]
    stronger = creature(Edition.E2014, same.replace("1d8", "2d8"))
    assert f"- **Actions › Bite:** {same.replace('1d8', '2d8')}" in compare_editions(newer, stronger, 2_000).text
    assert compare_editions(older, newer, 2_000).text.endswith("- Not in 2024: Keen Nose")
    longer = creature(Edition.E2014, f"{same} The eel is paralyzed for 1 minute.")
    shorter = creature(Edition.E2024, f"{same} The eel is Paralyzed until the end of its turn.")
    assert "for 1 minute" in compare_editions(shorter, longer, 2_000).text


def test_parts_that_do_not_fit_are_named_and_sentences_with_numbers_go_first() -> None:
    def rule(edition: Edition, text: str) -> Rule:
        return Rule(**book_heading(Kind.RULE, "Fen"), text=text, editions=(edition,))

    toad = "***Toad {}.*** It takes {}d6 fire damage. Toads of the fen sing by night."
    same = (
        "The eel sleeps in mud. The heron waits on one leg. Reeds sway. Bells ring far away. Frogs jump over stones. "
        * 2
    )
    older = "\n\n".join([same, *(toad.format(n, n) for n in range(3, 6))])
    newer = rule(Edition.E2024, f"{same}The lamp is lit.")
    text = compare_editions(newer, rule(Edition.E2014, older), 240).text
    assert len(text) <= 240
    assert "- **Toad 3:** It takes 3d6 fire damage. …" in text
    assert text.endswith("- Also different: Toad 3, Toad 4, Toad 5")


def test_a_feature_gained_at_another_level_and_another_kind_of_item_are_differences() -> None:
    def feature(edition: Edition, level: int) -> CharacterFeature:
        monk = Ref(key="monk", name="Monk")
        heading = book_heading(Kind.FEATURE, "Eel Grip")
        kinds = {"type": FeatureType.CLASS, "parent_kind": Kind.CLASS}
        return CharacterFeature(**heading, **kinds, text="Hold on.", parent=monk, levels=(level,), editions=(edition,))

    assert compare_editions(feature(Edition.E2024, 7), feature(Edition.E2014, 6), 500).text == "- **Level:** 6"
    brand = book_heading(Kind.MAGIC_ITEM, "Brand")
    newer = Equipment(**brand, category_text="Weapon (Whip)", editions=(Edition.E2024,))
    older = Equipment(**brand, category_text="Weapon (any sword)", editions=(Edition.E2014,))
    assert compare_editions(newer, older, 500).text == "- Weapon (any sword)"
