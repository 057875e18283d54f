"""The place of each construct of Foundry's documents in the records."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Record
from tests.corpus.entries import parsed
from tests.sources.imported_items import field_at, read_records

TABLE: list[tuple[str, str, Any]] = [
    ("Marsh Moth", "legendary_text", "It can take 3 legendary actions."),
    ("Marsh Moth", "environments.0", {"name": "Swamp", "key": "swamp"}),
    ("Marsh Moth", "traits.0.name", "Flit (3)"),
    ("Marsh Moth", "traits.1", {"name": "Legendary Resistance (2/Day)", "text": "", "type": ""}),
    ("Marsh Moth", "traits.2", {"name": "Equipment", "text": "Lantern, Rope", "type": ""}),
    ("Moth Burst", "other.0", {"name": "Uses", "text": "2/long rest", "type": ""}),
    ("Wick Glaive", "weapon.properties.0", {"name": "Topple", "detail": "", "text": "", "type": "Mastery"}),
    ("Wick Glaive", "other.0", {"name": "magicalBonus", "text": "1", "type": ""}),
    ("Lamplighter", "spellcasting", "Spellcasting Ability: Intelligence"),
    ("Lamplighter", "equipment", "2d4 × 10 gp"),
    ("Lamplighter", "other.0.text", "- Level 3: Guild"),
    ("Green Guild", "subclass_of.key", "orcbrew_fens_classes_lamplighter"),
    ("Mothfolk", "speed", "25 ft., fly 30 ft."),
    ("Mothfolk", "other.0", {"name": "Senses", "text": "darkvision 60 ft.", "type": ""}),
    ("Barge", "other.0", {"name": "attributes", "text": "capacity: (cargo: 2 tons)", "type": ""}),
    ("Ash Walker", "prerequisite", "level 4"),
    ("Lamp Wight", "type_text", "swarm of Tiny undead"),
    ("Lamp Wight", "languages", "Common, telepathy 60 ft."),
    ("Lamp Wight", "defenses.damage_resistances_text", "fire, slashing (not from magical attacks)"),
    ("Lamp Wight", "traits.2.text", "It has a lair, which acts on initiative count 20."),
    ("Lamp Wight", "initiative_bonus", 4),
    ("Lamp Wight", "actions.0.text", "It burns. attack. 2d6 fire. DC 13 Dexterity saving throw.\n\n**Save.** at dusk"),
    ("Lamp Wight", "traits.1.text", "It blows.\n\n**Use.** 2 creatures or objects"),
    ("Lamp Wight", "actions.1.text", "*Hit:* 3 (1d6) slashing damage, or 1d8 + soot damage with two hands."),
    ("Lamp Wight", "traits.4.text", "- Cantrips: Light\n- 1st level (2 slots): Shine"),
    *((kind, "weight", 2.0) for kind in ("Consumable", "Tool", "Loot", "Backpack", "Container")),
]


@cache
def records() -> dict[str, Record]:
    return read_records(parsed("foundry/lights"), "fens")


@pytest.mark.parametrize(("name", "path", "value"), TABLE, ids=[f"{row[0]}-{row[1]}" for row in TABLE])
def test_a_construct_is_read_into_its_field(name: str, path: str, value: Any) -> None:
    assert field_at(records()[name], path) == value


OTHER = [
    ("Lamp Wight", "Public biography", "For all."),
    ("Lamp Wight", "speed", "walk 30 ft., through lamps"),
    ("Lamp Wight", "Effect", "Glow: It glows."),
    ("Lamp Oil", "Uses", "3/dawn (regains 1d3)"),
    ("Lamp Oil", "Throw", "1d4 fire; 20 feet; description: chat flavor: It bursts."),
    ("Lamp Oil", "description", "chat: A flask.; unidentified: A jar."),
    ("Lamp Wight", "abilities", "Dexterity: (bonuses: (save: 1d4))"),
    ("Lamp Wight", "Source", "Lights of the Fens"),
]


@pytest.mark.parametrize(("name", "field", "text"), OTHER, ids=[f"{row[0]}-{row[1]}" for row in OTHER])
def test_a_value_without_a_field_is_shown_under_its_own_name(name: str, field: str, text: str) -> None:
    assert {section.name: section.text for section in records()[name].other}[field] == text


@pytest.mark.parametrize(
    ("type_", "limit", "text"),
    [
        ("heavy", 2, "18"),
        ("shield", 2, "+18"),
        ("light", None, "18 + Dex modifier"),
        ("medium", 3, "18 + Dex modifier (max 3)"),
    ],
)
def test_a_limit_of_dexterity_that_is_left_over_from_another_type_of_armor_counts_for_nothing(
    type_: str, limit: int | None, text: str
) -> None:
    system = {"type": {"value": type_}, "armor": {"value": 18, "dex": limit}}
    [record] = read_records([{"name": "Coat", "type": "equipment", "system": system}]).values()
    assert field_at(record, "armor.ac_text") == text
    assert field_at(record, "armor.adds_dexterity") is (type_ in ("light", "medium"))
