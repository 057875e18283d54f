"""Entries that become rules: the schema's fields, values for them, and the expected lines of the page.

``vehicles.json`` alone has six forms; their shared fields are under ``vehicle``.
"""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

_ENTRIES: dict[str, Any] = {"name": "Base", "source": "FENS", "entries": ["x"]}
_SECTIONS = (
    "action", "backgroundFeature", "boon", "card", "charoption", "citation", "cult", "deity", "disease", "facility",
    "hazard", "itemMastery", "makebrewCreatureAction", "makebrewCreatureTrait", "object", "psionic",
    "psionicDisciplineActive", "psionicDisciplineFocus", "raceFluff", "raceFluffMeta", "vehicleFluff", "reward", "sense", "skill", "trap", "variantrule", "vehicle", "vehicleUpgrade",
)  # fmt: skip
BASES: dict[str, dict[str, Any]] = {
    **dict.fromkeys(_SECTIONS, _ENTRIES),
    "condition": _ENTRIES,
    "status": _ENTRIES,
    "language": _ENTRIES,
    "deck": {"name": "Base", "source": "FENS", "cards": ["x|y"]},
    "encounter": {"name": "Base", "source": "FENS"},
    "recipe": {"name": "Base", "source": "FENS", "instructions": ["x"]},
    "monsterfeatures": {"name": "Base", "example": "x", "effect": "x"},
    "name": {"name": "Base", "source": "FENS"},
    "languageScript": {"name": "Base", "source": "FENS"},
    "spellList": {"name": "Base", "source": "FENS"},
    "table": {"name": "Base", "source": "FENS", "colLabels": ["d4", "Zo"], "rows": [["1", "x"]]},
}
_LORE = ("fluff", {"entries": ["zq"], "images": [{"type": "image", "title": "zp"}]}, "***Lore.*** zq")
# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    **{section: [('entries', ['zq'], 'zq')] for section in _SECTIONS if section not in ('action', 'psionic')},
    'action': [
        ('entries', ['zq'], 'zq'),
    ],
    'boon': [
        ('type', 'Demonic', '***Type.*** Demonic'),
    ],
    'card': [
        ('set', 'Zq', '***Set.*** Zq'),
        ('suit', 'hearts', '***Suit.*** hearts'),
        ('value', 2, '***Value.*** 2'),
        ('valueName', 'Two', '***Value Name.*** Two'),
        ('alias', ['Zq'], '***Alias.*** Zq'),
    ],
    'charoption': [
        ('prerequisite', [{'level': 3}], '*Prerequisite: level 3*'),
        _LORE,
    ],
    'condition': [('entries', ['zq'], 'zq'), _LORE],
    'cult': [
        ('type', 'Elemental', '***Type.*** Elemental'),
    ],
    'deck': [
        ('entries', ['zq'], 'zq'),
        ('alias', ['Zq'], '***Alias.*** Zq'),
    ],
    'deity': [
        ('title', 'zq', '***Title.*** zq'),
        ('pantheon', 'Celtic', '***Pantheon.*** Celtic'),
        ('category', 'zq', '***Category.*** zq'),
        ('domains', ['Life', 'War'], '***Domains.*** Life, War'),
        ('province', 'zq', '***Province.*** zq'),
        ('symbol', 'zq', '***Symbol.*** zq'),
        ('piety', True, '***Piety.*** yes'),
    ],
    'disease': [_LORE],
    'encounter': [
    ],
    'facility': [
        ('level', 5, '***Level.*** 5'),
        ('prerequisite', [{'level': 5}], '*Prerequisite: level 5*'),
        ('space', ['roomy', 'vast'], '***Space.*** roomy, vast'),
        ('orders', ['craft'], '***Orders.*** craft'),
        _LORE,
    ],
    'language': [
        ('typicalSpeakers', ['elves'], '**Speakers** elves'),
        ('script', 'Zq', '**Script** Zq'),
        ('type', 'rare', '**Type** rare'),
        ('dialects', ['zq'], '***Dialects.*** zq'),
        ('fonts', ['https://zq'], '***Fonts.*** https://zq'),
        _LORE,
    ],
    'languageScript': [('fonts', ['https://zq'], '***Fonts.*** https://zq')],
    'monsterfeatures': [
        ('example', 'Zq', '***Example.*** Zq'),
        ('effect', 'zq', '***Effect.*** zq'),
        ('attackBonus', '+3', '***Attack Bonus.*** +3'),
    ],
    'name': [
    ],
    'object': [
        ('creatureType', 'construct', '***Creature Type.*** construct'),
        ('senses', ['zq'], '***Senses.*** zq'),
        _LORE,
    ],
    'psionic': [
        ('entries', ['zq'], 'zq'),
        ('focus', 'zq', '***Focus.*** zq'),
        ('order', 'Avatar', '***Order.*** Avatar'),
    ],
    'recipe': [
        ('makes', 'zq', '***Makes.*** zq'),
        ('ingredients', ['zq'], '***Ingredients.*** zq'),
        ('ingredients', [{'type': 'ingredient', 'entry': '{=amount1/v} zq', 'amount1': 2}], '2 zq'),
        ('equipment', ['zq'], '***Equipment.*** zq'),
        ('instructions', ['zq'], '***Instructions.*** zq'),
        ('type', 'Elven', '***Type.*** Elven'),
        ('dishTypes', ['soup'], '***Dish Types.*** soup'),
        _LORE,
    ],
    'reward': [
        ('type', 'Blessing', '***Type.*** Blessing'),
        ('rarity', 'rare', '***Rarity.*** rare'),
    ],
    'spellList': [
        ('spellListType', 'groups', '***Spell List Type.*** groups'),
        ('spells', ['fireball', 'zq|fens'], '***Spells.*** fireball, zq'),
    ],
    'status': [('entries', ['zq'], 'zq')],
    'table': [
        ('caption', 'Zq', '**Zq**'),
        ('rows', [['1', 'zq']], '| 1 | zq |'),
        ('colLabels', ['d6', 'Zq'], '| d6 | Zq |'),
        ('footnotes', ['zq'], 'zq'),
        ('intro', ['zq'], 'zq'),
        ('outro', ['zq'], 'zq'),
    ],
    'trap': [
        ('threat', 'deadly', '***Threat.*** deadly'),
        ('trigger', ['zq'], '***Trigger.*** zq'),
        ('initiative', 'zq', '***Initiative.*** zq'),
        ('initiativeNote', 'zq', '***Initiative Note.*** zq'),
        ('effect', ['zq'], '***Effect.*** zq'),
        ('countermeasures', ['zq'], '***Countermeasures.*** zq'),
    ],
    'variantrule': [
    ],
    'vehicle': [
        ('trait', None, '# Base'),
        ('terrain', ['sea', 'air'], '***Terrain.*** sea, air'),
        ('weapon', [{'name': 'Zq', 'entries': ['zp'], 'homely': 'zo'}], 'zo'),
        ('other', [{'name': 'Zq', 'entries': ['zp']}], '***Other.*** **Zq.** zp'),
        _LORE,
    ],
    'vehicleUpgrade': [
    ],
}
