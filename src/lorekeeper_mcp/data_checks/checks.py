"""All checks of a record. Each is a function of the record alone and yields clauses; none if all is well."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lorekeeper_mcp.data_checks import contradictions, creatures, other_kinds
from lorekeeper_mcp.data_checks.glued_words import glued
from lorekeeper_mcp.data_checks.leftover_markup import markup, names, repetition, tables
from lorekeeper_mcp.data_checks.loose_headings import loose_headings
from lorekeeper_mcp.data_checks.texts import cut_texts
from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Record, Rule, Spell

CHECKS: Mapping[str, Callable[[Record], Iterator[str]]] = {
    "text cut off": cut_texts,
    "markup": markup,
    "odd name": names,
    "table without a head": tables,
    "said twice": repetition,
    "entries run together": loose_headings,
    "glued words": glued,
    "empty page": contradictions.emptiness,
}
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
    "names of actions": creatures.names_of_actions,
    "creature without actions": creatures.without_actions,
}
SPELL_CHECKS: Mapping[str, Callable[[Spell], Iterator[str]]] = {
    "level against text": other_kinds.spell_level,
    "spell without classes": other_kinds.spell_classes,
    "components against material": other_kinds.material,
    "concentration against duration": other_kinds.concentration,
    "ritual against casting time": other_kinds.ritual,
    "damage against text": contradictions.damage,
    "targets against text": contradictions.targets,
    "slots against text": contradictions.slots,
    "area against text": contradictions.area,
}


@dataclass(frozen=True)
class Finding:
    """A suspicious value in a record: the name of the check, and a clause with the values that disagree."""

    record: str
    check: str
    finding: str


def findings(record: Record) -> list[Finding]:
    """Return what looks wrong in a record, in the order of the checks."""
    found = _all(record.id, {name: check(record) for name, check in CHECKS.items()})
    match record:
        case Creature():
            found += _all(record.id, {name: check(record) for name, check in CREATURE_CHECKS.items()})
        case Spell():
            found += _all(record.id, {name: check(record) for name, check in SPELL_CHECKS.items()})
        case Equipment():
            own = {"numbers of equipment": other_kinds.equipment(record)}
            own |= {"attunement against text": contradictions.attunement(record)}
            found += _all(record.id, own | {"rarity against text": contradictions.rarity(record)})
        case CharacterClass():
            found += _all(record.id, {"class without features": other_kinds.character_class(record)})
        case Rule():
            found += _all(record.id, {"rule name against key": other_kinds.rule_name(record)})
    return found


def _all(record: str, findings: Mapping[str, Iterator[str]]) -> list[Finding]:
    return [Finding(record, check, finding) for check, clauses in findings.items() for finding in clauses]
