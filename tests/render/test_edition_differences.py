"""Differences between editions: rules and numbers, not wording."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.render.edition_differences import difference_text, differences, text_not_in

SHOWN = """# Glow

*Level 2 evocation*

**Range** 30 feet
**Components** V, S, M (a coal)

Each creature in a 20-foot-radius Sphere makes a Dexterity saving throw, taking 2d6 Fire damage on a failed save.

## Actions

***Bite.*** Melee Attack Roll: +5, reach 5 ft. Hit: 7 (1d8 + 3) Piercing damage."""


def changes(*blocks: str) -> list[str]:
    return [difference.markdown for difference in differences(SHOWN, "\n\n".join(["# Glow", *blocks]))]


@pytest.mark.parametrize(
    "block",
    [
        "*2nd-level evocation*",
        "**Components** V, S, M (A lump of coal.)",
        "Creatures in a 20-foot radius sphere must make a dexterity saving throw, taking 2d6 fire damage on a failure.",
        "## Actions\n\n***Bite.*** Melee Weapon Attack: +5 to hit, reach 5 ft. Hit: 7 (1d8 + 3) piercing damage.",
    ],
)
def test_a_different_wording_is_no_difference(block: str) -> None:
    assert changes(block) == []


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("**Range** 60 feet", "- **Range:** 60 feet"),
        ("Each creature in a 20-foot sphere takes 3d6 fire damage.", None),
        ("*3rd-level necromancy*", "- 3rd-level necromancy"),
        (
            "| Roll | Effect |\n|---|---|\n| 1 | The lamp goes out at once. |",
            "\n| Roll | Effect |\n|---|---|\n| 1 | The lamp goes out at once. |\n",
        ),
        ("It also puts out every candle.", "- It also puts out every candle."),
        (
            "## Actions\n\n***Bite.*** Melee Weapon Attack: +6 to hit, reach 5 ft. Hit: 7 (1d8 + 3) piercing damage.",
            "- **Actions › Bite:** Melee Weapon Attack: +6 to hit, reach 5 ft.",
        ),
    ],
)
def test_a_different_number_or_rule_is_a_difference(block: str, expected: str | None) -> None:
    assert changes(block) == [expected or f"- {block}"]


def test_the_place_of_a_rule_and_the_level_of_a_feature_are_no_differences() -> None:
    assert (
        changes("*Rule in Combat*", "Starting at 2nd level, each creature in a 20-foot sphere makes a saving throw.")
        == []
    )


def test_parts_that_do_not_fit_are_named() -> None:
    page = "\n\n".join(["# Glow", *(f"***Trait {n}.*** It puts out every candle nearby." for n in range(6))])
    text = difference_text(differences(SHOWN, page), 120)
    assert text.splitlines()[0] == "- **Trait 0:** It puts out every candle nearby."
    assert text.splitlines()[-1] == "- Also: Trait 2, Trait 3, Trait 4, Trait 5"


def test_a_completely_different_text_is_reported_as_such() -> None:
    page = "\n\n".join(["# Glow", *(f"***Trait {n}.*** It puts out every candle nearby." for n in range(60))])
    assert difference_text(differences(SHOWN, page), 120) == "- It differs throughout."


def test_a_challenge_rating_is_compared_as_a_number_under_any_label() -> None:
    shown = "# Glow\n\n**CR** 1/4 (XP 50; PB +2)"
    assert differences(shown, "# Glow\n\n**Challenge** 1/4 (50 XP)") == ()
    assert [difference.text for difference in differences(shown, "# Glow\n\n**Challenge** 1/2 (100 XP)")] == [
        "1/2 (100 XP)"
    ]


def test_the_word_none_equals_a_missing_value() -> None:
    assert changes("**Armor** None") == []


def test_a_sentence_that_introduces_an_omitted_list_is_omitted() -> None:
    lead = "***Magic.*** It douses lanterns with a look. It has these candles ready:"
    text = difference_text(differences(SHOWN, f"# Glow\n\n{lead}\n\n{'- Dip: wick, tallow, snuff. ' * 9}"), 100)
    assert text.splitlines() == ["- **Magic:** It douses lanterns with a look.", "- Also: Magic"]


def test_a_sentence_that_introduces_a_shared_list_is_omitted() -> None:
    shown = f"{SHOWN}\n\n- It puts out every candle nearby."
    other = "# Glow\n\nWhile glowing, somebody enjoys these fine gifts:\n\n- It puts out every candle nearby."
    assert differences(shown, other) == ()


def test_a_label_with_a_colon_is_the_same_fact() -> None:
    assert changes("**Range:** 30 feet") == []
    assert changes("**Range:** 60 feet") == ["- **Range:** 60 feet"]


def test_a_rewritten_text_omits_shared_sentences_and_flavor() -> None:
    shown = "# Hide\n\n*Skill*\n\n**Ability** Dexterity\n\nOne."
    other = "# Hide\n\n*Skill*\n\n**Ability** Dexterity\n\nTwo.\n\n*Rule in Hiding*"
    assert text_not_in(shown, other) == "Two."
