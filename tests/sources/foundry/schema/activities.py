"""Activities of items: the models' fields by type of activity, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

BASES: dict[str, dict[str, Any]] = {
    name: {}
    for name in (
        "attack",
        "cast",
        "check",
        "damage",
        "enchant",
        "forward",
        "heal",
        "order",
        "save",
        "summon",
        "transform",
        "utility",
        "teleport",
        "ddbmacro",
    )
}


def make(kind: str, base: dict[str, Any]) -> dict[str, Any]:
    """A feature with one activity."""
    system = {
        "source": {"book": "Fens"},
        "activities": {"aB3dE5gH7jK9mN1p": {"type": kind, "_id": "aB3dE5gH7jK9mN1p", **base}},
    }
    return {"name": "Base", "type": "feat", "system": system}


def inside(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """The activity."""
    activity: dict[str, Any] = document["system"]["activities"]["aB3dE5gH7jK9mN1p"]
    return activity


# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'utility': [
        ('name', 'Zq', '***Activities.*** - Zq'),
        ('img', 'zq.webp', '— a picture'),
        ('sort', 5, '— a switch of the application'),
        ('activation', {'type': 'bonus', 'value': 1, 'condition': 'zq', 'override': True}, '***Activities.*** - Utility: 1 bonus action, zq'),
        ('activation', {'type': 'minute', 'value': 10, 'override': False}, '— that of the item holds'),
        ('consumption.scaling', {'allowed': True, 'max': '5'}, '***Activities.*** - Utility: more may be spent for more effect (up to 5 steps)'),
        ('consumption.spellSlot', True, '— a switch of the application'),
        ('consumption.targets', [{'type': 'itemUses', 'target': '', 'value': '2', 'scaling': {'mode': 'amount', 'formula': '1'}}], '***Activities.*** - Utility: costs 2 uses'),
        ('consumption.targets', [{'type': 'spellSlots', 'target': '3', 'value': '1'}], '***Activities.*** - Utility: costs 1 spell slot of level 3'),
        ('consumption.targets', [{'type': 'hitDice', 'target': 'd8', 'value': '1'}], '***Activities.*** - Utility: costs 1 Hit Die'),
        ('consumption.targets', [{'type': 'attribute', 'target': 'resources.legact.value', 'value': '2'}], '***Activities.*** - Utility: costs 2 legendary actions'),
        ('consumption.targets', [{'type': 'material', 'target': 'aB3dE5gH7jK9mN1p', 'value': '3'}], '***Activities.*** - Utility: costs 3 of a material'),
        ('consumption.targets', [{'type': 'activityUses', 'target': '', 'value': '1'}], '— one use, as everybody expects'),
        ('description', {'chatFlavor': 'zq', 'value': '<p>zp</p>'}, '***Activities.*** - Utility: zq, zp'),
        ('duration', {'value': '1', 'units': 'minute', 'concentration': True, 'override': True}, '***Activities.*** - Utility: 1 minute, concentration'),
        ('effects', [{'_id': 'aB3dE5gH7jK9mN1p', 'level': {'min': 3, 'max': 5}}], '— an id'),
        ('range', {'value': '30', 'units': 'ft', 'special': 'zq', 'override': True}, '***Activities.*** - Utility: 30 feet, zq'),
        ('target', {'template': {'count': '2', 'type': 'cone', 'size': '15', 'units': 'ft'}, 'affects': {'count': '1', 'type': 'ally', 'choice': True, 'special': 'zq'}, 'override': True, 'prompt': True}, '***Activities.*** - Utility: 1 ally of your choice, 2 cones of 15 feet, zq'),
        ('uses', {'max': '3', 'spent': 1, 'recovery': [{'period': 'lr', 'type': 'recoverAll'}]}, '***Activities.*** - Utility: 3/long rest'),
        ('visibility', {'identifier': 'monk', 'level': {'min': 3, 'max': 10}, 'requireAttunement': True, 'requireIdentification': True, 'requireMagic': True}, '***Activities.*** - Utility: only with monk level 3–10, attunement, the item identified, magic'),
        ('roll', {'formula': '1d6 + @mod', 'name': 'Zq', 'prompt': True, 'visible': True}, '***Activities.*** - Utility: Zq 1d6 + ability modifier'),
        ('flags', {'zq': 1}, '— a switch of the application'),
    ],
    'attack': [
        ('attack', {'ability': 'dex', 'bonus': '2', 'critical': {'threshold': 19}, 'flat': False, 'type': {'value': 'ranged', 'classification': 'weapon'}}, '***Activities.*** - Attack: ranged weapon attack, using Dexterity, +2 to hit, critical hit on a 19–20'),
        ('attack', {'bonus': '7', 'flat': True, 'type': {'value': 'melee', 'classification': 'spell'}}, '***Activities.*** - Attack: melee spell attack, +7 to hit'),
        ('damage', {'parts': [{'number': 2, 'denomination': 6, 'bonus': '@mod', 'types': ['fire', 'cold'], 'custom': {'enabled': False}, 'scaling': {'mode': 'whole', 'number': 1, 'formula': ''}}], 'includeBase': True, 'critical': {'bonus': '1d6'}}, '***Activities.*** - Attack: 2d6 fire or cold, 1d6 more on a critical hit, 1d6 more for each level above its own'),
        ('damage.parts', [{'custom': {'enabled': True, 'formula': '@scale.base.wicks'}, 'types': ['fire'], 'scaling': {'mode': 'half', 'formula': '2'}}], '***Activities.*** - Attack: wicks fire, 2 more for each two levels'),
    ],
    'cast': [
        ('spell', {'ability': 'cha', 'challenge': {'attack': 7, 'save': 15, 'override': True}, 'level': 3, 'properties': ['vocal', 'material'], 'spellbook': True, 'uuid': 'Compendium.dnd5e.spells.Item.aB3dE5gH7jK9mN1p'}, '***Activities.*** - Cast: casts a spell (level 3, Charisma, +7 to hit, DC 15, without vocal, material components)'),
    ],
    'check': [
        ('check', {'ability': 'dex', 'associated': ['acr', 'thief'], 'dc': {'calculation': '', 'formula': '15'}}, "***Activities.*** - Check: DC 15 Dexterity (Acrobatics or thieves' tools) check"),
        ('check', {'ability': 'str', 'associated': [], 'dc': {'calculation': 'spellcasting', 'formula': ''}}, '***Activities.*** - Check: Strength check against your spell save DC'),
        ('check.associated', ['prc', 'inv'], '***Activities.*** - Check: Perception or Investigation check'),
    ],
    'damage': [
        ('damage', {'critical': {'allow': True, 'bonus': '1d8'}, 'parts': [{'number': 3, 'denomination': 8, 'types': ['radiant']}]}, '***Activities.*** - Damage: 3d8 radiant, 1d8 more on a critical hit'),
    ],
    'enchant': [
        ('enchant.self', True, '***Activities.*** - Enchant: enchants the item itself'),
        ('restrictions', {'allowMagical': True, 'categories': ['martialM'], 'properties': ['fin'], 'type': 'weapon'}, '***Activities.*** - Enchant: only for weapon, martial melee weapons, fin, also magical'),
        ('effects', [{'_id': 'aB3dE5gH7jK9mN1p', 'riders': {'activity': ['bB3dE5gH7jK9mN1p'], 'effect': [], 'item': []}}], '— an id'),
    ],
    'forward': [('activity.id', 'bB3dE5gH7jK9mN1p', '— an id')],
    'heal': [('healing', {'number': 2, 'denomination': 4, 'bonus': '2', 'types': ['healing']}, '***Activities.*** - Heal: 2d4 + 2 healing'), ('healing', {'bonus': '5', 'types': ['temphp']}, '***Activities.*** - Heal: 5 temporary hit points')],
    'order': [('order', 'craft', '***Activities.*** - Order: order craft')],
    'save': [
        ('save', {'ability': ['dex', 'con'], 'dc': {'calculation': '', 'formula': '14'}}, '***Activities.*** - Save: DC 14 Dexterity or Constitution saving throw'),
        ('save', {'ability': ['wis'], 'dc': {'calculation': 'spellcasting', 'formula': ''}}, '***Activities.*** - Save: Wisdom saving throw against your spell save DC'),
        ('save', {'ability': ['wis'], 'dc': {'calculation': 'cha', 'formula': ''}}, '***Activities.*** - Save: Wisdom saving throw against a DC of 8 + proficiency bonus + Charisma modifier'),
        ('damage', {'onSave': 'half', 'parts': [{'number': 6, 'denomination': 6, 'types': ['cold']}]}, '***Activities.*** - Save: 6d6 cold, half as much on a success'),
        ('damage', {'onSave': 'none', 'parts': [{'number': 6, 'denomination': 6, 'types': ['cold']}]}, '***Activities.*** - Save: 6d6 cold'),
        ('effects', [{'_id': 'aB3dE5gH7jK9mN1p', 'onSave': True}], '— an id'),
    ],
    'summon': [
        ('bonuses', {'ac': '2', 'hd': '1', 'hp': '5 * @item.level', 'attackDamage': '1', 'saveDamage': '2', 'healing': '3'}, '***Activities.*** - Summon: with AC + 2, Hit Dice + 1, hit points + 5 * spell level, damage of attacks + 1, damage of saves + 2, healing + 3'),
        ('creatureSizes', ['sm', 'med'], '***Activities.*** - Summon: of size Small or Medium'),
        ('creatureTypes', ['beast', 'fey'], '***Activities.*** - Summon: of type beast or fey'),
        ('match', {'ability': 'int', 'attacks': True, 'disposition': True, 'proficiency': True, 'saves': True}, '***Activities.*** - Summon: whose attacks, disposition, proficiency, saves are your own (Intelligence)'),
        ('profiles', [{'_id': 'aB3dE5gH7jK9mN1p', 'count': '1d4', 'cr': '', 'level': {'min': 3, 'max': 5}, 'name': 'Zq', 'types': [], 'uuid': 'Actor.aB3dE5gH7jK9mN1p'}], '***Activities.*** - Summon: 1d4 Zq at level 3–5'),
        ('profiles', [{'count': '2', 'cr': '1/4', 'types': ['beast'], 'level': {'min': None, 'max': None}}], '***Activities.*** - Summon: 2 beast of CR 1/4'),
        ('summon', {'mode': 'cr', 'prompt': True, 'identifier': ''}, '— a switch of the application'),
    ],
    'transform': [
        ('profiles', [{'name': 'Zq', 'cr': '1', 'movement': ['fly'], 'sizes': ['sm'], 'types': ['beast'], 'level': {'min': 2, 'max': 3}, 'uuid': None}], '***Activities.*** - Transform: Zq (beast) (Small) without fly speed at level 2–3'),
        ('settings', {'keep': ['mental'], 'merge': ['saves'], 'minimumAC': '13 + @mod', 'tempFormula': '@classes.druid.levels', 'spellLists': ['druid']}, '***Activities.*** - Transform: settings keep mental, merge saves, minimum ac 13 + ability modifier, temp formula druid level, spell lists druid'),
        ('transform', {'customize': True, 'mode': 'cr', 'preset': 'wildshape'}, '***Activities.*** - Transform: as wildshape'),
    ],
    'teleport': [('teleport', {'distance': '30', 'units': 'ft'}, '***Activities.*** - Teleport: 30 feet')],
    'ddbmacro': [('macro', {'name': 'zq', 'function': 'zq', 'parameters': ''}, '— a switch of the application')],
}
