"""Small invented records in the shapes that Open5e serves."""

from __future__ import annotations

import copy
from typing import Any

DOCUMENT = {
    "key": "lantern",
    "name": "Lantern Book",
    "publisher": {"name": "Lamp Press", "key": "lamp-press"},
    "gamesystem": {"name": "5th Edition 2024", "key": "5e-2024"},
}
_LINKS = {"to": [{"anchor": "Lamp", "url": "http://localhost/v2/items/lantern_lamp/"}]}
_COMMON = {"key": "lantern_glow", "name": "Glow", "desc": "It glows.\r\nA lot.", "document": DOCUMENT}
_DESCRIPTIONS = [
    {"desc": "Newer glow.", "document": "srd-2024", "gamesystem": "5e-2024"},
    {"desc": "Older glow.", "document": "srd-2014", "gamesystem": "5e-2014"},
]
_WEAPON = {
    "name": "Lamp Hook",
    "key": "lantern_lamp-hook",
    "damage_type": {"name": "Piercing", "key": "piercing"},
    "damage_dice": "1d6",
    "range": 20,
    "long_range": 0,
    "is_simple": True,
    "is_improvised": False,
    "properties": [
        {"property": {"name": "Versatile", "type": None, "desc": "Two hands."}, "detail": "1d8"},
        {"property": {"name": "Vex", "type": "Mastery", "desc": "Annoys."}, "detail": None},
    ],
}
_ARMOR = {
    "name": "Lamp Mail",
    "key": "lantern_lamp-mail",
    "category": "medium",
    "ac_base": 13,
    "ac_display": "13 + Dex modifier (max 2)",
    "ac_add_dexmod": True,
    "ac_cap_dexmod": 2,
    "strength_score_required": None,
    "grants_stealth_disadvantage": True,
}
_ITEM = {
    "category": {"name": "Ring", "key": "ring"},
    "cost": "15.00",
    "weight": "3.000",
    "size": {"name": "Tiny", "key": "tiny"},
    "weapon": _WEAPON,
    "armor": _ARMOR,
}
_V1 = {"slug": "glow", "name": "Glow", "desc": "It glows.", "document__slug": "toh", "document__title": "Tome"}

RECORDS: dict[str, dict[str, Any]] = {
    "v2/spells": {
        "level": 3,
        "school": {"name": "Evocation", "key": "evocation"},
        "casting_time": "10minutes",
        "range": 0,
        "range_unit": "ft",
        "range_text": "Self",
        "verbal": True,
        "material": True,
        "material_specified": "a wick",
        "material_cost": "0.00",
        "duration": "1 minute",
        "concentration": True,
        "classes": [{"name": "Wizard", "key": "srd-2024_wizard"}],
        "damage_types": ["Fire"],
        "saving_throw_ability": "dexterity",
        "higher_level": "More.\r\n",
        "casting_options": [
            {"type": "default", "damage_roll": None, "duration": "0", "desc": None},
            {"type": "slot_level_4", "damage_roll": "3d6", "target_count": 2, "range": "0"},
        ],
        "crossreferences": _LINKS,
    },
    "v2/creatures": {
        "type": {"name": "Undead", "key": "undead"},
        "size": {"name": "Large", "key": "large"},
        "challenge_rating": 0.25,
        "experience_points": 50,
        "armor_class": 12,
        "armor_detail": "wax",
        "hit_points": 9,
        "hit_dice": None,
        "speed": {"walk": 30, "fly": 40, "unit": "feet", "hover": True},
        "speed_all": {"walk": 30, "fly": 40, "swim": 15, "unit": None, "hover": True},
        "ability_scores": {"strength": 8, "constitution": 0},
        "modifiers": {"strength": -1},
        "saving_throws": {"dexterity": 3},
        "skill_bonuses": {"sleight_of_hand": 4},
        "languages": {"as_string": "Common", "data": [{"name": "Common", "key": "common"}]},
        "resistances_and_immunities": {
            "damage_immunities_display": "fire",
            "damage_immunities": [{"name": "Fire", "key": "fire"}],
        },
        "darkvision_range": 60,
        "normal_sight_range": None,
        "passive_perception": 11,
        "traits": [{"name": "Warm", "desc": "It is warm."}],
        "actions": [
            {
                "name": "Burn",
                "desc": "It burns.",
                "action_type": "ACTION",
                "order_in_statblock": 1,
                "legendary_action_cost": 1,
                "usage_limits": {"type": "RECHARGE_ON_ROLL", "param": 5},
            }
        ],
        "environments": [{"name": "Forest or Jungle", "key": "forest"}],
        "creaturesets": ["lamps"],
        "illustration": {"file_url": "/glow.png"},
    },
    "v2/items": _ITEM,
    "v2/magicitems": {
        **_ITEM,
        "rarity": {"name": "Very Rare", "key": "very-rare", "rank": 4},
        "requires_attunement": True,
        "attunement_detail": "requires attunement by a lamplighter",
    },
    "v2/weapons": _WEAPON,
    "v2/armor": _ARMOR,
    "v2/classes": {
        "subclass_of": {"name": "Wizard", "key": "srd-2024_wizard"},
        "hit_dice": "D8",
        "caster_type": "FULL",
        "saving_throws": [{"name": "Wisdom"}],
        "hit_points": {"hit_dice": "D8", "hit_points_at_1st_level": "8"},
        "features": [
            {
                "key": "lantern_glow_wick",
                "name": "Wick",
                "desc": "A wick.",
                "feature_type": "CLASS_LEVEL_FEATURE",
                "gained_at": [{"level": 9, "detail": "two wicks"}, {"level": 2, "detail": None}],
                "data_for_class_table": [{"level": 2, "column_value": "1"}],
            }
        ],
    },
    "v2/species": {
        "is_subspecies": True,
        "subspecies_of": "lantern_wisp",
        "traits": [{"name": "Speed", "desc": "30 feet", "type": "SPEED", "order": 2}],
    },
    "v2/backgrounds": {"benefits": [{"name": "Tools", "desc": "A lamp.", "type": "equipment"}]},
    "v2/feats": {"prerequisite": "Level 4+", "type": "Origin", "benefits": [{"desc": "You glow."}]},
    "v2/rules": {"index": 2, "initialHeaderLevel": 3, "ruleset": "lantern_light-and-dark"},
    "v2/rulesets": {"rules": [{"key": "b", "name": "B", "index": 2, "desc": "x"}, {"key": "a", "name": "A"}]},
    "v2/conditions": {"descriptions": _DESCRIPTIONS, "icon": {"file_url": "/c.png", "attribution": "me"}},
    "v2/skills": {"descriptions": _DESCRIPTIONS, "ability": "dex"},
    "v2/abilities": {"descriptions": _DESCRIPTIONS, "short_desc": "glow", "skills": [{"key": "stealth", "name": "S"}]},
    "v2/creaturesets": {"creatures": [{"key": "lantern_moth", "name": "Moth", "actions": []}]},
    "v2/itemsets": {"items": [{"key": "lantern_lamp", "name": "Lamp"}]},
    "v2/documents": {"publication_date": "2024-05-06T00:00:00", "licenses": [{"name": "X", "key": "x"}]},
    "v1/magicitems": {"type": "Ring", "rarity": "Very Rare", "requires_attunement": "requires attunement"},
    "v1/weapons": {
        "category": "Martial Ranged Weapons",
        "cost": "2,000 gp",
        "weight": "1/4 lb.",
        "damage_dice": "1d4",
        "damage_type": "Piercing",
        "properties": ["", "two-handed", "thrown (range 20/60)", "versatile (1d10)"],
    },
    "v1/armor": {
        "category": "Medium Armor",
        "base_ac": 14,
        "plus_dex_mod": True,
        "plus_max": 2,
        "ac_string": "14 + Dex modifier (max 2)",
        "strength_requirement": 0,
        "cost": "5 sp",
        "weight": "",
        "stealth_disadvantage": True,
    },
    "v1/planes": {"parent": "Light"},
    "v1/classes": {
        "archetypes": [
            {
                "slug": "path-of-hellfire",
                "name": "Path of Lamps",
                "document__slug": "toh",
                "desc": "Lamps burn.\n\n#####Glow\nAt 3rd level, you glow.\n\n#####Dim\nYou dim.",
            }
        ]
    },
    "v1/feats": {"desc": "You glow.\nYou glow twice.", "effects_desc": []},
    "v1/races": {
        "asi_desc": "***Ability Score Increase.*** Your Charisma score increases by 2.",
        "age": "***Age.*** They count tides, not years.",
        "alignment": "***Alignment.*** They tend toward neutrality.",
        "size": "***Size.*** Your size is Small.",
        "speed_desc": "***Speed.*** Your base walking speed is 25 feet.",
        "languages": "***Languages.*** You can speak Common.",
        "vision": "***Lamp Eyes.*** You see in smoke.",
        "traits": "***Wick.*** You choose a wick:\n\n* **Wet.** It hisses.\n* **Dry.** It crackles."
        "\n\n**_Glow._** You shed dim light.\n\nIt is warm.",
    },
}


def record(endpoint: str, **changes: Any) -> dict[str, Any]:
    """An invented record of an endpoint, with some fields changed."""
    common = _V1 if endpoint.startswith("v1/") else _COMMON
    return copy.deepcopy({**common, **RECORDS.get(endpoint, {}), **changes})
