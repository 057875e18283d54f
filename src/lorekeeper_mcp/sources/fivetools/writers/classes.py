"""Classes and subclasses as items of a 5etools file, with their features as separate items."""

from __future__ import annotations

from typing import TypeAlias

from lorekeeper_mcp.models import CharacterClass
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.fivetools.classes import CASTERS
from lorekeeper_mcp.sources.fivetools.codes import codes_of
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import entries

Fields: TypeAlias = "dict[str, object]"
_CASTERS = codes_of(CASTERS)
_SHORT = codes_of(ABILITY_BY_ABBREVIATION)


def class_fields(record: CharacterClass, source: str) -> tuple[Fields, list[tuple[str, Fields]]]:
    """Return the fields of a class or subclass, and its features with their sections."""
    parent = record.subclass_of
    section = "subclassFeature" if parent else "classFeature"
    owner: Fields = {"className": _referable(record.name), "classSource": source}
    if parent:
        of = source if parent.key.startswith("orcbrew_") else "PHB"
        owner = {
            "className": _referable(parent.name),
            "classSource": of,
            "subclassShortName": _referable(record.name),
            "subclassSource": source,
        }
    references, features = [], []
    for one in record.features:
        level, name = one.levels[0] if one.levels else 1, _referable(one.name) or _referable(record.name)
        if one.text:
            text: Fields = {"level": level, "entries": entries(one.text)}
            features.append((section, {"name": name, **owner, **text}))
        references.append("|".join([name, *map(str, owner.values()), str(level)]))
    die = record.hit_dice.removeprefix("d")
    fields: Fields = {
        "hd": {"number": 1, "faces": int(die)} if die.isdigit() else None,
        "casterProgression": _CASTERS.get(record.caster_type),
        "spellcastingAbility": _SHORT.get(record.spellcasting.lower()),
        "proficiency": [_SHORT.get(name.lower(), name) for name in record.saving_throws],
        "primaryAbility": [{_SHORT.get(name.lower(), name.lower()): True} for name in record.primary_abilities],
        "subclassTitle": record.flavor,
        f"{section}s": references,
    }
    if parent:
        fields |= {"shortName": record.name, "className": owner["className"], "classSource": owner["classSource"]}
    return fields, features


def _referable(name: str) -> str:
    """A name that is valid in a reference, whose parts are separated by vertical bars."""
    return " ".join(name.replace("|", " ").split())
