"""Advancements of classes, species and backgrounds: the models' fields, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

BASES: dict[str, dict[str, Any]] = {
    name: {"configuration": {}}
    for name in (
        "AbilityScoreImprovement",
        "HitPoints",
        "ItemChoice",
        "ItemGrant",
        "ModifyItem",
        "ScaleValue",
        "Size",
        "Subclass",
        "Trait",
    )
}


def make(kind: str, base: dict[str, Any]) -> dict[str, Any]:
    """A class with one advancement, of the third level."""
    advancement = {"_id": "aB3dE5gH7jK9mN1p", "type": kind, "level": 3, **base}
    return {"name": "Base", "type": "class", "system": {"source": {"book": "Fens"}, "advancement": [advancement]}}


def inside(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """The advancement."""
    advancement: dict[str, Any] = document["system"]["advancement"][0]
    return advancement


# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'AbilityScoreImprovement': [
        ('configuration', {'cap': 2, 'fixed': {}, 'locked': [], 'points': 2}, '***Advancement.*** - Level 3: Ability Score Improvement: 2 points'),
        ('configuration', {'cap': 1, 'fixed': {'wis': 2, 'str': 0}, 'points': 0}, '***Advancement.*** - Level 3: Ability Score Improvement: Wisdom +2'),
        ('configuration', {'cap': 2, 'locked': ['str', 'int'], 'points': 3}, '***Advancement.*** - Level 3: Ability Score Improvement: 3 points (at most 2 to one score, not to Strength or Intelligence)'),
        ('configuration', {'points': 2, 'max': 30, 'cap': 2}, '***Advancement.*** - Level 3: Ability Score Improvement: 2 points (to a maximum of 30)'),
        ('configuration', {'points': 2, 'recommendation': 'Compendium.x.y.Item.aB3dE5gH7jK9mN1p'}, '***Advancement.*** - Level 3: Ability Score Improvement: 2 points'),
        ('value', {'type': 'asi', 'assignments': {'str': 2}}, '— chosen by a character'),
    ],
    'HitPoints': [('value', {'1': 'max', '2': 5}, '— chosen by a character')],
    'ItemChoice': [
        ('configuration.choices', {'1': {'count': 2, 'replacement': False}, '5': {'count': 1, 'replacement': True}}, '***Advancement.*** - Level 3: Choice: choose 2 at level 1; choose 1 at level 5 and may replace one'),
        ('configuration.allowDrops', True, '— a switch of the application'),
        ('configuration.pool', [{'uuid': 'Compendium.x.y.Item.aB3dE5gH7jK9mN1p', 'sort': 1}], '***Advancement.*** - Level 3: Choice: 1 that this file does not contain'),
        ('configuration', {'type': 'spell', 'restriction': {'level': 'available', 'list': ['class:wizard'], 'school': ['evo']}}, '***Advancement.*** - Level 3: Choice: spells: any level with a slot, Wizard, evocation'),
        ('configuration', {'type': 'feat', 'restriction': {'type': 'class', 'subtype': 'fightingStyle'}}, '***Advancement.*** - Level 3: Choice: feats: Fighting Style'),
        ('configuration.spell', {'ability': ['int', 'wis'], 'method': 'innate', 'prepared': 2, 'uses': {'max': '1', 'per': 'lr', 'requireSlot': True}}, '***Advancement.*** - Level 3: Choice: cast as innate, always prepared, Intelligence or Wisdom, 1/long rest, with a spell slot'),
        ('configuration.sorting', 'm', '— a switch of the application'),
        ('value', {'added': {'1': {'aB3dE5gH7jK9mN1p': 'Compendium.x.y.Item.aB3dE5gH7jK9mN1p'}}}, '— chosen by a character'),
    ],
    'ItemGrant': [
        ('configuration', {'items': [{'uuid': 'Compendium.x.y.Item.aB3dE5gH7jK9mN1p', 'optional': False}], 'optional': False}, '***Advancement.*** - Level 3: Grant: 1 that this file does not contain'),
        ('configuration.optional', True, '***Advancement.*** - Level 3: Grant: optional'),
        ('configuration.items', [{'uuid': 'Compendium.x.y.Item.aB3dE5gH7jK9mN1p', 'optional': True}], '***Advancement.*** - Level 3: Grant: 1 that this file does not contain'),
        ('configuration.spell', {'ability': ['cha'], 'preparation': 'always', 'uses': {'max': '1', 'per': 'lr'}}, '***Advancement.*** - Level 3: Grant: cast as always prepared, Charisma, 1/long rest'),
    ],
    'ModifyItem': [('configuration.changes', [{'_id': 'aB3dE5gH7jK9mN1p', 'identifiers': ['zq-sword']}], '***Advancement.*** - Level 3: Changed items: zq sword')],
    'ScaleValue': [
        ('configuration', {'identifier': 'wicks', 'type': 'dice', 'scale': {'1': {'number': 1, 'faces': 6, 'modifiers': []}, '5': {'number': 2, 'faces': 6}}}, '***Advancement.*** - Level 3: Wicks: 1d6 at level 1, 2d6 at level 5'),
        ('configuration', {'identifier': 'wicks', 'type': 'number', 'scale': {'1': {'value': 2}, '9': {'value': 3}}}, '***Advancement.*** - Level 3: Wicks: 2 at level 1, 3 at level 9'),
        ('configuration', {'type': 'distance', 'distance': {'units': 'ft'}, 'scale': {'1': {'value': 10}}}, '***Advancement.*** - Level 3: 10 feet at level 1'),
        ('configuration', {'type': 'cr', 'scale': {'2': {'value': 0.25}}}, '***Advancement.*** - Level 3: CR 1/4 at level 2'),
        ('configuration', {'type': 'string', 'scale': {'2': {'value': 'zq'}}}, '***Advancement.*** - Level 3: zq at level 2'),
        ('configuration', {'type': 'dice', 'scale': {'2': {'number': None, 'faces': 8, 'modifiers': ['r1']}}}, '***Advancement.*** - Level 3: d8r1 at level 2'),
        ('configuration', {'type': 'uses', 'scale': {'2': {'value': 3, 'period': 'lr'}}}, '***Advancement.*** - Level 3: 3/long rest at level 2'),
    ],
    'Size': [('configuration.sizes', ['sm', 'med'], '***Advancement.*** - Level 3: Size: Small or Medium'), ('value.size', 'med', '— chosen by a character')],
    'Subclass': [('title', 'Zq Circle', '***Advancement.*** - Level 3: Zq Circle'), ('value', {'document': 'aB3dE5gH7jK9mN1p'}, '— chosen by a character')],
    'Trait': [
        ('title', 'Zq', '***Advancement.*** - Level 3: Zq'),
        ('hint', '<p>zq</p>', '***Advancement.*** - Level 3: zq'),
        ('', {'type': 'Trait', 'classRestriction': 'primary', 'configuration': {'grants': ['saves:str']}}, '***Advancement.*** - Strength saving throws (only as the first class)'),
        ('', {'type': 'Trait', 'classRestriction': 'secondary', 'configuration': {'grants': ['armor:lgt']}}, '***Advancement.*** - light armor (only as a further class)'),
        ('', {'type': 'Trait', 'level': 5, 'configuration': {'grants': ['armor:lgt']}}, '***Advancement.*** - Level 5: light armor'),
        ('icon', 'zq.svg', '— a picture'),
        ('img', 'zq.svg', '— a picture'),
        ('configuration', {'mode': 'default', 'grants': ['armor:lgt', 'armor:shl', 'weapon:sim', 'weapon:mar:longsword']}, '***Advancement.*** - Level 3: light armor, shields, simple weapons, longsword'),
        ('configuration', {'grants': ['saves:dex', 'skills:ath', 'languages:standard:common', 'languages:exotic:deep']}, '***Advancement.*** - Level 3: Dexterity saving throws, Athletics, Common, Deep Speech'),
        ('configuration', {'grants': ['tool:thief', 'tool:art:smith', 'tool:game', 'dr:fire', 'di:poison', 'dv:cold', 'ci:charmed']}, "***Advancement.*** - Level 3: thieves' tools, smith's tools, gaming set, resistance to fire, immunity to poison, vulnerability to cold, immunity to charmed"),
        ('configuration', {'choices': [{'count': 2, 'pool': ['skills:ath', 'skills:ste']}]}, '***Advancement.*** - Level 3: choose 2 from Athletics, Stealth'),
        ('configuration', {'choices': [{'count': 1, 'pool': ['skills:*']}, {'count': 1, 'pool': ['tool:music:*', 'languages:standard:*', 'weapon:mar:*']}]}, '***Advancement.*** - Level 3: choose any 1 skill; choose 1 from any musical instrument, any standard language, any martial weapon'),
        ('configuration', {'mode': 'expertise', 'choices': [{'count': 2, 'pool': ['skills:*', 'tool:thief']}]}, "***Advancement.*** - Level 3: expertise: choose 2 from any skill, thieves' tools"),
        ('configuration', {'mode': 'forcedExpertise', 'grants': ['skills:ste']}, '***Advancement.*** - Level 3: expertise in Stealth'),
        ('configuration', {'mode': 'upgrade', 'grants': ['skills:ste']}, '***Advancement.*** - Level 3: proficiency or expertise in Stealth'),
        ('configuration', {'mode': 'mastery', 'choices': [{'count': 2, 'pool': ['weapon:sim:*', 'weapon:mar:*']}]}, '***Advancement.*** - Level 3: weapon mastery: choose 2 from any simple weapon, any martial weapon'),
        ('configuration.allowReplacements', True, '— a switch of the application'),
        ('value.chosen', ['skills:ath'], '— chosen by a character'),
        ('flags', {'zq': 1}, '— a switch of the application'),
    ],
}
