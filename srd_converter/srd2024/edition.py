"""All records of the SRD 5.2 as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import EditionText, Record
from srd_converter.book2024 import glossary
from srd_converter.book2024.class_rules import class_rules
from srd_converter.book2024.pages import read
from srd_converter.book2024.priced_goods import services_and_goods
from srd_converter.book2024.rules import rules
from srd_converter.srd2024.classes import classes
from srd_converter.srd2024.creatures import creatures
from srd_converter.srd2024.document import DOCUMENT
from srd_converter.srd2024.gear import gear
from srd_converter.srd2024.magic_items import magic_items
from srd_converter.srd2024.origins import backgrounds, feats, species
from srd_converter.srd2024.spells import spells
from srd_converter.srd2024.weapons import armor, properties, weapons
from srd_converter.subclass_references import with_subclass_lists


def records() -> tuple[list[Record], dict[str, EditionText]]:
    """Every record, the document first, and the texts of the conditions by their keys.

    A condition is one record for both editions, so its text of 2024 goes into that of 2014. Takes about two seconds.
    """
    book = read()
    terms = glossary.terms(book)
    chapters = rules(book)
    others = [
        DOCUMENT,
        *spells(book),
        *creatures(book),
        *weapons(book),
        *armor(book),
        *gear(book),
        *services_and_goods(chapters),
        *magic_items(book),
        *properties(book),
        *classes(book),
        *species(book),
        *backgrounds(book),
        *feats(book),
        *chapters,
        *class_rules(book),
        *glossary.rules(terms),
    ]
    return with_subclass_lists(others), glossary.conditions(terms)
