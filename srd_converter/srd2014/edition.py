"""Everything of the SRD 5.1 as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import Record
from srd_converter.book2014 import features, official
from srd_converter.book2014.rules import rules
from srd_converter.book2014.wares import services_and_goods
from srd_converter.srd2014.characters import backgrounds, feats, species
from srd_converter.srd2014.classes import classes
from srd_converter.srd2014.creatures import creatures
from srd_converter.srd2014.document import DOCUMENT
from srd_converter.srd2014.equipment import equipment
from srd_converter.srd2014.magic_items import magic_items
from srd_converter.srd2014.reference import references
from srd_converter.srd2014.spells import spells


def records() -> list[Record]:
    """Every record, the document first. Of the classes' chapters what their features hold is no rule as well."""
    options = [features.with_official_texts(option) for option in classes()]
    told = rules(without=features.hold(options))
    return [
        DOCUMENT,
        *map(official.spell, spells()),
        *map(official.creature, creatures()),
        *equipment(),
        *services_and_goods(told),
        *map(official.magic_item, magic_items()),
        *options,
        *species(),
        *backgrounds(),
        *feats(),
        *told,
        *references(),
    ]
