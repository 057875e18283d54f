"""Spells: the schema's fields, values for them, and the expected lines of the page."""

# ruff: noqa: E501 - a row of a table is one line

from __future__ import annotations

from typing import Any

BASES: dict[str, dict[str, Any]] = {
    "spell": {"name": "Base", "source": "FENS", "level": 2, "school": "V", "entries": ["x"]}
}
# fmt: off
ROWS: dict[str, list[tuple[str, Any, str]]] = {
    'spell': [
        ('school', 'A', '*2nd-level abjuration*'),
        ('school', 'P', '*2nd-level psionic*'),
        ('school', 'Zq', '*2nd-level zq*'),
        ('meta', {'ritual': True, 'technomagic': True}, '*2nd-level evocation (ritual)*'),
        ('time', [{'number': 1, 'unit': 'action'}], '**Casting Time** 1 action'),
        ('time', [{'number': 1, 'unit': 'bonus'}], '**Casting Time** 1 bonus action'),
        ('time', [{'number': 1, 'unit': 'reaction', 'condition': 'zq'}], '**Casting Time** 1 reaction, zq'),
        ('time', [{'number': 10, 'unit': 'minute', 'note': 'zp'}], '**Casting Time** 10 minutes (zp)'),
        ('time', [{'number': 1, 'unit': 'action'}, {'number': 8, 'unit': 'hour'}], '**Casting Time** 1 action or 8 hours'),
        ('time', [{'unit': 'special'}], '**Casting Time** special'),
        ('time', [{'number': 1, 'unit': 'zq'}], '**Casting Time** 1 zq'),
        ('range', {'type': 'special'}, '**Range** Special'),
        ('range', {'type': 'point', 'distance': {'type': 'feet', 'amount': 30}}, '**Range** 30 feet'),
        ('range', {'type': 'line', 'distance': {'type': 'feet', 'amount': 30}}, '**Range** Self (30-foot line)'),
        ('range', {'type': 'emanation', 'distance': {'type': 'feet', 'amount': 30}}, '**Range** Self (30-foot emanation)'),
        ('range', {'type': 'hemisphere', 'distance': {'type': 'miles', 'amount': 1}}, '**Range** Self (1-mile hemisphere)'),
        ('range', {'type': 'point', 'distance': {'type': 'self'}}, '**Range** Self'),
        ('range', {'type': 'point', 'distance': {'type': 'touch'}}, '**Range** Touch'),
        ('range', {'type': 'point', 'distance': {'type': 'sight'}}, '**Range** Sight'),
        ('range', {'type': 'point', 'distance': {'type': 'plane'}}, '**Range** Unlimited on the same plane'),
        ('range', {'type': 'point', 'distance': {'type': 'unlimited'}}, '**Range** Unlimited'),
        ('range', {'type': 'point', 'distance': {'type': 'yards', 'amount': 3}}, '**Range** 3 yards'),
        ('range', {'type': 'point', 'distance': {'type': 'hectares', 'amount': 3}}, '**Range** 3 hectares'),
        ('range', {'type': 'cylinder', 'distance': {'type': 'feet', 'amount': 30, 'typeSecondary': 'feet', 'amountSecondary': 77}}, '**Range** Self (30-foot-radius, 77-foot-high cylinder)'),
        ('range', {'type': 'cube', 'distance': {'type': 'touch'}}, '**Range** Touch'),
        ('components', {'v': True, 's': True, 'm': 'zq'}, '**Components** V, S, M (zq)'),
        ('components', {'m': {'text': 'zq', 'cost': 5000, 'consume': True}}, '**Components** M (zq; worth 50 gp; consumed)'),
        ('components', {'m': {'text': 'zq', 'cost': 5000, 'consume': 'optional'}}, '***Material.*** consumed if the caster chooses so'),
        ('components', {'m': True}, '**Components** M'),
        ('duration', [{'type': 'instant'}], '**Duration** Instantaneous'),
        ('duration', [{'type': 'timed', 'duration': {'type': 'minute', 'amount': 10, 'upTo': True}, 'concentration': True}], '**Duration** Concentration, up to 10 minutes'),
        ('duration', [{'type': 'permanent', 'ends': ['dispel', 'trigger']}], '**Duration** Until dispelled or triggered'),
        ('duration', [{'type': 'special', 'condition': 'zq'}], '**Duration** Special (zq)'),
        ('duration', [{'type': 'timed', 'duration': {'type': 'day', 'amount': 1}, 'ends': ['discharge', 'zq']}], '**Duration** 1 day, until discharged or zq'),
        ('entries', ['zq'], 'zq'),
        ('entriesHigherLevel', [{'type': 'entries', 'name': 'At Higher Levels', 'entries': ['zq']}], '***At Higher Levels.*** zq'),
        ('entriesHigherLevel', [{'type': 'entries', 'name': 'Using a Higher-Level Spell Slot', 'entries': ['zq']}], '***At Higher Levels.*** zq'),
        ('damageInflict', ['fire'], '**Damage** fire'),
        ('savingThrow', ['dexterity'], '**Saving Throw** Dexterity'),
        ('savingThrow', ['dexterity', 'wisdom'], '**Saving Throw** Dexterity'),
        ('spellAttack', ['M'], '**Attack Roll** yes'),
        ('classes', {'fromClassList': [{'name': 'Wizard', 'source': 'PHB', 'definedInSource': 'X'}], 'fromClassListVariant': [{'name': 'Bard', 'source': 'PHB', 'definedInSource': 'TCE'}], 'fromSubclass': [{'class': {'name': 'Cleric', 'source': 'PHB'}, 'subclass': {'name': 'Zq', 'shortName': 'Z', 'source': 'X', 'subSubclass': 'zr'}}]}, '**Subclasses** Zq, zr (Cleric)'),
        ('fluff', {'entries': ['zq']}, '***Lore.*** zq'),
    ],
}
# fmt: on
