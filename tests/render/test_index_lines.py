"""The lines of an index: by what tells entries apart."""

from __future__ import annotations

import pytest

from lorekeeper_mcp.models import (
    ArmorStats,
    CharacterClass,
    Creature,
    Equipment,
    Feat,
    Feature,
    Kind,
    Record,
    Ref,
    Reference,
    Section,
    Species,
    WeaponStats,
)
from lorekeeper_mcp.render.brief import facts, index_line
from tests.render.test_pages import common

LINES: list[tuple[Record, str]] = [
    (
        CharacterClass(
            **common(Kind.CLASS, "Binder"), hit_dice="d8", caster_type="pact",
            features=(Feature(name="Core Binder Traits", text=""), Feature(name="Vestige", text="", levels=(1,))),
        ),
        "**Binder** — hit die d8 · Pact Magic · Vestige.",
    ),
    (
        Species(
            **common(Kind.SPECIES, "Wisp"), size="Wisps float. Your size is Small or Medium.", text="As all wisps.",
            speed="Your base walking speed is 30 feet.",
            traits=(Section(name="Age", text="Old."), Section(name="Glow", text="It glows."), Section(name="Float")),
        ),
        "**Wisp** — small or medium · 30 feet · Glow, Float.",
    ),
    (
        Feat(
            **common(Kind.FEAT, "Lamplighter"), prerequisite="Requires a lamp",
            benefits=("**Oil.** You find oil.", "**Wick.** You find wicks."),
        ),
        "**Lamplighter** — requires a lamp · Oil, Wick.",
    ),
    (
        Equipment(**common(Kind.WEAPON, "Hook"), category="weapon", weapon=WeaponStats(is_simple=False)),
        "**Hook** — martial weapon",
    ),
    (
        Equipment(**common(Kind.WEAPON, "Pole"), category="weapon", category_text="Simple Melee Weapons"),
        "**Pole** — simple melee weapon",
    ),
    (
        Equipment(**common(Kind.ARMOR, "Bark"), category="armor", armor=ArmorStats(category="light", ac_text="12")),
        "**Bark** — light armor · AC 12",
    ),
    (
        Creature(**common(Kind.CREATURE, "Gloom"), type="undead", alignment="Neutral Evil"),
        "**Gloom** — undead · neutral evil",
    ),
    (
        Creature(**common(Kind.CREATURE, "Shade"), type="undead", type_text="Undead (Medium or Small)", size="medium"),
        "**Shade** — undead · medium or small",
    ),
    (
        Creature(**common(Kind.CREATURE, "Mage"), type="humanoid", size="medium", size_text="Medium or Small"),
        "**Mage** — humanoid · medium or small",
    ),
    (Reference(**common(Kind.SKILL, "Juggling"), ability="dex"), "**Juggling** — Dexterity"),
    (
        Reference(**common(Kind.PROFICIENCY, "Hooks"), type="Weapons", members=(Ref(name="Binder"),)),
        "**Hooks** — Weapons · given by Binder",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("record", "expected"), LINES, ids=[record.name for record, _ in LINES])
def test_a_line_tells_an_entry_from_others(record: Record, expected: str) -> None:
    assert index_line(record, facts(record)) == expected
