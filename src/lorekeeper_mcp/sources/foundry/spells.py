"""Spells."""

from __future__ import annotations

from collections.abc import Iterator

from lorekeeper_mcp.models import Kind, Record, Spell
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.foundry import names
from lorekeeper_mcp.sources.foundry.activity_texts import consumed
from lorekeeper_mcp.sources.foundry.item_values import (
    MODIFIER,
    activities,
    damage_parts,
    duration_text,
    further_texts,
    property_codes,
    range_text,
    unread_fields,
    uses_text,
)
from lorekeeper_mcp.sources.foundry.mechanics import activation_count, activation_text, head, mechanics
from lorekeeper_mcp.sources.imported import parent_key, slug
from lorekeeper_mcp.sources.json_values import JsonObject, decimal, part, text, texts, value_at
from lorekeeper_mcp.sources.spell_texts import spell_level
from lorekeeper_mcp.sources.stat_block import ability_key, bonus, sections_of, shown

_TIMES = {"action": "action", "bonus": "bonus-action", "reaction": "reaction"}
_READ_FIELDS = frozenset({"consume", "level", "school", "range", "materials", "sourceClass"})
_READ_PROPERTIES = frozenset({"vocal", "somatic", "material", "concentration", "ritual", "mgc"})
_RANGES = {"ft": ("feet", 1.0), "mi": ("miles", 1.0), "m": ("feet", 10 / 3), "km": ("miles", 0.625)}
_AREAS = frozenset({"cone", "cube", "cylinder", "line", "sphere", "radius", "square", "wall"})


def spell(document: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a spell. Raises ItemError if its level is not known."""
    level = spell_level(bonus(system.get("level")))
    properties, own_activities = property_codes(system), activities(system)
    activation, material = part(system, "activation"), part(system, "materials")
    school = str(system.get("school") or "")
    saves = [ability for activity in own_activities for ability in texts(value_at(activity, "save.ability"))]
    damages = [damage for source in (*own_activities, system) for damage in damage_parts(part(source, "damage"))]
    kinds = [kind for _, kinds in damages for kind in kinds.replace(",", " or").split(" or ") if kind]
    shape, size = _area(part(system, "target"))
    distance, distance_unit = _distance(part(system, "range"))
    fields = {
        **head(document, system, book, "spells", Kind.SPELL),
        "level": level,
        "school": names.SCHOOLS.get(school, slug(school) if school else ""),
        "casting_time": _casting_time(activation),
        "casting_time_text": activation_text(activation),
        "reaction_condition": text(activation, "condition"),
        "range": distance,
        "range_unit": distance_unit,
        "range_text": range_text(part(system, "range")),
        "verbal": "vocal" in properties,
        "somatic": "somatic" in properties,
        "material": "material" in properties or bool(text(material, "value")),
        "material_text": text(material, "value"),
        "material_cost": decimal(material.get("cost")) or None,
        "material_consumed": material.get("consumed") is True,
        "duration": duration_text(part(system, "duration")),
        "concentration": "concentration" in properties,
        "ritual": "ritual" in properties,
        "saving_throw": ability_key(saves[0] if saves else str(value_at(system, "save.ability") or "")),
        "damage_roll": next((dice.replace(MODIFIER, "") for dice, _ in damages if dice), ""),
        "attack_roll": any(activity.get("type") == "attack" for activity in own_activities)
        or system.get("actionType") in ("msak", "rsak"),
        "shape_type": shape,
        "shape_size": size,
        "shape_unit": "feet" if shape and size is not None else "",
        "classes": _classes(system),
        "damage_types": tuple(dict.fromkeys(kinds)),
    }
    omit = set(_parts_in_fields(system, len(damages)))
    facts = {
        "Uses": uses_text(system),
        "Properties": ", ".join(sorted(properties - _READ_PROPERTIES)),
        "Cost": consumed(part(system, "consume")),
    }
    other = (
        *sections_of(facts),
        *mechanics(
            system,
            omit=omit,
            omit_in_activities=omit & {"attack", "damage", "save"},
            record_text=" ".join(map(str, fields.values())),
        ),
        *unread_fields(system, _READ_FIELDS),
        *further_texts(document, system),
    )
    return Spell.model_validate({**fields, "other": other})


def _casting_time(activation: JsonObject) -> str:
    """``bonus-action``, ``10minutes``."""
    unit, count = str(activation.get("type") or ""), activation_count(activation)
    return _TIMES.get(unit, f"{count}{unit}{'s' if count != 1 else ''}" if unit else "")


def _distance(reach: JsonObject) -> tuple[float | None, str]:
    """The range of a spell, in feet or miles."""
    units, value = str(reach.get("units") or ""), decimal(reach.get("value"))
    if units in ("self", "touch"):
        return 0.0, "feet"
    if value is None or units not in _RANGES:
        return None, ""
    unit, factor = _RANGES[units]
    return value * factor, unit


def _parts_in_fields(system: JsonObject, damage_count: int) -> Iterator[str]:
    """The parts of a spell's mechanics that its fields have."""
    yield from ("activation", "range", "duration")
    attacks = (system, *(part(activity, "attack") for activity in activities(system)))
    if not any(attack.get("attackBonus") or attack.get("bonus") for attack in attacks):
        yield "attack"
    if damage_count <= 1 and not value_at(system, "damage.versatile"):
        yield "damage"
    if not value_at(system, "save.dc"):
        yield "save"
    affects = part(system, "target.affects")
    is_plain = text(affects, "type") in ("", "self", "creature") and not shown(affects.get("count"))
    if is_plain and not text(affects, "special") and affects.get("choice") is not True:
        yield "target"


def _area(target: JsonObject) -> tuple[str, float | None]:
    """The shape of a spell's area and its size in feet: in the target itself before version 4."""
    template = part(target, "template")
    shape = text(template, "type") or text(target, "type")
    size = bonus(template.get("size", target.get("value")))
    return (shape, float(size) if size is not None else None) if shape in _AREAS else ("", None)


def _classes(system: JsonObject) -> list[dict[str, str]]:
    """The class that a character's spell comes from; the application has no class spell lists."""
    kind, _, source = text(system, "sourceItem").partition(":")
    name = text(system, "sourceClass") or (source if kind == "class" else "")
    return [{"name": name.title(), "key": parent_key(name, {}, SRD_CLASSES)}] if name else []
