"""Checks of spells, equipment, classes and rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rapidfuzz import fuzz

from lorekeeper_mcp.models import CharacterClass, Edition, Equipment, Kind, Rule, Spell
from lorekeeper_mcp.text import fold

_UPCAST = re.compile(r"slot of (\d)(?:st|nd|rd|th) level or higher", re.IGNORECASE)
_AT_LEVEL = re.compile(r"(?:Starting|Beginning|At|When you reach|From) (?:at )?\d+(?:st|nd|rd|th) level", re.IGNORECASE)
_BASES = {"light": (11, 13), "medium": (12, 16), "heavy": (14, 19)}
_MIN_SIMILARITY = 60  # of 100; a key with a typing error still belongs to the name
_COSTLY = re.compile(r"worth (?:at least )?([\d,]+) ?gp", re.IGNORECASE)


def check_spell_level(record: Spell) -> Iterator[str]:
    """A higher slot is at least the next level; a cantrip has no slots."""
    match = _UPCAST.search(record.higher_level)
    if match and int(match[1]) <= record.level:
        yield f"level {record.level}, but more with a slot of level {match[1]}"
    if record.level == 0 and any(option.type.startswith("slot_level") for option in record.casting_options):
        yield "a cantrip with options for spell slots"
    if not 0 <= record.level <= 9:
        yield f"level {record.level}"


def check_spell_classes(record: Spell) -> Iterator[str]:
    """Every spell of an SRD is on a class's list."""
    if record.document_key in ("srd-2014", "srd-2024") and not record.classes:
        yield "on no class's list"


def check_material(record: Spell) -> Iterator[str]:
    """A material is named if and only if there is a material component."""
    if record.material_text.strip() and not record.material:
        yield "a material without the component M"
    match = _COSTLY.search(record.material_text)
    cost = float(match[1].replace(",", "")) if match else None
    if cost is not None and record.material_cost is not None and cost > record.material_cost:
        yield f"a material worth {cost:g} gp, but a cost of {record.material_cost:g} gp"


def check_concentration(record: Spell) -> Iterator[str]:
    """An instantaneous spell needs no concentration; the duration and the flag agree."""
    if record.concentration and record.duration.strip().lower() == "instantaneous":
        yield "concentration on something instantaneous"
    if "concentration" in record.duration.lower() and not record.concentration:
        yield f"duration {record.duration}, but no concentration"


def check_ritual(record: Spell) -> Iterator[str]:
    """No ritual takes a reaction."""
    if record.ritual and record.casting_time == "reaction":
        yield "a ritual that is a reaction"


def check_equipment(record: Equipment) -> Iterator[str]:
    """Weapons have damage, or a property that explains why not; armor adds up; magic items have a rarity."""
    weapon, armor = record.weapon, record.armor
    if record.kind is Kind.WEAPON and weapon:
        names = {prop.name.lower() for prop in weapon.properties}
        if not weapon.damage_dice and not any("special" in name or "net" in name for name in names):
            yield "a weapon without damage"
        if weapon.range and weapon.long_range and weapon.long_range < weapon.range:
            yield f"a long range of {weapon.long_range:g} ft. below the range of {weapon.range:g} ft."
        if weapon.range and not names & {"thrown", "ammunition"}:
            yield f"a range of {weapon.range:g} ft. but neither thrown nor with ammunition"
        if "versatile" in names and not weapon.two_handed_damage:
            yield "versatile without damage for two hands"
    if record.kind is Kind.ARMOR and armor and armor.ac_base is not None and armor.category in _BASES:
        low, high = _BASES[armor.category]
        if not low <= armor.ac_base <= high:
            yield f"{armor.category} armor with an armor class of {armor.ac_base}"
    if record.kind is Kind.MAGIC_ITEM and not record.rarity and not record.rarity_text:
        yield "a magic item without rarity"


def check_character_class(record: CharacterClass) -> Iterator[str]:
    """A class has features and a hit die, and with 20 levels a table. A feature's level is the one in its text."""
    if not record.features:
        yield "no features"
    for feature in record.features:
        if not feature.levels and (match := _AT_LEVEL.match(feature.text)):
            yield f"{feature.name} has no level, but its text says {match[0]!r}"
    texts = Counter(feature.text for feature in record.features if feature.text)
    yield from (f"{count} features with the text {text[:40]!r}" for text, count in texts.items() if count > 1)
    if record.kind is Kind.CLASS:
        if not record.hit_dice:
            yield "no hit die"
        levels = {level for feature in record.features for level in feature.levels}
        if levels and max(levels) < 15:
            yield f"no feature after level {max(levels)}"


def check_rule_name(record: Rule) -> Iterator[str]:
    """The last part of a rule's key is its name; keys of the SRD 5.2 are shorter than names."""
    slug = record.key.rpartition("_")[2]
    of_2014 = record.kind is Kind.RULE and record.section and Edition.E2014 in record.editions
    if of_2014 and fuzz.token_set_ratio(slug.replace("-", " "), fold(record.name)) < _MIN_SIMILARITY:
        yield f"the key ends in {slug}, the name is {record.name}"
