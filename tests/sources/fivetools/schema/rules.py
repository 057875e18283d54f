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
    'charoption': [
        ('prerequisite', [{'level': 3}], '*Prerequisite: level 3*'),
        _LORE,
    ],
    'condition': [('entries', ['zq'], 'zq'), _LORE],
    'deck': [
        ('entries', ['zq'], 'zq'),
    ],
    'disease': [_LORE],
    'facility': [
        ('prerequisite', [{'level': 5}], '*Prerequisite: level 5*'),
        _LORE,
    ],
    'language': [
        ('typicalSpeakers', ['elves'], '**Speakers** elves'),
        ('script', 'Zq', '**Script** Zq'),
        ('type', 'rare', '**Type** rare'),
        _LORE,
    ],
    'languageScript': [('fonts', ['https://zq'], '***Fonts.*** https://zq')],
    'object': [
        _LORE,
    ],
    'psionic': [
        ('entries', ['zq'], 'zq'),
    ],
    'recipe': [
        ('ingredients', [{'type': 'ingredient', 'entry': '{=amount1/v} zq', 'amount1': 2}], '2 zq'),
        _LORE,
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
    'vehicle': [
        ('trait', None, '# Base'),
        ('weapon', [{'name': 'Zq', 'entries': ['zp'], 'homely': 'zo'}], 'zo'),
        _LORE,
    ],
}
