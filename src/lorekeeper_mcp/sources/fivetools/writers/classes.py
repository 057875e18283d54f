"""Classes and subclasses as items of a 5etools file, with their features as separate items."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass
from lorekeeper_mcp.sources.fivetools.classes import CASTERS
from lorekeeper_mcp.sources.fivetools.codes import ABILITY_CODES, codes_of
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import entries
from lorekeeper_mcp.sources.fivetools.writers.item_fields import ItemFields, source_of

_CASTERS = codes_of(CASTERS)


def class_fields(record: CharacterClass, source: str) -> tuple[ItemFields, list[tuple[str, ItemFields]]]:
    """Return the fields of a class or subclass, and its features with their sections."""
    parent = record.subclass_of
    section = "subclassFeature" if parent else "classFeature"
    owner: ItemFields = {"className": _referable(record.name), "classSource": source}
    own_class: ItemFields = {}
    if parent:
        class_ = {"className": _referable(parent.name), "classSource": source_of(parent, source)}
        owner = {**class_, "subclassShortName": _referable(record.name), "subclassSource": source}
        own_class = {"shortName": record.name, **class_}
    references, features = [], []
    for feature in record.features:
        level = feature.levels[0] if feature.levels else 1
        name = _referable(feature.name) or _referable(record.name)
        if feature.text:
            fields = {"name": name, **owner, "level": level, "entries": entries(feature.text)}
            features.append((section, fields))
        references.append("|".join([name, *map(str, owner.values()), str(level)]))
    die = record.hit_dice.removeprefix("d")
    fields = {
        "hd": {"number": 1, "faces": int(die)} if die.isdigit() else None,
        "casterProgression": _CASTERS.get(record.caster_type),
        "spellcastingAbility": ABILITY_CODES.get(record.spellcasting.lower()),
        "proficiency": [ABILITY_CODES.get(name.lower(), name) for name in record.saving_throws],
        "primaryAbility": [{ABILITY_CODES.get(name.lower(), name.lower()): True} for name in record.primary_abilities],
        "subclassTitle": record.flavor,
        f"{section}s": references,
        **own_class,
    }
    return fields, features


def _referable(name: str) -> str:
    """A name that is valid in a reference, whose parts are separated by vertical bars."""
    return " ".join(name.replace("|", " ").split())
