"""Items of an actor: every type within a creature of 16 Strength, 12 Dexterity and a proficiency bonus of +2."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from tests.sources.foundry.schema.actors import BASES as ACTORS

BASES: dict[str, dict[str, Any]] = {
    "weapon": {
        "type": {"value": "simpleM"},
        "damage": {"base": {"number": 1, "denomination": 6, "types": ["piercing"]}},
        "activities": {
            "a": {
                "type": "attack",
                "attack": {"type": {"value": "melee", "classification": "weapon"}},
                "activation": {"type": "action"},
                "damage": {"includeBase": True, "parts": []},
            }
        },
    },
    **{
        kind: {}
        for kind in (
            "feat",
            "spell",
            "equipment",
            "consumable",
            "tool",
            "loot",
            "container",
            "class",
            "subclass",
            "race",
            "background",
            "facility",
        )
    },
}


def make(kind: str, base: dict[str, Any]) -> dict[str, Any]:
    """A creature with one item."""
    item = {"name": "Thing", "_id": "tB3dE5gH7jK9mN1p", "type": kind, "system": base}
    return {
        "name": "Base",
        "type": "npc",
        "system": {**ACTORS["npc"], "attributes": {**ACTORS["npc"]["attributes"], "spellcasting": "wis"}},
        "items": [item],
    }


def inside(kind: str, actor: dict[str, Any]) -> dict[str, Any]:
    """The fields of the item."""
    fields: dict[str, Any] = actor["items"][0]["system"]
    return fields


# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'weapon': [
        ('range', {'reach': 10, 'units': 'ft'}, '***Thing.*** *Melee Weapon Attack:* +5 to hit, reach 10 ft. *Hit:* 6 (1d6 + 3) piercing damage.'),
        ('range', {'value': 20, 'long': 60, 'units': 'ft'}, '***Thing.*** *Melee Weapon Attack:* +5 to hit, range 20/60 ft. *Hit:* 6 (1d6 + 3) piercing damage.'),
        ('properties', ['fin', 'ver'], '— no stat block prints it'),
        ('damage.versatile', {'number': 1, 'denomination': 8, 'types': ['piercing']}, '***Thing.*** *Melee Weapon Attack:* +5 to hit. *Hit:* 6 (1d6 + 3) piercing damage, or 7 (1d8 + 3) damage with two hands.'),
        ('description.value', '<p><em>Melee Weapon Attack:</em> [[/attack]] to hit. <em>Hit:</em> [[/damage average]] damage.</p>', '— printed as without it'),
        ('description.value', '<p>[[/attack extended]]. [[/damage average extended]].</p>', '— printed as without it'),
        ('description.value', '<p>A pole with a hook.</p>', 'A pole with a hook.'),
        ('magicalBonus', '1', '***Thing.*** *Melee Weapon Attack:* +6 to hit. *Hit:* 6 (1d6 + 3) piercing damage.'),
        ('uses', {'max': '1', 'recovery': [{'period': 'recharge', 'formula': '5'}]}, '***Thing (Recharge 5–6).*** *Melee Weapon Attack:* +5 to hit. *Hit:* 6 (1d6 + 3) piercing damage.'),
        ('mastery', 'vex', '— no stat block prints it'),
        ('quantity', 3, '***Equipment.*** Thing (3)'),
        ('equipped', True, '— how it fares at the moment'),
        ('activities.b', {'type': 'save', 'save': {'ability': ['con'], 'dc': {'calculation': 'str', 'formula': ''}}, 'damage': {'onSave': 'half', 'parts': [{'number': 2, 'denomination': 6, 'types': ['poison']}]}}, '- Save: 2d6 poison, half as much on a success, DC 13 Constitution saving throw'),
        ('activities.a.damage.parts', [{'number': 1, 'denomination': 4, 'types': ['fire']}], '***Thing.*** *Melee Weapon Attack:* +5 to hit. *Hit:* 6 (1d6 + 3) piercing plus 2 (1d4) fire damage.'),
    ],
    'feat': [
        ('description.value', '<p>zq</p>', '***Thing.*** zq'),
        ('description.value', '<p>The [[lookup @name lowercase]] zq.</p>', '***Thing.*** The base zq.'),
        ('description.value', '<p>DC [[lookup @save.dc activity=a]] zq.</p>', '***Thing.*** DC dc zq.'),
        ('', {'type': {'value': 'monster'}, 'description': {'value': '<p>zq</p>'}, 'activities': {'a': {'type': 'utility', 'activation': {'type': 'action', 'value': 1}}}}, '***Thing.*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'activities': {'a': {'type': 'utility', 'activation': {'type': 'bonus'}}}}, '***Thing.*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'activities': {'a': {'type': 'utility', 'activation': {'type': 'reaction', 'condition': 'zp'}}}}, '***Thing.*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'activities': {'a': {'type': 'utility', 'activation': {'type': 'legendary', 'value': 2}, 'consumption': {'targets': [{'type': 'attribute', 'target': 'resources.legact.value', 'value': '2'}]}}}}, '***Thing (Costs 2 Actions).*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'activation': {'type': 'lair', 'cost': 1}}, '***Thing.*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'activation': {'type': 'mythic', 'cost': 1}}, '***Thing.*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'activation': {'type': 'special'}}, '***Thing.*** zq'),
        ('', {'description': {'value': '<p>zq [[/save]] zp</p>'}, 'activities': {'a': {'type': 'save', 'activation': {'type': 'action'}, 'save': {'ability': ['dex'], 'dc': {'calculation': 'str', 'formula': ''}}, 'damage': {'onSave': 'half', 'parts': [{'number': 6, 'denomination': 6, 'types': ['cold']}]}}}}, '***Thing.*** zq DC 13 Dexterity saving throw zp'),
        ('', {'description': {'value': ''}, 'activities': {'a': {'type': 'save', 'activation': {'type': 'action'}, 'save': {'ability': ['dex'], 'dc': {'calculation': 'spellcasting', 'formula': ''}}, 'damage': {'onSave': 'half', 'parts': [{'number': 6, 'denomination': 6, 'types': ['cold']}]}, 'target': {'template': {'type': 'cone', 'size': '15', 'units': 'ft'}}}}}, '***Thing.*** Save: 15-foot cone, 6d6 cold, half as much on a success, DC 12 Dexterity saving throw'),
        ('', {'description': {'value': '<p>zq</p>'}, 'uses': {'max': '@prof', 'recovery': [{'period': 'lr', 'type': 'recoverAll'}]}}, '***Thing (2/long rest).*** zq'),
        ('', {'description': {'value': '<p>zq</p>'}, 'uses': {'max': '3', 'recovery': [{'period': 'day', 'type': 'recoverAll'}]}}, '***Thing (3/Day).*** zq'),
        ('requirements', 'Zq 3', '***Thing.*** **Requirements.** Zq 3'),
        ('type', {'value': 'class', 'subtype': 'maneuver'}, '— the group of a list'),
    ],
    'spell': [
        ('', {'level': 1, 'school': 'evo', 'preparation': {'mode': 'prepared'}}, '***Spells.*** - 1st level: Thing'),
        ('', {'level': 0, 'school': 'evo'}, '***Spells.*** - Cantrips: Thing'),
        ('', {'level': 3, 'preparation': {'mode': 'innate'}, 'uses': {'max': '1', 'recovery': [{'period': 'day', 'type': 'recoverAll'}]}}, '***Spells.*** - Innate: Thing (1/Day)'),
        ('', {'level': 3, 'method': 'innate', 'uses': {'max': '2', 'per': 'day'}}, '***Spells.*** - Innate: Thing (2/Day)'),
        ('', {'level': 3, 'method': 'atwill'}, '***Spells.*** - At will: Thing'),
        ('', {'level': 3, 'method': 'pact'}, '***Spells.*** - Pact magic: Thing'),
        ('', {'level': 3, 'method': 'ritual'}, '***Spells.*** - Rituals: Thing'),
    ],
    'equipment': [
        ('', {'type': {'value': 'medium'}, 'armor': {'value': 14, 'dex': 2}, 'equipped': True}, '— the armor class is natural'),
        ('', {'type': {'value': 'trinket'}, 'quantity': 2}, '***Equipment.*** Thing (2)'),
        ('description.value', '<p>zq</p>', '***Thing.*** zq'),
    ],
    'consumable': [('quantity', 3, '***Equipment.*** Thing (3)'), ('', {'description': {'value': '<p>zq</p>'}, 'uses': {'max': '2', 'autoDestroy': True}}, '***Thing.*** zq')],
    'tool': [('bonus', '2', '***Thing.*** **Bonus.** 2')],
    'loot': [('description.value', '<p>zq</p>', '***Thing.*** zq')],
    'container': [('currency', {'gp': 3}, '***Equipment.*** Thing (3 gp)')],
    'class': [('levels', 5, '***Class and origin.*** Thing 5'), ('description.value', '<p>zq</p>', '***Thing.*** zq')],
    'subclass': [('classIdentifier', 'wizard', '— an id')],
    'race': [('description.value', '<p>zq</p>', '***Thing.*** zq'), ('movement.walk', 30, '— no stat block prints it')],
    'background': [('wealth', '15', '***Thing.*** **Wealth.** 15')],
    'facility': [('order', 'craft', '***Thing.*** **Order.** craft')],
}
