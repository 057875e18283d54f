"""All checks of a record. Each is a function of the record alone, and yields a clause for every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scripts.data_checks import contradictions, creatures, other_kinds
from scripts.data_checks.glued_words import check_glued_words
from scripts.data_checks.leftover_markup import check_markup, check_name, check_repetition, check_table_heads
from scripts.data_checks.loose_headings import check_headings
from scripts.data_checks.texts import check_brackets, check_lists, check_texts_end

from lorekeeper_mcp.models import CharacterClass, Creature, Equipment, Record, Rule, Spell

# The checks of all records, and of those of a type. Any, since each takes the type under which it stands.
_CHECKS: Mapping[type[Record], Mapping[str, Callable[[Any], Iterator[str]]]] = {
    Record: {
        "text cut off": check_texts_end,
        "unpaired bracket": check_brackets,
        "list without items": check_lists,
        "markup": check_markup,
        "odd name": check_name,
        "table without a head": check_table_heads,
        "repeated text": check_repetition,
        "entries run together": check_headings,
        "glued words": check_glued_words,
        "empty page": contradictions.check_not_empty,
    },
    Creature: {
        "hit points against dice": creatures.check_hit_points,
        "rolls against averages": creatures.check_rolls,
        "armor class against armor": creatures.check_armor_class,
        "experience against challenge": creatures.check_experience,
        "modifiers against scores": creatures.check_modifiers,
        "hit dice against size": creatures.check_hit_die,
        "passive perception against skill": creatures.check_perception,
        "saving throws against scores": creatures.check_saving_throws,
        "values out of bounds": creatures.check_bounds,
        "names of actions": creatures.check_action_names,
        "defenses as printed": creatures.check_defenses,
        "entry within another": creatures.check_beginnings,
        "creature without actions": creatures.check_has_actions,
    },
    Spell: {
        "level against text": other_kinds.check_spell_level,
        "spell without classes": other_kinds.check_spell_classes,
        "components against material": other_kinds.check_material,
        "concentration against duration": other_kinds.check_concentration,
        "ritual against casting time": other_kinds.check_ritual,
        "damage against text": contradictions.check_damage,
        "saving throw against text": contradictions.check_saving_throw,
        "targets against text": contradictions.check_targets,
        "slots against text": contradictions.check_slots,
        "area against text": contradictions.check_area,
    },
    Equipment: {
        "numbers of equipment": other_kinds.check_equipment,
        "attunement against text": contradictions.check_attunement,
        "rarity against text": contradictions.check_rarity,
    },
    CharacterClass: {"class without features": other_kinds.check_character_class},
    Rule: {"rule name against key": other_kinds.check_rule_name},
}


@dataclass(frozen=True)
class Finding:
    """A suspicious value in a record: the name of the check, and a clause with the values that disagree."""

    record: str
    check: str
    message: str


def findings(record: Record) -> list[Finding]:
    """Return what looks wrong in a record, in the order of the checks."""
    return [
        Finding(record.id, name, message)
        for type_, checks in _CHECKS.items()
        if isinstance(record, type_)
        for name, check in checks.items()
        for message in check(record)
    ]
