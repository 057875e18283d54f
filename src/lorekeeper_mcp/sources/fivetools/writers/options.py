"""Classes, species and feats as the fields of 5etools items; features of a class are separate items."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import CharacterClass, Feat, Species
from lorekeeper_mcp.sources.fivetools.classes import CASTERS
from lorekeeper_mcp.sources.fivetools.codes import ABILITY_CODES, codes_of, size_codes
from lorekeeper_mcp.sources.fivetools.options import FEATURES
from lorekeeper_mcp.sources.fivetools.texts.requirements import FEATS
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import ItemFields, entries, named_entries, source_of

FEATURE_TYPES = codes_of(FEATURES)
_FEAT_CATEGORIES = codes_of(FEATS)
_CASTERS = codes_of(CASTERS)


def species_fields(record: Species, source: str) -> ItemFields:
    """Return the fields of a race or a subrace."""
    fields: ItemFields = {}
    if parent := record.subspecies_of:
        own_name = re.fullmatch(rf"{re.escape(parent.name)} \((.*)\)", record.name)
        fields["name"] = own_name[1] if own_name else record.name
        fields |= {"raceName": parent.name, "raceSource": source_of(parent, source)}
    feet = re.fullmatch(r"(\d+) (?:ft\.|feet)", record.speed)
    return {
        **fields,
        "size": size_codes(record.size),
        "speed": int(feet[1]) if feet else record.speed,
        "entries": [*entries(record.text), *named_entries(record.traits)],
    }


def feat_fields(record: Feat) -> ItemFields:
    """Return the fields of a feat or of an optional feature."""
    fields: ItemFields = {"prerequisite": [{"other": record.prerequisite}] if record.prerequisite else None}
    if record.type in FEATURE_TYPES:
        return {**fields, "featureType": [FEATURE_TYPES[record.type]]}
    return {**fields, "category": _FEAT_CATEGORIES.get(record.type, record.type)}


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
