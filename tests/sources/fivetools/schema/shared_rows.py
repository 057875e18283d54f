"""Rows of the schema that several sections share: the fields, values for them, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

Rows = list[tuple[str, Any, str]]

# fmt: off
ALL_OPTIONS: Rows = [
    ('expertise', [{'anyProficientSkill': 2, 'anyProficientTool': 1, 'arcana': True}], '***Expertise.*** 2 proficient skills of your choice, 1 proficient tool of your choice, Arcana'),
    ('weaponProficiencies', [{'simple': True, 'martial': True, 'firearms': True, 'improvised': True}], '***Weapon Proficiencies.*** Simple, Martial, Firearms, Improvised'),
    ('armorProficiencies', [{'light': True, 'medium': True, 'shield|phb': True}], '***Armor Proficiencies.*** Light, Medium, Shield'),
    ('savingThrowProficiencies', [{'str': True}], '***Saving Throw Proficiencies.*** Strength'),
    ('resources', [{'name': 'Zq', 'type': 'dicePool', 'count': '<$pb$>', 'number': 1, 'faces': 6, 'recharge': 'restShort'}, {'name': 'Zp', 'type': 'pointPool', 'count': 3, 'recharge': 'dawn'}], '***Resources.*** Zq (type dicePool, count proficiency bonus, number 1, faces 6, recharge restShort), Zp (type pointPool, count 3, recharge dawn)'),
    ('consumes', {'name': 'Ki', 'amount': 2}, '***Consumes.*** Ki (amount 2)'),
]
OPTIONS: Rows = [
    ('skillToolLanguageProficiencies', [{'anySkill': 1, 'anyTool': 1, 'anyLanguage': 1, 'anyStandardLanguage': 2, 'anyExoticLanguage': 1, 'otherLanguage': True}], '***Skill Tool Language Proficiencies.*** 1 skill of your choice, 1 tool of your choice, 1 language of your choice, 2 standard languages of your choice, 1 exotic language of your choice, OtherLanguage'),
    ('immune', ['fire', {'choose': {'from': ['cold', 'acid']}}], '***Immune.*** fire, choose 1 from Cold, Acid'),
    ('vulnerable', ['fire'], '***Vulnerable.*** fire'),
    ('conditionImmune', ['prone', {'choose': {'from': ['charmed']}}], '***Condition Immune.*** prone, choose 1 from Charmed'),
    ('bonusSenses', [{'darkvision': 60}], '***Bonus Senses.*** darkvision 60'),
    ('optionalfeatureProgression', [{'name': 'Zq', 'featureType': ['EI'], 'progression': [0, 2, 2, 3], 'required': {'3': ['zq|x']}}], '***Optionalfeature Progression.*** Zq (feature type: EI; progression: 0, 2, 2, 3; required: 3: zq)'),
    ('featProgression', [{'name': 'Zq', 'category': ['FS'], 'progression': {'1': 1}}], '***Feat Progression.*** Zq (category: FS; progression: 1: 1)'),
    ('additionalSpells', [{'name': 'Zq', 'ability': {'choose': ['int', 'wis']}, 'resourceName': 'Ki', 'innate': {'3': {'rest': {'1': ['zqa']}, 'daily': {'1e': ['zqb|x'], 'pb': ['zqc'], 'halfPbe': ['zqd'], 'int': ['zqe'], 'mod': ['zqf']}, 'will': ['zqg'], 'ritual': ['zqh'], 'resource': {'2': ['zqi']}, 'limited': {'1': ['zqj']}, '_': ['zqk']}, '_': ['zql'], 's2': ['zqm']}, 'known': {'1': [{'choose': 'level=0|class=Wizard', 'count': 2}, {'all': 'level=1'}, {'choose': {'from': ['zqn', 'zqo'], 'count': 1}}]}, 'prepared': {'_': ['zqp#c']}, 'expanded': {'s1': ['zqr']}}], '***Zq.*** Innate, level 3: zqa (1 per rest), zqb (1 per day), zqc (proficiency bonus per day), zqd (half proficiency bonus per day), zqe (Intelligence modifier per day), zqf (spellcasting modifier per day), zqg (at will), zqh (ritual), zqi (for 2), zqj (1 in all), zqk'),
    ('fluff', {'entries': ['zq'], 'images': [{'type': 'image', 'title': 'zp'}]}, '***Lore.*** zq'),
    ('edition', 'one', '*Source: Lights of the Fens (lights-of-the-fens), 2024 edition*'),
    ('alias', ['Zq'], '***Alias.*** Zq'),
]
BACKGROUNDS_AND_FEATS: Rows = [
    ('skillProficiencies', [{'arcana': True, 'sleight of hand': True}], '***Skill Proficiencies.*** Arcana, Sleight of Hand'),
    ('skillProficiencies', [{'choose': {'from': ['arcana', 'history'], 'count': 2}}], '***Skill Proficiencies.*** choose 2 from Arcana, History'),
    ('skillProficiencies', [{'any': 2}], '***Skill Proficiencies.*** 2 of your choice'),
    ('toolProficiencies', [{'anyArtisansTool': 1, 'anyGamingSet': 1, 'anyMusicalInstrument': 2, 'disguise kit': True}], "***Tool Proficiencies.*** 1 artisan's tool of your choice, 1 gaming set of your choice, 2 musical instruments of your choice, Disguise Kit"),
    ('toolProficiencies', [{'choose': {'from': ['anyArtisansTool', "smith's tools"]}}], "***Tool Proficiencies.*** choose 1 from any artisan's tool, Smith's Tools"),
    ('toolProficiencies', [{'any': 1}], '***Tool Proficiencies.*** 1 of your choice'),
    ('skillToolLanguageProficiencies', [{'choose': [{'from': ['anySkill', 'anyTool'], 'count': 3}]}], '***Skill Tool Language Proficiencies.*** choose 3 from any skill, any tool'),
    ('skillToolLanguageProficiencies', [{'choose': [{'fromFilter': 'zq', 'type': 'skill', 'count': 1}]}], '***Skill Tool Language Proficiencies.*** choose 1 skill (zq)'),
    ('weaponProficiencies', [{'choose': {'fromFilter': 'type=martial weapon|miscellaneous=mundane', 'count': 2}}], '***Weapon Proficiencies.*** choose 2 (type martial weapon, miscellaneous mundane)'),
    ('weaponProficiencies', [{'all': {'fromFilter': 'zq'}}], '***Weapon Proficiencies.*** all: from filter zq'),
    ('weaponProficiencies', [{'longsword|phb': True}], '***Weapon Proficiencies.*** Longsword'),
    ('savingThrowProficiencies', [{'choose': {'from': ['dex', 'con'], 'count': 1}}], '***Saving Throw Proficiencies.*** choose 1 from Dexterity, Constitution'),
    ('resist', ['fire', {'choose': {'from': ['cold', 'acid'], 'count': 1}}], '***Resist.*** fire, choose 1 from Cold, Acid'),
    ('optionalfeatureProgression', [{'name': 'Zq', 'featureType': ['EI'], 'progression': {'2': 1, '5': 2}}], '***Optionalfeature Progression.*** Zq (feature type: EI; progression: 2: 1; 5: 2)'),
    ('optionalfeatureProgression', [{'name': 'Zq', 'featureType': ['MM'], 'progression': {'*': 1}}], '***Optionalfeature Progression.*** Zq (feature type: MM; progression: * 1)'),
    ('consumes', {'name': 'Ki', 'amountMin': 1, 'amountMax': 3}, '***Consumes.*** Ki (amount min 1, amount max 3)'),
]
CLASSES: Rows = [
    ('cantripProgression', [2, 2, 3], '***Cantrip Progression.*** 2, 2, 3'),
    ('preparedSpells', '<$level$> / 2 + <$int_mod$>', '***Prepared Spells.*** level / 2 + Intelligence modifier'),
    ('preparedSpellsProgression', [2, 3], '***Prepared Spells Progression.*** 2, 3'),
    ('preparedSpellsChange', 'level', '***Prepared Spells Change.*** level'),
    ('spellsKnownProgression', [2, 3], '***Spells Known Progression.*** 2, 3'),
    ('spellsKnownProgressionFixed', [2, 3], '***Spells Known Progression Fixed.*** 2, 3'),
    ('spellsKnownProgressionFixedAllowLowerLevel', True, '***Spells Known Progression Fixed Allow Lower Level.*** yes'),
    ('spellsKnownProgressionFixedAllowHigherLevel', True, '***Spells Known Progression Fixed Allow Higher Level.*** yes'),
    ('spellsKnownProgressionFixedByLevel', {'11': {'6': 1}}, '***Spells Known Progression Fixed by Level.*** 11: 6: 1'),
    ('spellcastingAbility', 'int', 'Intelligence'),
    ('casterProgression', '1/3', '**Spellcasting** third spellcaster'),
    ('additionalSpells', [{'name': 'Zq', 'ability': {'choose': ['int', 'wis']}, 'resourceName': 'Ki', 'innate': {'3': {'rest': {'1': ['zqa']}, 'daily': {'1e': ['zqb|x'], 'pb': ['zqc'], 'halfPbe': ['zqd'], 'int': ['zqe'], 'mod': ['zqf']}, 'will': ['zqg'], 'ritual': ['zqh'], 'resource': {'2': ['zqi']}, 'limited': {'1': ['zqj']}, '_': ['zqk']}, '_': ['zql'], 's2': ['zqm']}, 'known': {'1': [{'choose': 'level=0|class=Wizard', 'count': 2}, {'all': 'level=1'}, {'choose': {'from': ['zqn', 'zqo'], 'count': 1}}]}, 'prepared': {'_': ['zqp#c']}, 'expanded': {'s1': ['zqr']}}], '***Zq.*** Innate, level 3: zqa (1 per rest), zqb (1 per day), zqc (proficiency bonus per day), zqd (half proficiency bonus per day), zqe (Intelligence modifier per day), zqf (spellcasting modifier per day), zqg (at will), zqh (ritual), zqi (for 2), zqj (1 in all), zqk'),
]
CLASS_FEATURES: Rows = [
    ('languageProficiencies', [{'common': True, 'anyStandard': 1, 'any': 2, 'anyRare': 1, 'anyExotic': 2}], '***Language Proficiencies.*** Common, 1 standard language of your choice, 2 of your choice, 1 rare language of your choice, 2 exotic languages of your choice'),
    ('skillProficiencies', [{'arcana': True, 'sleight of hand': True}], '***Skill Proficiencies.*** Arcana, Sleight of Hand'),
    ('toolProficiencies', [{'anyArtisansTool': 1, 'anyGamingSet': 1, 'anyMusicalInstrument': 2, 'disguise kit': True}], "***Tool Proficiencies.*** 1 artisan's tool of your choice, 1 gaming set of your choice, 2 musical instruments of your choice, Disguise Kit"),
    ('resist', ['fire', {'choose': {'from': ['cold', 'acid'], 'count': 1}}], '***Damage Resistances.*** fire, choose 1 from Cold, Acid'),
    ('immune', ['fire', {'choose': {'from': ['cold', 'acid']}}], '***Damage Immunities.*** fire, choose 1 from Cold, Acid'),
    ('vulnerable', ['fire'], '***Damage Vulnerabilities.*** fire'),
    ('conditionImmune', ['prone', {'choose': {'from': ['charmed']}}], '***Condition Immunities.*** prone, choose 1 from Charmed'),
    ('tableDisplayName', 'Zq', '***Name in the Class Table.*** Zq'),
    ('entries', [{'type': 'options', 'count': 2, 'entries': [{'name': 'Zq', 'entries': ['zp']}]}], 'Choose 2 of the following:'),
    ('additionalSpells', [{'name': 'Zq', 'ability': {'choose': ['int', 'wis']}, 'resourceName': 'Ki', 'innate': {'3': {'rest': {'1': ['zqa']}, 'daily': {'1e': ['zqb|x'], 'pb': ['zqc'], 'halfPbe': ['zqd'], 'int': ['zqe'], 'mod': ['zqf']}, 'will': ['zqg'], 'ritual': ['zqh'], 'resource': {'2': ['zqi']}, 'limited': {'1': ['zqj']}, '_': ['zqk']}, '_': ['zql'], 's2': ['zqm']}, 'known': {'1': [{'choose': 'level=0|class=Wizard', 'count': 2}, {'all': 'level=1'}, {'choose': {'from': ['zqn', 'zqo'], 'count': 1}}]}, 'prepared': {'_': ['zqp#c']}, 'expanded': {'s1': ['zqr']}}], '***Additional Spells.*** Zq (ability: choose 1 from Intelligence, Wisdom; resource name Ki; innate: 3: rest: 1: zqa; daily: 1e: zqb; pb: zqc; half pbe: zqd; Intelligence: zqe; mod: zqf; will: zqg; ritual: zqh; resource: 2: zqi; limited: 1: zqj; zqk; zql; s2: zqm; known: 1: choose 1 (level 0, class Wizard), count 2, all level 1, choose 1 from Zqn, Zqo; prepared: zqp; expanded: s1: zqr)'),
]
# fmt: on
