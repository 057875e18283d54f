"""Texts: every form of the application's words, rolls and links, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

BASES: dict[str, dict[str, Any]] = {"spell": {}, "npc": {}}


def make(kind: str, base: dict[str, Any]) -> dict[str, Any]:
    """A spell, or a creature whose feature has the text."""
    activities = {
        "aB3dE5gH7jK9mN1p": {
            "type": "save",
            "save": {"ability": ["dex"], "dc": {"formula": "14"}},
            "target": {"template": {"type": "cone", "size": "15", "units": "ft"}},
        },
        "bB3dE5gH7jK9mN1p": {
            "type": "attack",
            "attack": {"type": {"value": "ranged", "classification": "spell"}},
            "damage": {"parts": [{"number": 2, "denomination": 6, "types": ["fire"]}]},
        },
        "cB3dE5gH7jK9mN1p": {
            "type": "check",
            "check": {"ability": "str", "associated": ["ath"], "dc": {"formula": "12"}},
        },
    }
    system = {"source": {"book": "Fens"}, "description": {"value": ""}, "activities": activities}
    if kind == "spell":
        return {"name": "Base", "type": "spell", "system": {**system, "level": 1, **base}}
    scores = {"str": {"value": 16}, "cha": {"value": 8}}
    classes = {
        "identifier": "wick-ward",
        "levels": 5,
        "advancement": [
            {
                "type": "ScaleValue",
                "configuration": {
                    "identifier": "wicks",
                    "scale": {"1": {"number": 1, "faces": 6}, "5": {"number": 2, "faces": 6}},
                },
            }
        ],
    }
    items = [
        {"name": "Thing", "_id": "tB3dE5gH7jK9mN1p", "type": "feat", "system": system},
        {"name": "Wickward", "type": "class", "system": classes},
    ]
    attributes = {"hp": {"max": 9}, "spellcasting": "cha", "movement": {"walk": 30}}
    return {
        "name": "Moth",
        "type": "npc",
        "items": items,
        "system": {"abilities": scores, "attributes": attributes, "details": {"cr": 5, "source": {"book": "Fens"}}},
    }


def inside(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """The object with the text."""
    description: dict[str, Any] = (document if kind == "spell" else document["items"][0])["system"]["description"]
    return description


# fmt: off
FORMS = [
    ('[[/r 1d20 + 5]]{+5}', '+5'), ('[[/roll 2d6]]', '2d6'), ('[[1d6 # fire]]', '1d6'), ('[[/gmr 1d4]]', '1d4'),
    ('[[/attack +5]]', '+5 to hit'), ('[[/attack formula=5 attackMode=thrown]]', '+5 to hit'), ('[[/attack]]', 'ranged spell attack'),
    ('[[/check dex]]', 'Dexterity check'), ('[[/check ability=dex dc=15]]', 'DC 15 Dexterity check'),
    ('[[/check skill=acr dc=20]]', 'DC 20 Dexterity (Acrobatics) check'), ('[[/check ability=str skill=acr]]', 'Strength (Acrobatics) check'),
    ('[[/check tool=thief ability=int]]', "Intelligence (thieves' tools) check"), ('[[/check skill=acr/ath dc=15]]', 'DC 15 Acrobatics or Athletics check'),
    ('[[/check strength deception persuasion 15]]', 'DC 15 Strength (Deception or Persuasion) check'), ('[[/skill prc 13]]', 'DC 13 Wisdom (Perception) check'),
    ('[[/skill skill=prc dc=13 passive=true]]', 'DC 13 passive Wisdom (Perception)'), ('[[/tool tool=smith ability=str]]', "Strength (smith's tools) check"),
    ('[[/check]]', 'DC 12 Strength (Athletics) check'), ('[[/check activity=cB3dE5gH7jK9mN1p]]', 'DC 12 Strength (Athletics) check'),
    ('[[/save dex 15]]', 'DC 15 Dexterity saving throw'), ('[[/save ability=str/dex dc=20]]', 'DC 20 Strength or Dexterity saving throw'),
    ('[[/save strength dexterity 20]]', 'DC 20 Strength or Dexterity saving throw'), ('[[/save]]', 'DC 14 Dexterity saving throw'),
    ('[[/save ability=wis dc=15 format=long]]', 'DC 15 Wisdom saving throw'), ('[[/concentration 10]]', 'DC 10 concentration saving throw'),
    ('[[/damage 2d6 type=bludgeoning]]', '2d6 bludgeoning'), ('[[/damage 2d6 fire average]]', '7 (2d6) fire'), ('[[/damage 2d6+3 fire average=true]]', '10 (2d6+3) fire'),
    ('[[/damage 8d4dl force average=666]]', '666 (8d4dl) force'), ('[[/damage 1d6 fire & 1d6 cold]]', '1d6 fire and 1d6 cold'),
    ('[[/damage 2d6 type=fire|cold]]', '2d6 fire or cold'), ('[[/damage 2d6 type=fire/cold]]', '2d6 fire or cold'), ('[[/damage]]', '2d6 fire'),
    ('[[/heal 2d4 + 2]]', '2d4 + 2'), ('[[/healing 10 temp]]', '10 temporary'), ('[[/healing formula=2d4]]', '2d4'),
    ('[[/item Heavy Crossbow]]', 'Heavy Crossbow'), ('[[/item Heavy Crossbow activity=Poison]]', 'Heavy Crossbow'), ('[[/item Bite]]{bites}', 'bites'),
    ('[[/item Actor.aB3dE5gH7jK9mN1p.Item.bB3dE5gH7jK9mN1p]]', '[link]'), ('[[/award 5gp 10xp each]]', '5 gp, 10 XP each'), ('[[/award 300 XP]]{300 XP}', '300 XP'),
    ('&Reference[prone]', 'prone'), ('&amp;Reference[condition=prone]{Prone}', 'Prone'), ('&Reference[Difficult Terrain]', 'Difficult Terrain'), ('&Reference[prone apply=false]', 'prone'),
    ('@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]{Lamp}', 'Lamp'), ('@UUID[Compendium.dnd5e.items.Item.aB3dE5gH7jK9mN1p]', '[link]'),
    ('@Embed[Compendium.x.y.JournalEntry.aB3dE5gH7jK9mN1p caption=false]', '[link]'), ('@Compendium[dnd5e.spells.Light]{Light}', 'Light'), ('@Item[Lantern]', 'Lantern'),
    ('[[lookup @target.template.size activity=aB3dE5gH7jK9mN1p]]', '15'), ('[[lookup @save.dc.formula]]', '14'), ('[[lookup path=@name]]', None), ('[[lookup @flags.zq]]{fallback}', 'fallback'),
]
OF_ACTOR = [
    ('[[lookup @name]]', 'Moth'), ('[[lookup @name lowercase]]', 'moth'), ('[[lookup @name uppercase]]', 'MOTH'), ('[[lookup @abilities.str.mod]]', '3'),
    ('[[/damage 1d8 + @abilities.str.mod fire]]', '1d8 + 3 fire'), ('DC [[8 + @prof + @abilities.str.mod]]', 'DC 14'), ('[[/save dex dc=@abilities.str.dc]]', 'DC 14 Dexterity saving throw'),
    ('[[/save dex dc=@attributes.spell.dc]]', 'DC 10 Dexterity saving throw'), ('[[@classes.wick-ward.levels]]', '5'), ('[[/r @scale.wick-ward.wicks]]', '2d6'),
    ('[[@details.cr]]', '5'), ('[[@attributes.movement.walk * 2]]', '60'), ('[[/r 1d6 + @abilities.cha.mod]]', '1d6 - 1'), ('[[max(1, @abilities.cha.mod)]]', '1'),
    ('[[/attack extended]]', '*Ranged Spell Attack:* +2 to hit'), ('[[/damage extended]]', '*Hit:* 7 (2d6) fire damage'), ('[[/attack]] to hit', '+2 to hit'), ('[[/item tB3dE5gH7jK9mN1p]]', 'Thing'),
    ('@UUID[Actor.x.Item.tB3dE5gH7jK9mN1p]', 'Thing'), ('@UUID[.tB3dE5gH7jK9mN1p]', 'Thing'),
]
OF_NOBODY = [
    ('[[@mod]]', 'ability modifier'), ('[[1d6 + @prof]]', '1d6 + proficiency bonus'), ('[[@abilities.cha.mod]]', 'Charisma modifier'), ('[[@abilities.cha.dc]]', 'Charisma save DC'),
    ('[[@classes.fighter.levels]]', 'fighter level'), ('[[@scale.monk.martial-arts.die]]', 'martial arts'), ('[[@item.level]]', 'spell level'), ('[[@details.level]]', 'character level'),
    ('[[@attributes.spelldc]]', 'spell save DC'), ('[[max(1, @abilities.wis.mod)]]', 'Wisdom modifier (minimum 1)'), ('[[floor(@classes.monk.levels / 2)]]', 'half monk level rounded down'),
    ('[[ceil(@details.level / 2)]]', 'half character level rounded up'), ('[[@skills.ath.total]]', 'Athletics bonus'), ('[[@attributes.hp.max]]', 'hit point maximum'),
    ('write to me@prof.example', 'write to me@prof.example'),
]
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'spell': [('value', f'<p>zq {text} zp</p>', f'zq {printed} zp') for text, printed in (*FORMS, *OF_NOBODY) if printed],
    'npc': [('value', f'<p>zq {text} zp</p>', f'zq {printed} zp') for text, printed in OF_ACTOR],
}
