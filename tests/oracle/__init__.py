"""What each filter must select, computed independently from the recorded JSON and the table of corrections.

Nothing here uses the code under test: a filter that the server maps wrongly is not mapped wrongly here, too.
"""

from __future__ import annotations

import functools

from tests.corrected_json import corrected
from tests.oracle.cases import Case, Raw, Test, document, fold
from tests.oracle.creatures import CREATURE, CREATURE_CASES, archive
from tests.oracle.equipment import EQUIPMENT, EQUIPMENT_CASES
from tests.oracle.options import OPTION, OPTION_CASES, RULE, RULE_CASES
from tests.oracle.spells import SPELL, SPELL_CASES, older_spells

TOOLS: dict[str, tuple[dict[str, str], dict[str, Test], list[Case]]] = {
    "search_spell": ({"v2/spells": "spell"}, SPELL, SPELL_CASES),
    "search_creature": ({"v2/creatures": "creature"}, CREATURE, CREATURE_CASES),
    "search_equipment": (
        {
            "v2/weapons": "weapon",
            "v2/armor": "armor",
            "v2/items": "item",
            "v2/magicitems": "magic-item",
            "v2/services": "service",
        },
        EQUIPMENT,
        EQUIPMENT_CASES,
    ),
    "search_character_option": (
        {"v2/classes": "", "v2/species": "species", "v2/backgrounds": "background", "v2/feats": "feat"},
        OPTION,
        OPTION_CASES,
    ),
    "search_rule": (
        {
            "v2/rules": "rule",
            "v2/conditions": "condition",
            "v2/skills": "skill",
            "v2/abilities": "ability-score",
            "v2/damagetypes": "damage-type",
            "v2/weaponproperties": "weapon-property",
            "v2/spellschools": "magic-school",
            "v2/languages": "language",
            "v2/alignments": "alignment",
            "v2/environments": "environment",
        },
        RULE,
        RULE_CASES,
    ),
}


@functools.cache
def records(tool: str) -> tuple[Raw, ...]:
    """Every recorded record that a tool may return, with its kind under ``_type``.

    Creatures and spells have their version 1 data under ``_v1``. Do not change the returned records.
    """
    found = []
    for endpoint, kind in TOOLS[tool][0].items():
        older = archive() if endpoint == "v2/creatures" else older_spells() if endpoint == "v2/spells" else {}
        for record in corrected(endpoint):
            type_ = kind or ("subclass" if record["subclass_of"] else "class")
            found.append({**record, "_type": type_, "_v1": older.get(record["key"], {})})
    return tuple(found)


def expected(tool: str, *wanted: Case, completed: bool = True) -> set[tuple[str, str]]:
    """(kind, key) of every recorded record that all the cases select, if not ``completed`` as version 2 has it."""
    return set.intersection(*(set(_selected(tool, case, completed)) for case in wanted))


@functools.cache  # several tests ask for each case, and pairs ask for it many times
def _selected(tool: str, case: Case, completed: bool) -> frozenset[tuple[str, str]]:
    test = TOOLS[tool][1][case.argument]
    seen = records(tool) if completed else [{**record, "_v1": {}} for record in records(tool)]
    return frozenset((record["_type"], record["key"]) for record in seen if test(record, case.meant))


__all__ = ["TOOLS", "Case", "Raw", "document", "expected", "fold", "records"]
