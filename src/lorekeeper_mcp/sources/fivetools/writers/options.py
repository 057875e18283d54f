"""Species and feats as the fields of 5etools items."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import Feat, Species
from lorekeeper_mcp.sources.fivetools.codes import codes_of, size_codes
from lorekeeper_mcp.sources.fivetools.options import FEATURES
from lorekeeper_mcp.sources.fivetools.texts.requirements import FEATS
from lorekeeper_mcp.sources.fivetools.writers.entry_writer import entries, named_entries
from lorekeeper_mcp.sources.fivetools.writers.item_fields import ItemFields, source_of

FEATURE_TYPES = codes_of(FEATURES)
_FEAT_CATEGORIES = codes_of(FEATS)


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
