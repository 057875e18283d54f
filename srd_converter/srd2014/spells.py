"""Spells, without the facts that ``book2014.spell_heads`` takes from the book."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import CastingOption, Kind, Ref, Spell
from lorekeeper_mcp.models.printed_values import damage_in, damage_types_in
from lorekeeper_mcp.models.vocabulary import ABILITY_BY_ABBREVIATION
from lorekeeper_mcp.sources.spell_form import material_consumed, material_cost, saving_throw
from srd_converter.spell_facts import spell_range
from srd_converter.srd2014.document import COMMON, key_of, ref
from srd_converter.srd2014.entries import Entry, paragraphs, read, refs

_TIMES = {"1 action": "action", "1 bonus action": "bonus-action", "1 reaction": "reaction"}

# The package has the price as a length.
_MATERIALS = {"magic-mouth": "Honeycomb and jade dust for 10 gp, consumed by the spell"}
# The class lists of the SRD 5.1 where the package's differ.
_CLASSES = {
    "arcane-eye": ("Wizard",),
    "create-food-and-water": ("Cleric", "Paladin"),
    "divination": ("Cleric",),
    "faerie-fire": ("Bard", "Druid"),
    "meld-into-stone": ("Cleric", "Druid"),
}
_FEET = re.compile(r"(\d+)[- ]?(?:foot|feet)\b")


def spells() -> list[Spell]:
    """Every spell."""
    return [_spell(entry) for entry in read("Spells")]


def _spell(entry: Entry) -> Spell:
    text = entry.description
    time = entry.text("casting_time")
    distance, unit = spell_range(entry.text("range"))
    area = entry.entry("area_of_effect")
    if area.text("size") not in _FEET.findall(text.replace(",", "")):
        area = Entry()  # the package files square feet and miles as the edge of a cube
    material = _MATERIALS.get(entry.index) or entry.text("material")
    return Spell(
        kind=Kind.SPELL,
        key=key_of(entry.name),
        name=entry.name,
        text=text,
        level=entry.integer("level"),
        casting_time=_TIMES.get(time, time.replace(" ", "")),
        range=distance,
        range_unit=unit,
        verbal="V" in entry.strings("components"),
        somatic="S" in entry.strings("components"),
        material="M" in entry.strings("components"),
        material_cost=material_cost(material),
        material_consumed=material_consumed(material),
        concentration=entry.flag("concentration"),
        ritual=entry.flag("ritual"),
        classes=_classes(entry),
        damage_types=_damage_types(entry, text),
        damage_roll=_damage_roll(entry),
        saving_throw=_saving_throw(entry, text),
        attack_roll=entry.has("attack_type") or "spell attack" in text,
        shape_type=area.text("type"),
        shape_size=area.number("size"),
        shape_unit="feet" if area.has("size") else "",
        higher_level=paragraphs(entry.strings("higher_level")),
        casting_options=_casting_options(entry),
        **COMMON,
    )


def _classes(entry: Entry) -> tuple[Ref, ...]:
    if names := _CLASSES.get(entry.index):
        return tuple(map(ref, names))
    return refs(entry.entries("classes"))


def _damage_types(entry: Entry, text: str) -> tuple[str, ...]:
    """The type that the package names, then those for which the text gives dice (ice storm deals two)."""
    main_type = entry.entry("damage").entry("damage_type").index
    types = [type_ for _, phrase in damage_in(text.lower()) for type_ in damage_types_in(phrase)]
    return tuple(dict.fromkeys([main_type, *types] if main_type else types))


def _rolls(entry: Entry, key: str) -> dict[int, str]:
    """Level of the slot or the character -> dice, without spaces."""
    table = entry.entry("damage").entry(key)
    return {int(level): table.text(level).replace(" ", "") for level in table.fields}


def _damage_roll(entry: Entry) -> str:
    rolls = _rolls(entry, "damage_at_slot_level") or _rolls(entry, "damage_at_character_level")
    return rolls[min(rolls)] if rolls else ""


def _saving_throw(entry: Entry, text: str) -> str:
    abbreviation = entry.entry("dc").entry("dc_type").index
    return ABILITY_BY_ABBREVIATION.get(abbreviation) or saving_throw(text)


def _casting_options(entry: Entry) -> tuple[CastingOption, ...]:
    """The damage at higher slots and levels; the lowest one is the spell itself. Healing is in the text."""
    return (
        *_higher("slot_level", _rolls(entry, "damage_at_slot_level")),
        *_higher("player_level", _rolls(entry, "damage_at_character_level")),
    )


def _higher(prefix: str, rolls: dict[int, str]) -> list[CastingOption]:
    return [CastingOption(type=f"{prefix}_{level}", damage_roll=rolls[level]) for level in sorted(rolls)[1:]]
