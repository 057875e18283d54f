"""The adapter of each endpoint."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping
from typing import TypeAlias

from lorekeeper_mcp.models import Kind, Record
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.invisible import visible
from lorekeeper_mcp.sources.open5e.adapters import equipment, options, rules
from lorekeeper_mcp.sources.open5e.adapters.creatures import archived_creature, creature
from lorekeeper_mcp.sources.open5e.adapters.served import AdaptError, Context, Open5eFields, Served, common_fields
from lorekeeper_mcp.sources.open5e.adapters.spells import archived_spell, spell
from lorekeeper_mcp.sources.open5e.book_records import completed_book_record, with_book_values
from lorekeeper_mcp.sources.open5e.endpoints import ENDPOINTS, SUPPLEMENTS
from lorekeeper_mcp.sources.open5e.text_rules import clean_fields
from lorekeeper_mcp.sources.srd.item_bases import Bases, bases_of, with_base

log = logging.getLogger(__name__)
Adapter: TypeAlias = Callable[[Open5eFields, Served, Context], Record]

# Those of the endpoints with more than reference lists.
_ADAPTERS: Mapping[str, Adapter] = {
    "v2/armor": equipment.armor,
    "v2/backgrounds": options.background,
    "v2/classes": options.character_class,
    "v2/creatures": creature,
    "v2/documents": rules.document,
    "v2/feats": options.feat,
    "v2/gamesystems": rules.game_system,
    "v2/items": equipment.item,
    "v2/magicitems": equipment.magic_item,
    "v2/rules": rules.rule,
    "v2/rulesets": rules.rule_set,
    "v2/services": equipment.service,
    "v2/species": options.species,
    "v2/spells": spell,
    "v2/weapons": equipment.weapon,
    "v1/armor": equipment.archived_armor,
    "v1/backgrounds": options.archived_background,
    "v1/classes": options.archived_subclass,
    "v1/feats": options.archived_feat,
    "v1/monsters": archived_creature,
    "v1/magicitems": equipment.archived_magic_item,
    "v1/planes": rules.plane,
    "v1/races": options.archived_species,
    "v1/spells": archived_spell,
    "v1/weapons": equipment.archived_weapon,
}
ADAPTERS: Mapping[str, tuple[Kind, Adapter]] = {
    endpoint.path: (endpoint.kind, _ADAPTERS.get(endpoint.path, rules.reference)) for endpoint in ENDPOINTS
}


def to_record(endpoint: str, served: object, context: Context) -> Record:
    """Adapt a served record of an endpoint such as ``v2/spells``, with clean texts, before corrections.

    An entry of an embedded book becomes the book's record. Odd, missing and additional fields are tolerated. Raises
    AdaptError if the value is no record at all: not an object, or an object with neither key nor name.
    """
    record = to_record_uncorrected(endpoint, clean_fields(served), context)
    if endpoint in SUPPLEMENTS:  # only a part of a record: missing fields are not errors
        return record
    if (book := srd.record_of(record.id)) is not None:
        return completed_book_record(book, record)
    return with_base(with_book_values(record), _bases())


@functools.cache
def _bases() -> Bases:
    return bases_of(srd.records())


def to_record_uncorrected(endpoint: str, served: object, context: Context) -> Record:
    """Adapt a record with its texts as they are, and with nothing from the books."""
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
