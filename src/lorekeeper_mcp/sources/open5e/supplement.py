"""Supplies parts of an SRD entry that Open5e's copy omits from the embedded book's text of the entry."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TypeVar

from lorekeeper_mcp.models import Change, Edition, Equipment, Feature, Kind, Record, Section, Senses, WeaponProperty
from lorekeeper_mcp.sources import srd
from lorekeeper_mcp.sources.open5e.book_texts import SOURCES
from lorekeeper_mcp.sources.open5e.stat_blocks.action_limits import plain_name
from lorekeeper_mcp.text import fold, letters

R = TypeVar("R", bound=Record)
_FIELDS: Mapping[str, Mapping[Kind, Sequence[str]]] = {
    "srd-2014": {
        Kind.CREATURE: ("text", "legendary_text", "traits", "senses"),
        Kind.CLASS: ("table",),
        Kind.SUBCLASS: ("text",),
        Kind.SPELL: ("casting_time_text", "duration", "range_text", "subclasses"),
        Kind.MAGIC_ITEM: ("weapon", "armor", "weight"),
    },
    "srd-2024": {
        Kind.CREATURE: ("legendary_text", "traits", "senses"),
        Kind.SPELL: ("casting_time_text", "duration", "reaction_condition", "subclasses"),
        Kind.CLASS: ("primary_abilities", "features", "table"),
        Kind.FEAT: ("benefits",),
        Kind.SPECIES: ("text", "traits"),
        Kind.MAGIC_ITEM: ("weapon", "armor", "weight"),
    },
}
_PRINTED = frozenset({"casting_time_text", "duration", "range_text"})  # as the book prints them: "Up to 1 hour"
_PROPERTY_BOOKS = {Edition.E2014: "srd-2014", Edition.E2024: "srd-2024"}


def supplied(record: R) -> R:
    """Return an SRD record with the parts that Open5e omits, each field noted in its ``corrections``.

    For the SRD 5.2: a creature's gear, coven magic and number of legendary actions, the trigger of a smite, a class's
    primary abilities and how to become one, a species' creature type and the names of a boon's benefits. For both: the
    limits of senses, the level tables of the classes, the subclasses whose own spell list has a spell, durations and
    casting times as printed ("Up to 1 hour"), and the statistics of the weapon or armor that a magic item is made of.
    For the SRD 5.1: the area of a range, introductions to a subclass or a creature, the number of its legendary
    actions, traits, and texts of weapon properties. Open5e's other values stay; texts are merged after this.
    """
    changes: Mapping[str, Change] = {}
    if record.kind in _FIELDS.get(record.document_key, ()):
        changes = _left_out(record)
    if isinstance(record, Equipment):
        changes = {**changes, **_property_changes(record)}
    return record.amended(changes, SOURCES.get(record.document_key, SOURCES["srd-2014"]))


def _left_out(record: Record) -> dict[str, Change]:
    changes: dict[str, Change] = {}
    entry = srd.record_of(record.id)
    for name in _FIELDS[record.document_key][record.kind] if entry else ():
        served, own = getattr(record, name), getattr(entry, name)
        change = None
        if name in ("traits", "features"):
            change = _sections(served, own)
        elif name == "benefits":
            change = _named(served, own)
        elif name == "senses":
            change = _limited(served, own)
        elif own and name == "table":
            change = ("columns without what is gained at each level", own)
        elif own and name in _PRINTED and served != own:
            change = (served, own)
        elif own and not served:
            change = ("nothing", own)
        if change is not None:
            changes[name] = change
    return changes


def _limited(served: Senses, own: Senses) -> Change | None:
    """The senses with the book's line if that limits them: "blind beyond this radius"."""
    if served.text or "(" not in own.text:
        return None
    return "ranges alone", served.model_copy(update={"text": own.text})


def _sections(served: Sequence[Section | Feature], own: Sequence[Section | Feature]) -> Change | None:
    """Add the sections that Open5e lacks, each in its place in the book. Uses per day are not part of a name."""
    known = {plain_name(section.name) for section in served}
    whole, added = list(served), []
    for place, section in enumerate(own):
        if plain_name(section.name) not in known:
            whole.insert(place, section)
            added.append(section.name)
    return (f"nothing of {', '.join(added)}", tuple(whole)) if added else None


def _named(served: Sequence[str], own: Sequence[str]) -> Change | None:
    """Name the benefits that Open5e has without the book's names: ``**Name.** What it does.``"""
    texts = {fold(text.partition(".** ")[2]): text for text in own}
    named = tuple(texts.get(fold(benefit), benefit) for benefit in served)
    return ("the same without names", named) if named != served else None


def _property_changes(record: Equipment) -> dict[str, Change]:
    """The texts of weapon properties that lack a part of the SRD's, also of other books' magic weapons."""
    edition = next(iter(record.editions), None)
    if record.weapon is None or edition not in _PROPERTY_BOOKS:
        return {}
    texts = _property_texts(_PROPERTY_BOOKS[edition])
    whole = tuple(_with_whole_text(prop, texts.get(fold(prop.name), "")) for prop in record.weapon.properties)
    added = [new.name for new, old in zip(whole, record.weapon.properties, strict=True) if new != old]
    part = "no text" if all(not prop.text for prop in record.weapon.properties if prop.name in added) else "a part"
    weapon = record.weapon.model_copy(update={"properties": whole})
    return {"weapon": (f"{part} of {', '.join(added)}", weapon)} if added else {}


def _with_whole_text(prop: WeaponProperty, own: str) -> WeaponProperty:
    served, text = letters(prop.text), letters(own)
    return prop.model_copy(update={"text": own}) if served != text and served in text else prop


@functools.cache
def _property_texts(document: str) -> Mapping[str, str]:
    """Name -> text of an SRD's weapon properties."""
    records = (record for record in srd.records() if record.document_key == document)
    weapons = (record.weapon for record in records if isinstance(record, Equipment) and record.weapon)
    return {fold(prop.name): prop.text for weapon in weapons for prop in weapon.properties if prop.text}
