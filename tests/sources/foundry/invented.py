"""Foundry's documents of every type, as written by versions since 4."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

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
SPELL: dict[str, Any] = {
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
KEEPER: dict[str, Any] = {
    "name": "Lamp Wight",
    "type": "npc",
    "effects": [{"name": "Glow", "description": "<p>It glows.</p>", "changes": [{"key": "system.light", "value": "5"}]}],
    "system": {
        "details": {
            **BOOK,
            "cr": 5,
            "xp": {"value": 1700},
            "biography": {"value": "<p>For the master.</p>", "public": "<p>For all.</p>"},
            "type": {"value": "undead", "swarm": "tiny"},
        },
        "abilities": {"dex": {"value": 14, "proficient": 1, "bonuses": {"save": "1d4"}}},
        "attributes": {
            "ac": {"calc": "default"},
            "init": {"bonus": "2"},
            "spellcasting": "cha",
            "movement": {"walk": 9, "units": "m", "special": "through lamps"},
        },
        "traits": {
            "dr": {"value": ["fire", "slashing"], "bypasses": ["mgc"]},
            "languages": {"value": ["common"], "communication": {"telepathy": {"value": 60, "units": "ft"}}},
        },
        "resources": {"lair": {"value": True, "initiative": 20}},
        "spells": {"spell1": {"value": 2, "override": 2}},
        "skills": {"ste": {"value": 1, "ability": "cha", "bonuses": {"check": "1"}}},
        "currency": {"gp": 5},
    },
    "items": [
        {"name": "Wax Shirt", "type": "equipment", "system": {"armor": {"value": 12}, "type": {"value": "light"}}},
        {"name": "Shine", "type": "spell", "system": {"level": 1, "description": "It shines.", **BOOK}},
        {"name": "Light", "type": "spell", "_stats": {"compendiumSource": "Compendium.dnd5e.spells.Item.x"},
         "system": {"level": 0, "description": "The SRD's."}},
        {"name": "Burn", "type": "feat", "system": {
            "description": "It burns. [[/attack extended]]. [[/damage]]. [[/save]].",
            "activities": {"a": {
                "type": "save", "activation": {"type": "bonus", "condition": "at dusk"},
                "damage": {"parts": [{"number": 2, "denomination": 6, "types": ["fire"]}]},
                "save": {"ability": ["dex"], "dc": {"formula": "13"}},
            }},
        }},
        {"name": "Soot", "type": "feat", "system": {
            "description": "It deals 1d8 damage.", "range": {"value": 30, "units": "ft"},
            "target": {"affects": {"type": "creatureOrObject", "count": 2}}, "critical": {"threshold": 19},
            "damage": {"parts": [{"number": 1, "denomination": 8, "bonus": "half of its soot", "types": ["fire"]}],
                       "versatile": "1d10 + soot"},
        }},
        {"name": "Gust", "type": "feat", "system": {
            "description": "It blows.", "target": {"affects": {"type": "creatureOrObject", "count": 2}},
        }},
        {"name": "Wick Blade", "type": "weapon", "system": {
            "damage": {"parts": [["1d6", "slashing"]], "versatile": "1d8 + soot"},
        }},
    ],
}  # fmt: skip
OIL = {
    "name": "Lamp Oil",
    "type": "consumable",
    "effects": [{"name": "Slick", "changes": []}],
    "system": {
        **BOOK,
        "price": {"value": 0.5, "denomination": "gp"},
        "weight": {"value": 2, "units": "kg"},
        "quantity": 6,
        "description": {"value": "Oil.", "chat": "A flask.", "unidentified": "A jar."},
        "activities": {
            "a": {"type": "attack", "name": "Throw", "description": {"chatFlavor": "It bursts."},
                  "range": {"value": 20, "units": "ft"}, "damage": {"parts": [{"number": 1, "denomination": 4, "types": ["fire"]}]}}
        },
        "uses": {"max": "3", "recovery": [{"period": "dawn", "formula": "1d3"}]},
    },
}  # fmt: skip
FACILITY = {
    "name": "Lamp Room",
    "type": "facility",
    "system": {**BOOK, "order": "craft", "description": "<p>Lamps.</p>"},
}
GROUP = {"name": "Fen Watch", "type": "group", "system": {"description": {"full": "<p>They watch.</p>"}, **BOOK}}
JOURNAL = {
    "name": "Fen Notes",
    "_id": "x",
    "pages": [
        {"name": "Dusk", "type": "text", "text": {"content": "<p>It is dim.</p>"}},
        {"name": "Map", "type": "image", "image": {"caption": "The fens"}},
    ],
}
ROLL_TABLE = {
    "name": "Omens",
    "_id": "x",
    "formula": "1d2",
    "results": [{"range": [1, 1], "text": "ash"}, {"range": [2, 4], "text": "rain"}],
}
DOCUMENTS: list[dict[str, Any]] = [
    *(NPC, SPELL, GLAIVE, COAT, CLASS, RACE, BACKGROUND, VEHICLE, *THINGS),
    *(KEEPER, OIL, FACILITY, GROUP),
    {"name": "Green Guild", "type": "subclass", "system": {**BOOK, "classIdentifier": "lamplighter"}},
    {"name": "Ash Walker", "type": "feat", "system": {**BOOK, "requirements": "level 4", "type": {"value": "feat"}}},
]
