"""Everything of the SRD 5.2 as one list."""

from __future__ import annotations

from lorekeeper_mcp.models import CharacterClass, EditionText, Kind, Record, Ref, Spell
from lorekeeper_mcp.text import slugify
from srd_converter.book2024 import glossary
from srd_converter.book2024.class_rules import class_rules
from srd_converter.book2024.pages import read
from srd_converter.book2024.rules import rules
from srd_converter.book2024.wares import services_and_goods
from srd_converter.srd2024.classes import classes
from srd_converter.srd2024.creatures import creatures
from srd_converter.srd2024.document import DOCUMENT
from srd_converter.srd2024.gear import gear
from srd_converter.srd2024.magic_items import magic_items
from srd_converter.srd2024.origins import backgrounds, feats, species
from srd_converter.srd2024.spells import spells
from srd_converter.srd2024.weapons import armor, properties, weapons


def records() -> tuple[list[Record], dict[str, EditionText]]:
    """Every record, the document first, and the texts of the conditions by their keys.

    A condition is one record for both editions, so its text of 2024 goes into that of 2014. Takes about two seconds.
    """
    book = read()
    terms = glossary.terms(book)
    told = rules(book)
    found = [
        DOCUMENT,
        *spells(book),
        *creatures(book),
        *weapons(book),
        *armor(book),
        *gear(book),
        *services_and_goods(told),
        *magic_items(book),
        *properties(book),
        *classes(book),
        *species(book),
        *backgrounds(book),
        *feats(book),
        *told,
        *class_rules(book),
        *glossary.rules(terms),
    ]
    return _with_subclass_lists(found), glossary.conditions(terms)


def _with_subclass_lists(records: list[Record]) -> list[Record]:
    """The same with each spell naming the subclasses that have it in a table of their features."""
    owners: dict[str, list[Ref]] = {}
    for record in records:
        if isinstance(record, CharacterClass) and record.kind is Kind.SUBCLASS:
            tables = (feature.text for feature in record.features if feature.name.endswith(" Spells"))
            rows = [line.strip("| ").split("|")[-1] for text in tables for line in text.splitlines() if line[:1] == "|"]
            for slug in dict.fromkeys(slugify(name) for row in rows for name in row.split(",")):
                owners.setdefault(slug, []).append(Ref(name=record.name, key=record.key))
    return [
        record.model_copy(update={"subclasses": tuple(owners.get(slugify(record.name), ()))})
        if isinstance(record, Spell)
        else record
        for record in records
    ]
