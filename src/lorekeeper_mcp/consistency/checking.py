"""All checks over a record. Each is a function of the record alone and answers with clauses, none where all is well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lorekeeper_mcp.consistency import creatures, others
from lorekeeper_mcp.consistency.suspect import Suspect
from lorekeeper_mcp.consistency.texts import cut_texts
from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Record, Rule, Spell

CREATURE_CHECKS: Mapping[str, Callable[[Creature], Iterator[str]]] = {
    "hit points against dice": creatures.hit_points,
    "armor class against armor": creatures.armor_class,
    "experience against challenge": creatures.experience,
    "modifiers against scores": creatures.modifiers,
    "hit dice against size": creatures.hit_die,
    "passive perception against skill": creatures.perception,
    "saving throws against scores": creatures.saving_throws,
    "values out of bounds": creatures.bounds,
    "attack against its sentence": creatures.attacks,
    "creature without actions": creatures.without_actions,
}
SPELL_CHECKS: Mapping[str, Callable[[Spell], Iterator[str]]] = {
    "level against text": others.spell_level,
    "spell without classes": others.spell_classes,
    "components against material": others.material,
    "concentration against duration": others.concentration,
    "ritual against casting time": others.ritual,
}


def suspects(record: Record) -> list[Suspect]:
    """What looks wrong in a record, in the order of the checks."""
    found = [Suspect(record.id, "text cut off", finding) for finding in cut_texts(record)]
    match record:
        case Creature():
            found += _all(record.id, {name: check(record) for name, check in CREATURE_CHECKS.items()})
        case Spell():
            found += _all(record.id, {name: check(record) for name, check in SPELL_CHECKS.items()})
        case Equipment():
            found += _all(record.id, {"numbers of equipment": others.equipment(record)})
        case CharacterClass():
            found += _all(record.id, {"class without features": others.character_class(record)})
        case Rule():
            found += _all(record.id, {"rule named otherwise than its key": others.rule_name(record)})
    return found


def _all(record: str, findings: Mapping[str, Iterator[str]]) -> list[Suspect]:
    return [Suspect(record, check, finding) for check, clauses in findings.items() for finding in clauses]
