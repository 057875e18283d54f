"""Classes, subclasses and their features: the schema's fields, values for them, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

from tests.sources.fivetools.schema.shared_rows import CLASS_FEATURES, CLASSES

BASES: dict[str, dict[str, Any]] = {
    "class": {"name": "Base", "source": "FENS"},
    "subclass": {"name": "Base", "shortName": "Base", "source": "FENS", "className": "Wizard", "classSource": "PHB"},
    "classFeature": {
        "name": "Base",
        "source": "FENS",
        "className": "Zc",
        "classSource": "FENS",
        "level": 3,
        "entries": ["x"],
    },
    "subclassFeature": {
        "name": "Base",
        "source": "FENS",
        "className": "Zc",
        "classSource": "FENS",
        "subclassShortName": "Zs",
        "subclassSource": "FENS",
        "level": 3,
        "entries": ["x"],
    },
}
# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'class': [
        *CLASSES,
        ('casterProgression', 'full', '**Spellcasting** full spellcaster'),
        ('casterProgression', '1/2', '**Spellcasting** half spellcaster'),
        ('casterProgression', 'pact', '**Spellcasting** Pact Magic'),
        ('casterProgression', 'artificer', '**Spellcasting** half spellcaster'),
        ('hd', {'number': 1, 'faces': 8}, '**Hit Dice** 1d8 per level'),
        ('proficiency', ['str', 'dex'], '**Saving Throws** Strength, Dexterity'),
        ('primaryAbility', [{'str': True}, {'dex': True}], '**Primary Abilities** Strength, Dexterity'),
        ('classTableGroups', [{'title': 'Zq', 'subclasses': [{'name': 'Zs', 'source': 'X'}], 'colLabels': ['Zc'], 'rows': [['zr1'], ['zr2']]}], '| Level | Features | Zc |'),
        ('classTableGroups', [{'colLabels': ['1st', '2nd'], 'rowsSpellProgression': [[2], [3, 1]]}], '| Level | Features | 1st | 2nd |'),
        ('classTableGroups', [{'colLabels': ['Zc'], 'rows': [[{'type': 'bonus', 'value': 2}], [{'type': 'dice', 'toRoll': [{'number': 1, 'faces': 6}]}], [{'type': 'bonusSpeed', 'value': 10}]]}], '| Level | Features | Zc |'),
        ('startingProficiencies', {'armor': ['light', '{@item shield|phb|shields}', {'proficiency': 'medium', 'full': 'zq medium'}], 'weapons': ['simple', {'proficiency': 'zq', 'optional': True}], 'tools': ['zq'], 'toolProficiencies': [{'anyArtisansTool': 1}], 'skills': [{'choose': {'from': ['arcana', 'history'], 'count': 2}}]}, 'Skills: choose 2 from Arcana, History'),
        ('startingEquipment', {'additionalFromBackground': True, 'default': ['zq'], 'defaultData': [{'_': ['torch|phb', {'item': 'rope|phb', 'quantity': 2, 'displayName': 'zq rope', 'containsValue': 500}, {'equipmentType': 'weaponSimpleMelee', 'quantity': 2, 'displayName': 'zw'}, {'equipmentTypes': ['armorLight', 'toolArtisan']}, {'value': 1000}, {'special': 'zq', 'quantity': 3, 'worthValue': 200, 'containsValue': 300}]}, {'a': ['staff|phb'], 'b': [{'equipmentType': 'setGaming'}]}], 'goldAlternative': '{@dice 5d4} zp'}, '- or 5d4 zp gp'),
        ('startingEquipment', {'entries': ['zq']}, 'zq'),
        ('requirements', {'str': 13, 'or': [{'dex': 13, 'int': 13}], 'entries': ['zq']}, '***Requirements.*** Dexterity 13 or Intelligence 13; Strength 13'),
        ('multiclassing', {'requirements': {'or': [{'str': 13, 'dex': 13}]}, 'requirementsSpecial': 'zq', 'proficienciesGained': {'armor': ['light'], 'weapons': ['zw'], 'skills': [{'any': 1}]}, 'entries': ['zp']}, '***Multiclassing.*** Requires Strength 13 or Dexterity 13; zq'),
        ('classFeatures', ['Zq|Base|FENS|1', {'classFeature': 'Zp|Base|FENS|2', 'gainSubclassFeature': True, 'tableDisplayName': 'zt'}], '## Level 1: Zq'),
        ('subclassTitle', 'Zq', '**Subclass** Zq'),
        ('fluff', [{'name': 'Zq', 'entries': ['zp'], 'source': 'FENS', 'type': 'section'}], 'zqlore'),
    ],
    'subclass': [
        *CLASSES,
        ('subclassFeatures', ['Zq|Wizard|PHB|Base|FENS|3', {'subclassFeature': 'Zp|Wizard|PHB|Base|FENS|6', 'gainSubclassFeature': True, 'gainSubclassFeatureHasContent': True, 'tableDisplayName': 'zt'}], '## Level 3: Zq'),
        ('subclassTableGroups', [{'title': 'Zq', 'subclasses': [{'name': 'Zs', 'source': 'X'}], 'colLabels': ['Zc'], 'rows': [['zr1'], ['zr2']]}], '| Level | Features | Zc |'),
    ],
    'classFeature': [
        *CLASS_FEATURES,
        ('entries', ['zq'], 'zq'),
    ],
    'subclassFeature': [
        *CLASS_FEATURES,
    ],
}
# fmt: on
