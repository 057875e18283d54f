"""Races, backgrounds, feats and optional features: the schema's fields, values for them, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from tests.sources.fivetools.schema.shared_rows import OPTIONS

BASES: dict[str, dict[str, Any]] = {
    "background": {"name": "Base", "source": "FENS", "entries": ["x"]},
    "feat": {"name": "Base", "source": "FENS", "entries": ["x"]},
    "optionalfeature": {"name": "Base", "source": "FENS", "entries": ["x"]},
    "race": {"name": "Base", "source": "FENS"},
    "subrace": {"name": "Base", "source": "FENS", "raceName": "Elf", "raceSource": "PHB"},
}
# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'background': [
        *OPTIONS,
        ('languageProficiencies', [{'choose': {'from': ['elvish', 'zq|fens'], 'count': 2}}], '***Languages.*** choose 2 from Elvish, Zq'),
        ('languageProficiencies', [{'zq tongue|fens': True}], '***Languages.*** Zq Tongue'),
        ('ability', [{'str': 2, 'hidden': True}], '***Ability Scores.*** Strength +2'),
        ('feats', [{'alert|phb': True}], '***Feat.*** Alert'),
        ('feats', [{'magic initiate; cleric|xphb': True}], '***Feat.*** Magic Initiate; Cleric'),
        ('prerequisite', [{'level': 5}], '***Prerequisite.*** level 5'),
        ('prerequisite', [{'level': {'level': 5, 'class': {'name': 'Zq', 'source': 'X', 'visible': True}, 'subclass': {'name': 'Zp', 'visible': True}}}], '***Prerequisite.*** level 5 Zq Zp'),
        ('prerequisite', [{'pact': 'Chain'}], '***Prerequisite.*** Pact of the Chain'),
        ('prerequisite', [{'spell': ['eldritch blast#c']}, {'spell': [{'choose': 'level=0', 'entry': 'zq', 'entrySummary': 'x'}]}], '***Prerequisite.*** eldritch blast or zq'),
        ('prerequisite', [{'feat': ['alert|phb']}], '***Prerequisite.*** alert'),
        ('prerequisite', [{'optionalfeature': ['zq|x']}], '***Prerequisite.*** zq'),
        ('prerequisite', [{'feature': ['Zq']}], '***Prerequisite.*** Zq'),
        ('prerequisite', [{'item': ['zq|x']}], '***Prerequisite.*** zq'),
        ('prerequisite', [{'other': '{@i zq}'}], '***Prerequisite.*** *zq*'),
        ('prerequisite', [{'otherSummary': {'entry': 'zq', 'entrySummary': 'zs'}}], '***Prerequisite.*** zq'),
        ('prerequisite', [{'background': [{'name': 'zq', 'displayEntry': '{@background Zq}'}]}], '***Prerequisite.*** Zq'),
        ('prerequisite', [{'ability': [{'str': 13, 'dex': 13}, {'int': 15}]}], '***Prerequisite.*** Strength 13 and Dexterity 13 or Intelligence 15'),
        ('prerequisite', [{'spellcasting': True}], '***Prerequisite.*** the ability to cast at least one spell'),
        ('prerequisite', [{'spellcasting2020': True}], '***Prerequisite.*** the Spellcasting or Pact Magic feature'),
        ('prerequisite', [{'spellcastingFeature': True}], '***Prerequisite.*** the Spellcasting feature'),
        ('prerequisite', [{'spellcastingPrepared': True}], '***Prerequisite.*** the Spellcasting feature of a class that prepares spells'),
        ('prerequisite', [{'alignment': ['L', 'G']}], '***Prerequisite.*** lawful good'),
        ('prerequisite', [{'note': 'zq'}], '***Prerequisite.*** zq'),
        ('prerequisite', [{'level': 4}, {'other': 'zq'}], '***Prerequisite.*** level 4 or zq'),
    ],
    'feat': [
        *OPTIONS,
        ('ability', [{'str': 2, 'hidden': True}], '***Ability Score Increase.*** Strength +2'),
        ('prerequisite', [{'level': 5}], '**Prerequisite** level 5'),
        ('prerequisite', [{'level': {'level': 5, 'class': {'name': 'Zq', 'source': 'X', 'visible': True}, 'subclass': {'name': 'Zp', 'visible': True}}}], '**Prerequisite** level 5 Zq Zp'),
        ('prerequisite', [{'pact': 'Chain'}], '**Prerequisite** Pact of the Chain'),
        ('category', 'D', '*Dragonmark*'),
        ('category', 'DG', '*Dark Gift*'),
        ('category', 'G', '*General*'),
        ('category', 'O', '*Origin*'),
        ('category', 'FS', '*Fighting Style*'),
        ('category', 'FS:P', '*Fighting Style (Paladin)*'),
        ('category', 'FS:R', '*Fighting Style (Ranger)*'),
        ('category', 'EB', '*Epic Boon*'),
        ('category', 'Zq', '*Zqcat*'),
    ],
    'optionalfeature': [
        *OPTIONS,
        ('ability', [{'str': 2, 'hidden': True}], '***Ability Score Increase.*** Strength +2'),
        ('prerequisite', [{'level': 5}], '**Prerequisite** level 5'),
        ('featureType', ['EI'], '*Eldritch Invocation*'),
        ('featureType', ['AF'], '*Alchemical Formula*'),
        ('featureType', ['AS:V1-UA'], '*Arcane Shot (V1)*'),
        ('featureType', ['RP'], '*Renown Perk*'),
        ('featureType', ['MV:C2-UA'], '*Maneuver (Cavalier V2)*'),
        ('featureType', ['Zq'], '*Zq*'),
    ],
    'race': [
        *OPTIONS,
        ('skillProficiencies', [{'arcana': True, 'sleight of hand': True}], '***Skills.*** Arcana, Sleight of Hand'),
        ('resist', ['fire', {'choose': {'from': ['cold', 'acid'], 'count': 1}}], '***Resistances.*** fire, choose 1 from Cold, Acid'),
        ('ability', [{'str': 2, 'hidden': True}], '***Ability Score Increase.*** Strength +2'),
        ('size', ['M'], '**Size** Medium'),
        ('size', ['S', 'M'], '**Size** Small or Medium'),
        ('speed', 30, '**Speed** 30 ft.'),
        ('speed', {'walk': 30, 'fly': True}, '**Speed** 30 ft., fly equal to its walking speed'),
        ('entries', ['zq'], 'zq'),
        ('entries', [{'name': 'Zq', 'entries': ['zqtext']}], '***Zq.*** zqtext'),
        ('darkvision', 60, '***Darkvision.*** 60 ft.'),
        ('_versions', [{'name': 'Base; Zq', 'source': 'FENS', '_mod': {'entries': {'mode': 'appendArr', 'items': {'name': 'T', 'entries': ['zqv']}}}}], '*Trait of Base; Zq*'),
    ],
    'subrace': [
        ('darkvision', 120, '***Darkvision.*** 120 ft.'),
        ('entries', [{'name': 'Zq', 'entries': ['zqtext']}], '*Trait of Elf (Base)*'),
    ],
}
# fmt: on
