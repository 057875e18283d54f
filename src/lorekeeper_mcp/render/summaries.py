"""What the one sentence of an index line is taken from."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Background, CharacterClass, Creature, Feat, Record, Species
from lorekeeper_mcp.text import fold

SUMMARY = 120  # characters of the sentence
_BENEFIT = re.compile(r"\*\*\*?(.+?)\.?\*\*")
_EVERY_SPECIES = frozenset(
    ["ability score increase", "age", "alignment", "size", "speed", "languages", "creature type", "type", "subrace"]
)


def lead(record: Record) -> str:
    """The text that begins with what tells a record from others: of a creature, which has no description, a trait."""
    if names := dict.fromkeys(_given(record)):
        return f"{', '.join(names)}."
    match record:
        case Creature(text="") if record.traits:
            return f"{record.traits[0].name}: {record.traits[0].text}"
        case Species(text="") if record.traits:
            return record.traits[0].text
        case Background(text="") if record.benefits:
            return record.benefits[0].text
        case Feat() if record.benefits and (not record.text or "following benefits" in record.text[:SUMMARY]):
            return record.benefits[0]
        case _:
            return record.text


def _given(record: Record) -> list[str]:
    """The names of what a class, species or feat gives: their texts begin with what all have in common."""
    match record:
        case CharacterClass(text=""):
            return [feature.name for feature in record.features if feature.levels]
        case Species(subspecies_of=None):
            return [trait.name for trait in record.traits if fold(trait.name) not in _EVERY_SPECIES]
        case Feat():
            named = [found[1] for benefit in record.benefits if (found := _BENEFIT.match(benefit))]
            return named if len(named) > 1 else []
        case _:
            return []
