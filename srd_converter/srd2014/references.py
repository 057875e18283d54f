"""Conditions, skills, languages and the other short lists, under Open5e's bare keys."""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Ref, Reference
from srd_converter.srd2014.document import COMMON
from srd_converter.srd2014.entries import Entry, listed, paragraphs, read, refs
from srd_converter.srd2014.names import equipment_ref, magic_item_ref

# Open5e's keys of sets with other names in the package.
_ITEM_SETS = {"arcane-foci": "arcane-focuses", "druidic-foci": "druidic-focuses"}


def references() -> list[Reference]:
    """Every record of the short lists."""
    return [
        *(_plain(Kind.CONDITION, entry) for entry in read("Conditions")),
        *(_skill(entry) for entry in read("Skills")),
        *(_ability(entry) for entry in read("AbilityScores")),
        *(_plain(Kind.DAMAGE_TYPE, entry) for entry in read("DamageTypes")),
        *(_plain(Kind.MAGIC_SCHOOL, entry) for entry in read("MagicSchools")),
        *(_alignment(entry) for entry in read("Alignments")),
        *(_language(entry) for entry in read("Languages")),
        *(_weapon_property(entry) for entry in read("WeaponProperties")),
        *(_special_property(entry) for entry in read("Equipment") if entry.has("special")),
        *(_proficiency(entry) for entry in read("Proficiencies")),
        *(_item_set(entry) for entry in read("EquipmentCategories")),
    ]


def _plain(kind: Kind, entry: Entry) -> Reference:
    return Reference(kind=kind, key=entry.index, name=entry.name, text=entry.description, **COMMON)


def _skill(entry: Entry) -> Reference:
    return _plain(Kind.SKILL, entry).model_copy(update={"ability": entry.entry("ability_score").index})


def _ability(entry: Entry) -> Reference:
    """An ability; the package uses its abbreviation as its name."""
    update = {
        "name": entry.text("full_name"),
        "short_name": entry.name,
        "members": refs(entry.entries("skills"), prefix=""),
    }
    return _plain(Kind.ABILITY_SCORE, entry).model_copy(update=update)


def _alignment(entry: Entry) -> Reference:
    """An alignment; ``neutral`` is neutral in both respects."""
    words = entry.index.split("-")
    update = {"short_name": entry.text("abbreviation"), "societal_attitude": words[0], "morality": words[-1]}
    return _plain(Kind.ALIGNMENT, entry).model_copy(update=update)


def _language(entry: Entry) -> Reference:
    speakers = listed(entry.strings("typical_speakers"), "and")
    update = {
        "text": paragraphs([entry.description, f"Typical speakers: {speakers}."]),
        "is_exotic": entry.text("type") == "Exotic",
        "is_secret": False,
        "script": entry.text("script").lower(),
        "speakers": speakers,
    }
    return _plain(Kind.LANGUAGE, entry).model_copy(update=update)


def _weapon_property(entry: Entry) -> Reference:
    return _plain(Kind.WEAPON_PROPERTY, entry).model_copy(update={"key": f"srd-2014_{entry.index}-wp"})


def _special_property(weapon: Entry) -> Reference:
    """The rule of a single weapon, which Open5e lists among the properties."""
    return Reference(
        kind=Kind.WEAPON_PROPERTY,
        key=f"srd-2014_{weapon.index}-special-wp",
        name=f"Special ({weapon.name})",
        text=paragraphs(weapon.strings("special")),
        **COMMON,
    )


def _proficiency(entry: Entry) -> Reference:
    """A proficiency with the classes and species that have it."""
    return Reference(
        kind=Kind.PROFICIENCY,
        key=f"srd_{entry.index}",
        name=entry.name,
        type=entry.text("type"),
        members=refs([*entry.entries("classes"), *entry.entries("races")]),
        **COMMON,
    )


def _item_set(entry: Entry) -> Reference:
    """A set of items such as the holy symbols."""
    return Reference(
        kind=Kind.ITEM_SET,
        key=_ITEM_SETS.get(entry.index, entry.index),
        name=entry.name,
        members=tuple(map(_member, entry.entries("equipment"))),
        **COMMON,
    )


def _member(entry: Entry) -> Ref:
    return magic_item_ref(entry) if "magic-items" in entry.text("url") else equipment_ref(entry)
