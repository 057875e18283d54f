"""Everything of the SRD 5.2 as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import EditionText, Record
from lorekeeper_mcp.sources.srd.revised import glossary
from lorekeeper_mcp.sources.srd.revised.book import read
from lorekeeper_mcp.sources.srd.revised.classes import classes
from lorekeeper_mcp.sources.srd.revised.creatures import creatures
from lorekeeper_mcp.sources.srd.revised.document import DOCUMENT
from lorekeeper_mcp.sources.srd.revised.gear import gear
from lorekeeper_mcp.sources.srd.revised.magic_items import magic_items
from lorekeeper_mcp.sources.srd.revised.origins import backgrounds, feats, species
from lorekeeper_mcp.sources.srd.revised.rules import rules
from lorekeeper_mcp.sources.srd.revised.spells import spells
from lorekeeper_mcp.sources.srd.revised.weapons import armor, properties, weapons


def records() -> tuple[list[Record], dict[str, EditionText]]:
    """Every record, the document first, and the texts of the conditions by their keys.

    A condition is one record for both editions, so its text of 2024 goes into that of 2014. Takes about two seconds.
    """
    book = read()
    terms = glossary.terms(book)
    found = [
        DOCUMENT,
        *spells(book),
        *creatures(book),
        *weapons(book),
        *armor(book),
        *gear(book),
        *magic_items(book),
        *properties(book),
        *classes(book),
        *species(book),
        *backgrounds(book),
        *feats(book),
        *rules(book),
        *glossary.rules(terms),
    ]
    return found, glossary.conditions(terms)
