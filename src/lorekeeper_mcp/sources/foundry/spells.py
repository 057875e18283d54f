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
    damages,
    duration_text,
    further_texts,
    marks,
    range_text,
    unread_fields,
    uses,
)
from lorekeeper_mcp.sources.foundry.mechanics import activation, head, mechanics
from lorekeeper_mcp.sources.imported import parent_key, slug
from lorekeeper_mcp.sources.json_values import JsonObject, number, part, text, texts, value_at
from lorekeeper_mcp.sources.spell_texts import spell_level
from lorekeeper_mcp.sources.stat_block import ability_key, bonus, sections_of, shown

_TIMES = {"action": "action", "bonus": "bonus-action", "reaction": "reaction"}
_KNOWN = frozenset({"consume", "level", "school", "range", "materials", "sourceClass"})
_MARKS = frozenset({"vocal", "somatic", "material", "concentration", "ritual", "mgc"})
_RANGES = {"ft": ("feet", 1.0), "mi": ("miles", 1.0), "m": ("feet", 10 / 3), "km": ("miles", 0.625)}
_AREAS = frozenset({"cone", "cube", "cylinder", "line", "sphere", "radius", "square", "wall"})


def spell(one: JsonObject, system: JsonObject, book: str) -> Record:
    """Return a spell. Raises ItemError if its level is not known."""
    level = spell_level(bonus(system.get("level")))
    held, done = marks(system), activities(system)
    started, material = part(system, "activation"), part(system, "materials")
    unit, count = str(started.get("type") or ""), bonus(started.get("value", started.get("cost"))) or 1
    school = str(system.get("school") or "")
    saves = [ability for value in done for ability in texts(value_at(value, "save.ability"))]
    harm = [dealt for value in (*done, system) for dealt in damages(part(value, "damage"))]
    shape, size = _area(part(system, "target"))
    in_fields = tuple(_parts_in_fields(system, len(harm)))
    distance, distance_unit = _distance(part(system, "range"))
    fields = {
        **head(one, system, book, "spells", Kind.SPELL),
        "level": level,
        "school": names.SCHOOLS.get(school, slug(school) if school else ""),
        "casting_time": _TIMES.get(unit, f"{count}{unit}{'s' if count != 1 else ''}" if unit else ""),
        "casting_time_text": activation(started),
        "reaction_condition": text(started, "condition"),
        "range": distance,
        "range_unit": distance_unit,
        "range_text": range_text(part(system, "range")),
        "verbal": "vocal" in held,
        "somatic": "somatic" in held,
        "material": "material" in held or bool(text(material, "value")),
        "material_text": text(material, "value"),
        "material_cost": number(material.get("cost")) or None,
        "material_consumed": material.get("consumed") is True,
        "duration": duration_text(part(system, "duration")),
        "concentration": "concentration" in held,
        "ritual": "ritual" in held,
        "saving_throw": ability_key(next(iter(saves), str(value_at(system, "save.ability") or ""))),
        "damage_roll": next((dice.replace(MODIFIER, "") for dice, _ in harm if dice), ""),
        "attack_roll": any(value.get("type") == "attack" for value in done)
        or system.get("actionType") in ("msak", "rsak"),
        "shape_type": shape,
        "shape_size": size,
        "shape_unit": "feet" if shape and size is not None else "",
        "classes": _classes(system),
        "damage_types": tuple(
            dict.fromkeys(one for _, kind in harm for one in kind.replace(",", " or").split(" or ") if one)
        ),
    }
    elsewhere = " ".join(map(str, fields.values()))
    further = ", ".join(sorted(held - _MARKS))
    facts = {"Uses": uses(system), "Properties": further, "Cost": consumed(part(system, "consume"))}
    other = (
        *sections_of(facts),
        *mechanics(
            system, *in_fields, rolls_in_fields={"attack", "damage", "save"} & {*in_fields}, elsewhere=elsewhere
        ),
        *unread_fields(system, _KNOWN),
        *further_texts(one, system),
    )
    return Spell.model_validate({**fields, "other": other})


def _distance(span: JsonObject) -> tuple[float | None, str]:
    """The range of a spell, in feet or miles."""
    units, value = str(span.get("units") or ""), number(span.get("value"))
    if units in ("self", "touch"):
        return 0.0, "feet"
    if value is None or units not in _RANGES:
        return None, ""
    unit, times = _RANGES[units]
    return value * times, unit


def _parts_in_fields(system: JsonObject, harm: int) -> Iterator[str]:
    """The parts of a spell's mechanics that its fields have."""
    yield from ("activation", "range", "duration")
    extra = (system, *(part(one, "attack") for one in activities(system)))
    if not any(one.get("attackBonus") or one.get("bonus") for one in extra):
        yield "attack"
    if harm <= 1 and not value_at(system, "damage.versatile"):
        yield "damage"
    if not value_at(system, "save.dc"):
        yield "save"
    affects = part(system, "target.affects")
    plain = text(affects, "type") in ("", "self", "creature") and not shown(affects.get("count"))
    if plain and not text(affects, "special") and affects.get("choice") is not True:
        yield "target"


def _area(target: JsonObject) -> tuple[str, float | None]:
    """The shape of a spell's area and its size in feet: in the target itself before version 4."""
    template = part(target, "template")
    shape = text(template, "type") or text(target, "type")
    size = bonus(template.get("size", target.get("value")))
    return (shape, float(size) if size is not None else None) if shape in _AREAS else ("", None)


def _classes(system: JsonObject) -> list[dict[str, str]]:
    """The class that a character's spell comes from; the application has no class spell lists."""
    kind, _, name = text(system, "sourceItem").partition(":")
    named = text(system, "sourceClass") or (name if kind == "class" else "")
    return [{"name": named.title(), "key": parent_key(named, {}, SRD_CLASSES)}] if named else []
