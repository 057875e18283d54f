"""Index lines: what sets entries apart."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import (
    Action,
    ArmorStats,
    CharacterClass,
    CharacterFeature,
    Creature,
    Equipment,
    Feat,
    Feature,
    FeatureType,
    Kind,
    Record,
    Ref,
    Reference,
    Section,
    Species,
    WeaponStats,
)
from lorekeeper_mcp.render.index_lines import facts, index_line
from tests.own_records import book_heading

LINES: list[tuple[Record, str]] = [
    (
        CharacterClass(
            **book_heading(Kind.CLASS, "Binder"), hit_dice="d8", caster_type="pact",
            primary_abilities=("Charisma",), saving_throws=("Wisdom", "Charisma"),
            features=(Feature(name="Core Binder Traits", text=""), Feature(name="Vestige", text="", levels=(1,))),
        ),
        "**Binder** (class) — hit die d8 · primary charisma · saving throws wisdom, charisma · Pact Magic · Vestige.",
    ),
    (
        Species(
            **book_heading(Kind.SPECIES, "Wisp"), size="Wisps float. Your size is Small or Medium.",
            text="As all wisps.", speed="Your base walking speed is 30 feet.",
            traits=(Section(name="Age", text="Old."), Section(name="Glow", text="It glows."), Section(name="Float")),
        ),
        "**Wisp** (species) — small or medium · 30 feet · Glow, Float.",
    ),
    (
        CharacterFeature(
            **book_heading(Kind.FEATURE, "Vestige"), parent=Ref(name="Binder", key="own_binder"),
            parent_kind=Kind.CLASS, type=FeatureType.CLASS, levels=(3, 7, 15), text="A vestige wakes.",
        ),
        "**Vestige** (feature) — feature of Binder · level 3 · also at 7, 15 · A vestige wakes.",
    ),
    (
        Feat(
            **book_heading(Kind.FEAT, "Lamplighter"), prerequisite="Requires a lamp",
            benefits=("**Oil.** You find oil.", "**Wick.** You find wicks."),
        ),
        "**Lamplighter** (feat) — requires a lamp · Oil, Wick.",
    ),
    (
        Equipment(**book_heading(Kind.WEAPON, "Hook"), category="weapon", weapon=WeaponStats(is_simple=False)),
        "**Hook** (weapon) — martial weapon",
    ),
    (
        Equipment(**book_heading(Kind.WEAPON, "Pole"), category="weapon", weapon=WeaponStats(is_ranged=False)),
        "**Pole** (weapon) — melee weapon",
    ),
    (
        Equipment(
            **book_heading(Kind.ARMOR, "Bark"), category="armor", armor=ArmorStats(category="light", ac_text="12")
        ),
        "**Bark** (armor) — light armor · AC 12",
    ),
    (
        Creature(**book_heading(Kind.CREATURE, "Gloom"), type="undead", alignment="Neutral Evil"),
        "**Gloom** (creature) — undead · neutral evil",
    ),
    (
        Creature(
            **book_heading(Kind.CREATURE, "Shade"), type="undead", type_text="Undead (Medium or Small)", size="medium"
        ),
        "**Shade** (creature) — undead · medium or small",
    ),
    (
        Creature(**book_heading(Kind.CREATURE, "Mage"), type="humanoid", size="medium", size_text="Medium or Small"),
        "**Mage** (creature) — humanoid · medium or small",
    ),
    (Reference(**book_heading(Kind.SKILL, "Juggling"), ability="dex"), "**Juggling** (skill) — Dexterity"),
    (
        Reference(**book_heading(Kind.PROFICIENCY, "Hooks"), type="Weapons", members=(Ref(name="Binder"),)),
        "**Hooks** (proficiency) — Weapons · given by Binder",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("record", "expected"), LINES, ids=[record.name for record, _ in LINES])
def test_a_line_distinguishes_an_entry_from_others(record: Record, expected: str) -> None:
    assert index_line(record, facts(record)) == expected


def thing(text: str, name: str = "Thing") -> Record:
    return Equipment(**book_heading(Kind.ITEM, name), category="gear", text=text)


def summary(record: Record, question: str = "", *passages: str) -> object:
    return facts(record, question, passages).get("summary")


def test_a_creature_is_summarised_by_its_abilities_and_not_its_gear() -> None:
    scout = Creature(
        **book_heading(Kind.CREATURE, "Scout"),
        traits=(Section(name="Gear", text="Daggers (3)"), Section(name="Keen Ears (1/Day)", text="It hears.")),
        actions=(Action(name="Multiattack", text="Two daggers."), Action(name="Dagger", text="4 damage.")),
    )
    assert summary(scout) == "Keen Ears, Dagger."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It follows these rules. All of its fire damage is halved.", "All of its fire damage is halved."),
        ("You gain the following benefits:\n\n- You never need to sleep again.", "You never need to sleep again."),
        ("Worn, it has the following effects.", "Worn, it has the following effects."),
        ("It floats. It sinks at noon, slowly.", "It floats. It sinks at noon, slowly."),
    ],
)  # fmt: skip
def test_an_introductory_sentence_is_skipped(text: str, expected: str) -> None:
    assert summary(thing(text)) == expected


def test_a_summary_is_the_sentence_that_best_matches_the_question() -> None:
    record = thing("It is made of shining brass. It glows when orcs are near. It weighs hardly anything.")
    question = "what glows near orcs"
    assert summary(record, question, record.text) == "It glows when orcs are near."
    assert summary(record, "entirely different", record.text) == "It is made of shining brass."
