"""Foundry's documents of every type, as its versions since 4 write them: where each construct ends up."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from lorekeeper_mcp.models import Record
from lorekeeper_mcp.sources import formats

BOOK = {"source": {"book": "Lights of the Fens"}}
NPC: dict[str, Any] = {
    "name": "Marsh Moth",
    "type": "npc",
    "system": {
        "details": {**BOOK, "environment": "swamp", "cr": 1},
        "resources": {"legact": {"max": 3}, "legres": {"max": 2}},
        "attributes": {"hp": {"max": 9}},
    },
    "items": [
        {
            "name": "Dart",
            "type": "weapon",
            "system": {
                "damage": {"parts": [["1d4", "piercing"]]},
                "uses": {"recovery": [{"period": "recharge", "formula": "5"}]},
            },
        },
        {"name": "Flit", "type": "feat", "system": {"description": {"value": "It flits."}, "uses": {"max": 3}}},
        {"name": "Lantern", "type": "loot", "system": {}},
        {"name": "Rope", "type": "tool", "system": {}},
    ],
}
SPELL = {
    "name": "Moth Burst",
    "type": "spell",
    "system": {
        **BOOK,
        "level": 1,
        "school": "evo",
        "target": {"template": {"type": "sphere", "size": 20, "units": "ft"}},
        "sourceItem": "class:wizard",
        "uses": {"max": 2, "recovery": [{"period": "lr"}]},
        "activities": {
            "a": {"type": "attack", "damage": {"parts": [{"number": 2, "denomination": 8, "types": ["cold"]}]}}
        },
    },
}
GLAIVE = {
    "name": "Wick Glaive",
    "type": "weapon",
    "system": {
        **BOOK,
        "type": {"value": "martialM"},
        "damage": {
            "base": {"number": 1, "denomination": 8, "types": ["slashing"]},
            "versatile": {"number": 1, "denomination": 10, "types": ["slashing"]},
        },
        "mastery": "topple",
        "magicalBonus": 1,
        "unidentified": {"description": "<p>A pole.</p>"},
    },
}
COAT = {
    "name": "Wax Coat",
    "type": "equipment",
    "system": {
        **BOOK,
        "type": {"value": "medium"},
        "armor": {"value": 14, "dex": 2},
        "strength": 13,
        "properties": ["stealthDisadvantage"],
    },
}
CLASS = {
    "name": "Lamplighter",
    "type": "class",
    "system": {
        **BOOK,
        "hd": {"denomination": "d8"},
        "saves": ["dex"],
        "primaryAbility": {"value": ["int"]},
        "spellcasting": {"progression": "half", "ability": "int"},
        "wealth": "2d4*10",
        "advancement": [{"type": "ItemGrant", "level": 3, "title": "Guild"}, {"type": "HitPoints"}],
    },
}
RACE = {
    "name": "Mothfolk",
    "type": "race",
    "system": {**BOOK, "movement": {"walk": 25, "fly": 30}, "senses": {"darkvision": 60}},
}
BACKGROUND = {
    "name": "Lamp Keeper",
    "type": "background",
    "system": {**BOOK, "description": {"value": "<h2>Night</h2><p>Watch.</p>"}},
}
VEHICLE = {
    "name": "Barge",
    "type": "vehicle",
    "system": {"attributes": {"hp": {"max": 50}, "capacity": {"cargo": "2 tons"}}, "details": BOOK},
}
THINGS = [
    {"name": kind.title(), "type": kind, "system": {**BOOK, "weight": 2}}
    for kind in ("consumable", "tool", "loot", "backpack", "container")
]
DOCUMENTS: list[dict[str, Any]] = [
    *(NPC, SPELL, GLAIVE, COAT, CLASS, RACE, BACKGROUND, VEHICLE, *THINGS),
    {"name": "Green Guild", "type": "subclass", "system": {**BOOK, "classIdentifier": "lamplighter"}},
    {"name": "Ash Walker", "type": "feat", "system": {**BOOK, "requirements": "level 4", "type": {"value": "feat"}}},
]
TABLE: list[tuple[str, str, Any]] = [
    ("Marsh Moth", "legendary_text", "It can take 3 legendary actions. Legendary Resistance (2/Day)."),
    ("Marsh Moth", "other.0", {"name": "environment", "text": "swamp", "type": ""}),
    ("Marsh Moth", "actions.0.name", "Dart (Recharge 5–6)"),
    ("Marsh Moth", "actions.0.uses", "Recharge 5–6"),
    ("Marsh Moth", "actions.0.text", "*Hit:* 1d4 piercing damage."),
    ("Marsh Moth", "traits.0.name", "Flit (3)"),
    ("Marsh Moth", "traits.1", {"name": "Equipment", "text": "Lantern, Rope", "type": ""}),
    ("Moth Burst", "shape_type", "sphere"),
    ("Moth Burst", "shape_size", 20.0),
    ("Moth Burst", "classes.0.key", "wizard"),
    ("Moth Burst", "attack_roll", True),
    ("Moth Burst", "damage_roll", "2d8"),
    ("Moth Burst", "damage_types", ["cold"]),
    ("Moth Burst", "other.0", {"name": "Uses", "text": "2/long rest", "type": ""}),
    ("Wick Glaive", "weapon.two_handed_damage", "1d10"),
    ("Wick Glaive", "weapon.properties.0", {"name": "Topple", "detail": "", "text": "", "type": "Mastery"}),
    ("Wick Glaive", "other.0", {"name": "Bonus", "text": "+1", "type": ""}),
    ("Wick Glaive", "other.1", {"name": "unidentified", "text": "description: A pole.", "type": ""}),
    ("Wax Coat", "armor.ac_text", "14 + Dex modifier (max 2)"),
    ("Wax Coat", "armor.strength_required", 13),
    ("Wax Coat", "armor.stealth_disadvantage", True),
    ("Lamplighter", "hit_dice", "d8"),
    ("Lamplighter", "saving_throws", ["Dexterity"]),
    ("Lamplighter", "caster_type", "half"),
    ("Lamplighter", "spellcasting", "Intelligence"),
    ("Lamplighter", "primary_abilities", ["Intelligence"]),
    ("Lamplighter", "other.0", {"name": "wealth", "text": "2d4*10", "type": ""}),
    ("Lamplighter", "other.1.text", "- Level 3: Guild\n- HitPoints"),
    ("Green Guild", "subclass_of.key", "lamplighter"),
    ("Lamp Keeper", "text", "## Night\n\nWatch."),
    ("Mothfolk", "speed", "25 ft., fly 30 ft."),
    ("Mothfolk", "other.0", {"name": "senses", "text": "darkvision: 60", "type": ""}),
    ("Barge", "hit_points", 50),
    ("Barge", "other.0", {"name": "capacity", "text": "cargo: 2 tons", "type": ""}),
    ("Ash Walker", "prerequisite", "level 4"),
    *((kind, "weight", 2.0) for kind in ("Consumable", "Tool", "Loot", "Backpack", "Container")),
]


@cache
def records() -> dict[str, Record]:
    [book] = formats.read(json.dumps(DOCUMENTS).encode(), "x").books
    assert [item.reason for item in book.items if item.reason] == []
    return {item.record.name: item.record for item in book.items if item.record}


@pytest.mark.parametrize(("name", "path", "value"), TABLE, ids=[f"{row[0]}-{row[1]}" for row in TABLE])
def test_a_construct_ends_up_where_it_belongs(name: str, path: str, value: Any) -> None:
    found: Any = records()[name].model_dump(mode="json")
    for step in path.split("."):
        found = found[int(step)] if step.isdigit() else found[step]
    assert found == value
