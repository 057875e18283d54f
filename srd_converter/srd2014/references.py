"""Conditions, skills, languages and the other short lists, under Open5e's bare keys."""

from __future__ import annotations

from lorekeeper_mcp.models import Kind, Ref, Reference
from lorekeeper_mcp.text import slugify
from srd_converter.srd2014.document import COMMON
from srd_converter.srd2014.entries import Entry, listed, paragraphs, read, refs
from srd_converter.srd2014.names import equipment_ref, magic_item_ref

# Open5e's keys of sets with other names in the package.
_ITEM_SETS = {"arcane-foci": "arcane-focuses", "druidic-foci": "druidic-focuses"}


def references() -> list[Reference]:
    """Every record of the short lists."""
    return [
        *(_reference(Kind.CONDITION, entry) for entry in read("Conditions")),
        *(_skill(entry) for entry in read("Skills")),
        *(_ability(entry) for entry in read("AbilityScores")),
        *(_reference(Kind.DAMAGE_TYPE, entry) for entry in read("DamageTypes")),
        *(_reference(Kind.MAGIC_SCHOOL, entry) for entry in read("MagicSchools")),
        *(_alignment(entry) for entry in read("Alignments")),
        *(_language(entry) for entry in read("Languages")),
        *(_weapon_property(entry) for entry in read("WeaponProperties")),
        *(_special_property(entry) for entry in read("Equipment") if entry.has("special")),
        *(_proficiency(entry) for entry in read("Proficiencies")),
        *(_item_set(entry) for entry in read("EquipmentCategories")),
    ]


def _reference(kind: Kind, entry: Entry, **changes: object) -> Reference:
    record = Reference(kind=kind, key=entry.index, name=entry.name, text=entry.description, **COMMON)
    return record.model_copy(update=changes)


def _skill(entry: Entry) -> Reference:
    return _reference(Kind.SKILL, entry, ability=entry.entry("ability_score").index)


def _ability(entry: Entry) -> Reference:
    """An ability; the package uses its abbreviation as its name."""
    skills = refs(entry.entries("skills"), prefix="")
    return _reference(Kind.ABILITY_SCORE, entry, name=entry.text("full_name"), short_name=entry.name, members=skills)


def _alignment(entry: Entry) -> Reference:
    """An alignment; ``neutral`` is neutral in both respects."""
    words = entry.index.split("-")
    abbreviation = entry.text("abbreviation")
    return _reference(Kind.ALIGNMENT, entry, short_name=abbreviation, societal_attitude=words[0], morality=words[-1])


def _language(entry: Entry) -> Reference:
    speakers = listed(entry.strings("typical_speakers"), "and")
    return _reference(
        Kind.LANGUAGE,
        entry,
        text=paragraphs([entry.description, f"Typical speakers: {speakers}."]),
        is_exotic=entry.text("type") == "Exotic",
        is_secret=False,
        script=entry.text("script").lower(),
        speakers=speakers,
    )


def _weapon_property(entry: Entry) -> Reference:
    return _reference(Kind.WEAPON_PROPERTY, entry, key=f"srd-2014_{entry.index}-wp")


def _special_property(weapon: Entry) -> Reference:
    """The rule of a single weapon, which Open5e lists among the properties."""
    return _reference(
        Kind.WEAPON_PROPERTY,
        weapon,
        key=f"srd-2014_{weapon.index}-special-wp",
        name=f"Special ({weapon.name})",
        text=paragraphs(weapon.strings("special")),
    )


def _proficiency(entry: Entry) -> Reference:
    """A proficiency with the classes and species that have it."""
    owners = [*entry.entries("classes"), *entry.entries("races")]
    for trait in read("Traits"):
        if entry.index in [proficiency.index for proficiency in trait.entries("proficiencies")]:
            owners += [*trait.entries("races"), *trait.entries("subraces")]
    members = tuple(dict.fromkeys(refs(owners)))
    return _reference(Kind.PROFICIENCY, entry, key=f"srd_{entry.index}", type=entry.text("type"), members=members)


def _item_set(entry: Entry) -> Reference:
    """A set of items such as the holy symbols, each once. The package's sets of mounts lack two of them."""
    mounts = [item for item in read("Equipment") if entry.index in _mount_sets(item)]
    items = tuple(dict.fromkeys(map(_member, [*entry.entries("equipment"), *mounts])))
    return _reference(Kind.ITEM_SET, entry, key=_ITEM_SETS.get(entry.index, entry.index), members=items)


def _mount_sets(item: Entry) -> tuple[str, ...]:
    """The sets that a mount or a vehicle is in, by its two categories."""
    category = item.text("vehicle_category")
    return (slugify(category), item.entry("equipment_category").index) if category else ()


def _member(entry: Entry) -> Ref:
    return magic_item_ref(entry) if "magic-items" in entry.text("url") else equipment_ref(entry)
