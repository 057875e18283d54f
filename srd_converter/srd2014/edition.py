"""All records of the SRD 5.1 as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import Record
from srd_converter.book2014.backgrounds import backgrounds
from srd_converter.book2014.class_features import class_letters, with_printed_features
from srd_converter.book2014.descriptions import with_descriptions
from srd_converter.book2014.priced_goods import services_and_goods
from srd_converter.book2014.printed_texts import with_printed_item, with_printed_spell
from srd_converter.book2014.proofreading import as_printed
from srd_converter.book2014.rules import rules
from srd_converter.book2014.species import species
from srd_converter.book2014.stat_blocks import with_printed_stat_block
from srd_converter.srd2014.classes import classes, with_printed_spells
from srd_converter.srd2014.creatures import creatures
from srd_converter.srd2014.document import DOCUMENT
from srd_converter.srd2014.equipment import equipment
from srd_converter.srd2014.feats import feats
from srd_converter.srd2014.magic_items import magic_items
from srd_converter.srd2014.references import references
from srd_converter.srd2014.spells import spells
from srd_converter.subclass_references import with_subclass_lists


def records() -> list[Record]:
    """Every record, the document first. What a class or its features have is not a rule as well."""
    options = [with_printed_spells(with_printed_features(option)) for option in classes()]
    book_rules = rules(without=class_letters(options))
    others = [
        *map(with_printed_spell, spells()),
        *map(with_printed_stat_block, creatures()),
        *equipment(),
        *services_and_goods(book_rules),
        *map(with_printed_item, magic_items()),
        *options,
        *species(book_rules),
        *backgrounds(book_rules),
        *feats(),
        *book_rules,
        *references(),
    ]
    described = with_descriptions(others, book_rules)
    return with_subclass_lists([DOCUMENT, *map(as_printed, described)])
