"""Invented files of Fantasy Statblocks, Improved Initiative and Foundry."""

from __future__ import annotations

import json

NOTE = """---
tags: monster
---
# Fen notes

```statblock
name: Dusk Moth
source: Lights of the Fens
size: Small
type: monstrosity
subtype: moth
alignment: chaotic neutral
ac: 13
ac_class: natural armor
hp: 37
hit_dice: 5d10 + 10
speed: 20 ft., fly 60 ft. (hover)
stats: [8, 16, 14, 6, 12, 10]
saves:
  - dexterity: 5
skillsaves:
  - stealth: 7
damage_resistances: cold; bludgeoning from nonmagical attacks
condition_immunities: poisoned
senses: darkvision 60 ft., passive Perception 11
languages: Common
cr: 1/2
traits:
  - name: Dust
    desc: It sheds light.
actions:
  - name: Bite (Recharge 5-6)
    desc: "Melee Weapon Attack: +5 to hit."
bonus_actions:
  - [Flit, It flies.]
reactions:
  - name: Swerve
    desc: It turns.
legendary_actions:
  - name: Flare (Costs 2 Actions)
    desc: It flares.
legendary_description: It takes three.
lair_actions:
  - name: ""
    desc: Dust falls.
spells:
  - It casts.
  - At will: light
habitat: swamps
```

~~~statblock
name: Fen Toad
~~~

```statblock
monster: Goblin
```

```statblock
a: &a [x, x]
b: *a
```

```statblock
name: [
```
"""
INITIATIVE = {
    "Id": "x1",
    "Name": "Dusk Moth",
    "Source": "Lights of the Fens",
    "Type": "Small monstrosity (moth), chaotic neutral",
    "HP": {"Value": 37, "Notes": "(5d10+10)"},
    "AC": {"Value": 13, "Notes": "(natural armor)"},
    "InitiativeModifier": 3,
    "Speed": ["20 ft.", "fly 60 ft. (hover)"],
    "Abilities": {"Str": 8, "Dex": 16, "Con": 14, "Int": 6, "Wis": 12, "Cha": 10},
    "DamageVulnerabilities": [],
    "DamageResistances": ["cold", "bludgeoning from nonmagical attacks"],
    "DamageImmunities": [],
    "ConditionImmunities": ["poisoned"],
    "Saves": [{"Name": "Dex", "Modifier": 5}],
    "Skills": [{"Name": "Stealth", "Modifier": 7}],
    "Senses": ["darkvision 60 ft.", "passive Perception 11"],
    "Languages": ["Common"],
    "Challenge": "1/2",
    "Traits": [{"Name": "Dust", "Content": "It sheds light.", "Usage": ""}],
    "Actions": [{"Name": "Bite", "Content": "Melee Weapon Attack: +5 to hit.", "Usage": "Recharge 5-6"}],
    "BonusActions": [{"Name": "Flit", "Content": "It flies."}],
    "Reactions": [{"Name": "Swerve", "Content": "It turns."}],
    "LegendaryActions": [{"Name": "Flare (Costs 2 Actions)", "Content": "It flares."}],
    "Description": "A moth.",
}
INITIATIVE_SPELL = {
    "Id": "s",
    "Name": "Moth Light",
    "Source": "Lights of the Fens",
    "Level": 2,
    "School": "Evocation",
    "CastingTime": "1 bonus action",
    "Range": "60 feet",
    "Components": "V, S, M (a moth)",
    "Duration": "Concentration, up to 1 minute",
    "Classes": ["Wizard"],
    "Ritual": True,
    "Description": "It glows.",
}
EXPORT = {
    "Creatures": json.dumps(["x1"]),
    "Creatures.x1": json.dumps(INITIATIVE),
    "Spells.s": json.dumps(INITIATIVE_SPELL),
    "Creatures.bad": "{",
    "Settings": "{}",
}
ACTOR = {
    "name": "Dusk Moth",
    "type": "npc",
    "system": {
        "abilities": {
            "str": {"value": 8},
            "dex": {"value": 16, "proficient": 1},
            "con": {"value": 14},
            "int": {"value": 6},
            "wis": {"value": 12},
            "cha": {"value": 10},
        },
        "attributes": {
            "ac": {"flat": 13, "calc": "natural"},
            "hp": {"value": 37, "max": 37, "formula": "5d10+10"},
            "movement": {"walk": 20, "fly": 60, "units": "ft", "hover": True},
            "senses": {"darkvision": 60, "units": "ft"},
        },
        "details": {
            "cr": 0.5,
            "alignment": "chaotic neutral",
            "type": {"value": "monstrosity", "subtype": "moth"},
            "source": {"book": "Lights of the Fens"},
            "biography": {"value": "<p>A <em>moth</em>.</p>"},
        },
        "traits": {
            "size": "sm",
            "dr": {"value": ["cold"], "custom": ""},
            "ci": {"value": ["poisoned"]},
            "languages": {"value": ["common"]},
        },
        "skills": {"ste": {"value": 2}},
    },
    "items": [
        {
            "name": "Dust",
            "type": "feat",
            "system": {
                "description": {"value": "<p>It sheds &amp;Reference[bright light]{light}.</p><ul><li>one</li></ul>"}
            },
        },
        {
            "name": "Bite (Recharge 5-6)",
            "type": "weapon",
            "system": {
                "description": {"value": "<p>[[/damage 1d8 + 3]] to @UUID[Compendium.dnd5e.x]{Prone}.</p>"},
                "activities": {"a": {"activation": {"type": "action"}}},
            },
        },
        {
            "name": "Swerve",
            "type": "feat",
            "system": {"activation": {"type": "reaction"}, "description": {"value": "It turns."}},
        },
        {"name": "Light", "type": "spell", "system": {}},
    ],
}
FOUNDRY = [
    ACTOR,
    {
        "name": "Moth Light",
        "type": "spell",
        "system": {
            "source": "Lights of the Fens",
            "level": 2,
            "school": "evo",
            "description": {"value": "<p>It glows.</p>"},
            "activation": {"type": "bonus", "cost": 1},
            "duration": {"value": 1, "units": "minute"},
            "range": {"value": 60, "units": "ft"},
            "properties": ["vocal", "concentration"],
            "damage": {"parts": [["2d6", "fire"]]},
            "save": {"ability": "dex"},
        },
    },
    {
        "name": "Wick Knife",
        "type": "weapon",
        "system": {
            "source": "Lights of the Fens",
            "rarity": "veryRare",
            "attunement": 1,
            "price": {"value": 50, "denomination": "sp"},
            "weight": {"value": 1, "units": "lb"},
            "type": {"value": "martialM"},
            "properties": ["fin", "mgc"],
            "damage": {"base": {"number": 1, "denomination": 4, "types": ["piercing"]}},
            "range": {"value": 20, "long": 60},
        },
    },
    {
        "name": "Ash Walker",
        "type": "feat",
        "system": {
            "source": "Lights of the Fens",
            "requirements": "level 4",
            "description": {"value": "You walk on ash."},
        },
    },
    {"name": "Roll", "type": "macro-like", "system": {}, "_stats": {}},
]
