"""The conditions that spells of the SRDs cause: judged by hand from the books."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.filters.caused_conditions import conditions_caused
from lorekeeper_mcp.models import Spell
from tests.srd import srd_records

JUDGED = {
    "paralyzed": "srd_hold-monster srd_hold-person srd-2024_hold-monster srd-2024_hold-person",
    "petrified": (
        "srd_flesh-to-stone srd_prismatic-spray srd_prismatic-wall "
        "srd-2024_flesh-to-stone srd-2024_prismatic-spray srd-2024_prismatic-wall"
    ),
    "grappled": "srd_arcane-hand srd-2024_arcane-hand",
    "stunned": (
        "srd_contagion srd_divine-word srd_power-word-stun srd_symbol "
        "srd-2024_divine-word srd-2024_power-word-stun srd-2024_symbol srd-2024_wind-walk"
    ),
    "poisoned": (
        "srd-2024_contagion srd-2024_eyebite srd-2024_giant-insect srd-2024_ray-of-sickness srd-2024_stinking-cloud"
    ),
}


@pytest.mark.parametrize("condition", JUDGED)
def test_the_spells_of_the_srds_that_cause_a_condition(condition: str) -> None:
    spells = (record for record in srd_records() if isinstance(record, Spell))
    assert {spell.key for spell in spells if condition in conditions_caused(spell.text)} == set(
        JUDGED[condition].split()
    )


@pytest.mark.parametrize(
    "text",
    [
        "The target can't be charmed or frightened.",
        "If the creature is already charmed, the spell fails.",
        "The target is no longer possessed, charmed, or frightened.",
        "It has immunity to being frightened.",
        "It resists what would cause the creature to become poisoned.",
        "Damage carries over to its normal form and knocks it unconscious if it drops to 0 hit points.",
        "The ally doesn't fall unconscious.",
        "While closed, the portal is invisible.",
        "The target has advantage on saving throws against being blinded or poisoned.",
    ],
)
def test_a_spell_that_prevents_ends_or_requires_a_condition_does_not_cause_it(text: str) -> None:
    assert conditions_caused(text) == []


def test_every_condition_of_a_list_is_caused() -> None:
    assert conditions_caused("On a failed save, the target is blinded, deafened, and stunned.") == [
        "blinded",
        "deafened",
        "stunned",
    ]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (
            "A creature in the mud when you cast it makes a Strength saving throw or it becomes restrained.",
            "restrained",
        ),
        ("It has disadvantage on checks to avoid your notice and is frightened of you.", "frightened"),
        ("If the target is a creature it is poisoned until its next turn.", "poisoned"),
        ("Whoever is within when the ice hardens is restrained.", "restrained"),
        ("The form is that of its fears, making it frightened.", "frightened"),
        ("40 hit points or fewer: deafened for a minute", "deafened"),
        ("| 3 | Stunned |", "stunned"),
        ("The hand attempts to grapple a Huge creature.", "grappled"),
        ("The sleeper is rendered unconscious.", "unconscious"),
    ],
)
def test_a_condition_is_caused_in_many_words(text: str, condition: str) -> None:
    assert conditions_caused(text) == [condition]


def test_a_second_condition_follows_how_long_the_first_lasts() -> None:
    text = "It is also stunned until the end of its next turn and blinded for 1d4 rounds."
    assert conditions_caused(text) == ["stunned", "blinded"]
