"""The adapter of each endpoint."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.corrections import corrected
from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.open5e.adapters import equipment, equipment_v1, options, rules
from lorekeeper_mcp.sources.open5e.adapters.classes import archived_subclass, character_class
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.creatures import creature
from lorekeeper_mcp.sources.open5e.adapters.creatures_v1 import archived_creature
from lorekeeper_mcp.sources.open5e.adapters.item_bases import with_base
from lorekeeper_mcp.sources.open5e.adapters.record_head import AdaptError, Context, Open5eFields, common_fields
from lorekeeper_mcp.sources.open5e.adapters.references import reference
from lorekeeper_mcp.sources.open5e.adapters.spells import spell
from lorekeeper_mcp.sources.open5e.adapters.spells_v1 import archived_spell
from lorekeeper_mcp.sources.open5e.book_texts import with_book_texts
from lorekeeper_mcp.sources.open5e.edition_texts import with_edition_texts
from lorekeeper_mcp.sources.open5e.endpoints import SUPPLEMENTS
from lorekeeper_mcp.sources.open5e.record_repairs import clean_record
from lorekeeper_mcp.sources.open5e.supplement import supplied

log = logging.getLogger(__name__)
Adapter: TypeAlias = Callable[[Open5eFields, Served, Context], Record]

ADAPTERS: Mapping[str, tuple[Kind, Adapter]] = {
    "v2/abilities": (Kind.ABILITY_SCORE, reference),
    "v2/alignments": (Kind.ALIGNMENT, reference),
    "v2/armor": (Kind.ARMOR, equipment.armor),
    "v2/backgrounds": (Kind.BACKGROUND, options.background),
    "v2/classes": (Kind.CLASS, character_class),
    "v2/conditions": (Kind.CONDITION, reference),
    "v2/creatures": (Kind.CREATURE, creature),
    "v2/creaturesets": (Kind.CREATURE_SET, reference),
    "v2/creaturetypes": (Kind.CREATURE_TYPE, reference),
    "v2/damagetypes": (Kind.DAMAGE_TYPE, reference),
    "v2/documents": (Kind.DOCUMENT, rules.document),
    "v2/environments": (Kind.ENVIRONMENT, reference),
    "v2/feats": (Kind.FEAT, options.feat),
    "v2/gamesystems": (Kind.GAME_SYSTEM, rules.game_system),
    "v2/images": (Kind.IMAGE, reference),
    "v2/itemcategories": (Kind.ITEM_CATEGORY, reference),
    "v2/itemrarities": (Kind.ITEM_RARITY, reference),
    "v2/items": (Kind.ITEM, equipment.item),
    "v2/itemsets": (Kind.ITEM_SET, reference),
    "v2/languages": (Kind.LANGUAGE, reference),
    "v2/licenses": (Kind.LICENSE, reference),
    "v2/magicitems": (Kind.MAGIC_ITEM, equipment.magic_item),
    "v2/publishers": (Kind.PUBLISHER, reference),
    "v2/rules": (Kind.RULE, rules.rule),
    "v2/rulesets": (Kind.RULE_SET, rules.rule_set),
    "v2/services": (Kind.SERVICE, equipment.service),
    "v2/sizes": (Kind.SIZE, reference),
    "v2/skills": (Kind.SKILL, reference),
    "v2/species": (Kind.SPECIES, options.species),
    "v2/spells": (Kind.SPELL, spell),
    "v2/spellschools": (Kind.MAGIC_SCHOOL, reference),
    "v2/weaponproperties": (Kind.WEAPON_PROPERTY, reference),
    "v2/weapons": (Kind.WEAPON, equipment.weapon),
    "v1/armor": (Kind.ARMOR, equipment_v1.armor),
    "v1/backgrounds": (Kind.BACKGROUND, options.archived_background),
    "v1/classes": (Kind.SUBCLASS, archived_subclass),
    "v1/feats": (Kind.FEAT, options.archived_feat),
    "v1/monsters": (Kind.CREATURE, archived_creature),
    "v1/magicitems": (Kind.MAGIC_ITEM, equipment_v1.magic_item),
    "v1/planes": (Kind.PLANE, rules.plane),
    "v1/races": (Kind.SPECIES, options.archived_species),
    "v1/spells": (Kind.SPELL, archived_spell),
    "v1/weapons": (Kind.WEAPON, equipment_v1.weapon),
}


def to_record(endpoint: str, served: object, context: Context) -> Record:
    """Adapt a served record of an endpoint such as ``v2/spells``, with known errors corrected.

    Parts of an SRD's entry that Open5e omits are supplied from the book. Texts are cleaned after that, since
    corrections are compared with the served text, and then compared with the texts of the book.

    Odd, missing and additional fields are tolerated. Raises AdaptError if the value is no record
    at all: not an object, or an object with neither key nor name.
    """
    served_record = to_record_uncorrected(endpoint, served, context)
    if endpoint in SUPPLEMENTS:  # only a part of a record: missing fields are not errors
        return clean_record(served_record)
    return _noted_once(with_edition_texts(with_book_texts(clean_record(supplied(with_base(corrected(served_record)))))))


def _noted_once(record: Record) -> Record:
    """The record with one note for each corrected field: the first, which says what Open5e says."""
    first = {note.field: note for note in reversed(record.corrections)}
    if len(first) == len(record.corrections):
        return record
    return record.model_copy(update={"corrections": tuple(reversed(first.values()))})


def to_record_uncorrected(endpoint: str, served: object, context: Context) -> Record:
    """Adapt a record, without corrections."""
    if endpoint not in ADAPTERS:
        raise AdaptError(f"{endpoint} is no endpoint that records are taken from; those are {', '.join(ADAPTERS)}.")
    if not isinstance(served, dict):
        raise AdaptError(f"{endpoint} served a {type(served).__name__} where a record was expected.")
    kind, adapter = ADAPTERS[endpoint]
    cleaned, invisible = visible(served)
    if invisible and isinstance(cleaned, dict):
        log.info("%s: %d characters that nobody sees were removed from a record.", endpoint, invisible)
        served = cleaned
    return adapter(common_fields(endpoint, served, context, kind), served, context)
