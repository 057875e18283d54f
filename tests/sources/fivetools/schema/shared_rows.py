"""Rows of the schema that several sections share: the fields, values for them, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

Rows = list[tuple[str, Any, str]]

# fmt: off
ALL_OPTIONS: Rows = [
    ('weaponProficiencies', [{'simple': True, 'martial': True, 'firearms': True, 'improvised': True}], '***Weapon Proficiencies.*** Simple, Martial, Firearms, Improvised'),
    ('armorProficiencies', [{'light': True, 'medium': True, 'shield|phb': True}], '***Armor Proficiencies.*** Light, Medium, Shield'),
    ('savingThrowProficiencies', [{'str': True}], '***Saving Throw Proficiencies.*** Strength'),
]
OPTIONS: Rows = [
    ('vulnerable', ['fire'], '***Vulnerable.*** fire'),
    ('conditionImmune', ['prone', {'choose': {'from': ['charmed']}}], '***Condition Immune.*** prone, choose 1 from Charmed'),
    ('fluff', {'entries': ['zq'], 'images': [{'type': 'image', 'title': 'zp'}]}, '***Lore.*** zq'),
    ('edition', 'one', '*Source: Lights of the Fens (lights-of-the-fens), homebrew, 2024 edition*'),
    ('alias', ['Zq'], '***Alias.*** Zq'),
]
BACKGROUNDS_AND_FEATS: Rows = [
    ('skillProficiencies', [{'arcana': True, 'sleight of hand': True}], '***Skill Proficiencies.*** Arcana, Sleight of Hand'),
    ('skillProficiencies', [{'choose': {'from': ['arcana', 'history'], 'count': 2}}], '***Skill Proficiencies.*** choose 2 from Arcana, History'),
    ('weaponProficiencies', [{'longsword|phb': True}], '***Weapon Proficiencies.*** Longsword'),
    ('savingThrowProficiencies', [{'choose': {'from': ['dex', 'con'], 'count': 1}}], '***Saving Throw Proficiencies.*** choose 1 from Dexterity, Constitution'),
]
CLASSES: Rows = [
    ('cantripProgression', [2, 2, 3], '***Cantrip Progression.*** 2, 2, 3'),
    ('preparedSpellsProgression', [2, 3], '***Prepared Spells Progression.*** 2, 3'),
    ('preparedSpellsChange', 'level', '***Prepared Spells Change.*** level'),
    ('spellsKnownProgression', [2, 3], '***Spells Known Progression.*** 2, 3'),
    ('spellsKnownProgressionFixed', [2, 3], '***Spells Known Progression Fixed.*** 2, 3'),
    ('spellsKnownProgressionFixedAllowLowerLevel', True, '***Spells Known Progression Fixed Allow Lower Level.*** yes'),
    ('spellsKnownProgressionFixedAllowHigherLevel', True, '***Spells Known Progression Fixed Allow Higher Level.*** yes'),
    ('spellcastingAbility', 'int', 'Intelligence'),
    ('casterProgression', '1/3', '**Spellcasting** third spellcaster'),
]
CLASS_FEATURES: Rows = [
    ('skillProficiencies', [{'arcana': True, 'sleight of hand': True}], '***Skill Proficiencies.*** Arcana, Sleight of Hand'),
    ('entries', [{'type': 'options', 'count': 2, 'entries': [{'name': 'Zq', 'entries': ['zp']}]}], 'Choose 2 of the following:'),
]
# fmt: on
