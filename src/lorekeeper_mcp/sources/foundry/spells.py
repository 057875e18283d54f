"""Spells."""

from __future__ import annotations

from collections.abc import Mapping

from lorekeeper_mcp.models import Kind, Record, Section, Spell
from lorekeeper_mcp.sources.foundry.item_values import (
    activities,
    damages,
    described,
    marks,
    part,
    rest,
    text,
    texts,
    uses,
)
from lorekeeper_mcp.sources.imported import ItemError, slug
from lorekeeper_mcp.sources.stat_block import ability_key, bonus, heading, shown

_SCHOOLS = {
    "abj": "abjuration",
    "con": "conjuration",
    "div": "divination",
    "enc": "enchantment",
    "evo": "evocation",
    "ill": "illusion",
    "nec": "necromancy",
    "trs": "transmutation",
}
_TIMES = {"action": "action", "bonus": "bonus-action", "reaction": "reaction"}
_KNOWN = frozenset({"level", "school", "range", "materials", "sourceClass"})
_AREAS = frozenset({"cone", "cube", "cylinder", "line", "sphere", "radius", "square", "wall"})


def spell(one: Mapping[str, object], system: Mapping[str, object], book: str) -> Record:
    """A spell. Raises ItemError where its level is not known."""
    level = bonus(system.get("level"))
    if level is None or not 0 <= level <= 20:
        raise ItemError("it has no level from 0 (cantrip) up")
    held = marks(system)
    activation, spec = part(system, "activation"), part(system, "duration")
    unit, cost = str(activation.get("type") or ""), bonus(activation.get("value", activation.get("cost"))) or 1
    span, distance = part(system, "range"), bonus(part(system, "range").get("value"))
    material = part(system, "materials")
    school = str(system.get("school") or "")
    reach = str(span.get("units") or "")
    done = activities(system)
    saves = [ability for value in done for ability in texts(part(value, "save").get("ability"))]
    harm = [shape for value in done for shape in damages(part(value, "damage"))] or damages(part(system, "damage"))
    area, size = _area(part(system, "target"))
    lasting = str(spec.get("units") or "")
    return Spell.model_validate(
        {
            **heading(book, "spells", text(one, "name"), Kind.SPELL, described(system)),
            "level": level,
            "school": _SCHOOLS.get(school, slug(school) if school else ""),
            "casting_time": _TIMES.get(unit, f"{cost}{unit}{'s' if cost != 1 else ''}" if unit else ""),
            "casting_time_text": f"{cost} {'bonus action' if unit == 'bonus' else unit}" if unit else "",
            "reaction_condition": text(activation, "condition"),
            "range": float(distance)
            if reach == "ft" and distance is not None
            else 0.0
            if reach in ("self", "touch")
            else None,
            "range_unit": "feet" if reach in ("ft", "self", "touch") else "",
            "range_text": f"{distance} {reach}" if distance is not None else reach.capitalize(),
            "verbal": "vocal" in held,
            "somatic": "somatic" in held,
            "material": "material" in held,
            "material_text": text(material, "value"),
            "material_cost": float(worth) if (worth := bonus(material.get("cost"))) else None,
            "material_consumed": material.get("consumed") is True,
            "duration": "Instantaneous" if lasting == "inst" else f"{shown(spec.get('value'))} {lasting}".strip(),
            "concentration": "concentration" in held,
            "ritual": "ritual" in held,
            "saving_throw": ability_key(next(iter(saves), str(part(system, "save").get("ability") or ""))),
            "damage_roll": next((dice for dice, _ in harm if dice), ""),
            "attack_roll": any(value.get("type") == "attack" for value in done)
            or system.get("actionType") in ("msak", "rsak"),
            "shape_type": area,
            "shape_size": size,
            "shape_unit": "feet" if area and size is not None else "",
            "classes": _classes(system),
            "other": (*_uses(system), *rest(system, _KNOWN)),
            "damage_types": tuple(dict.fromkeys(kind for _, kind in harm if kind)),
        }
    )


def _area(target: Mapping[str, object]) -> tuple[str, float | None]:
    """Shape and size in feet of what the spell fills: before version 4 in the target itself."""
    template = part(target, "template")
    shape = text(template, "type") or text(target, "type")
    size = bonus(template.get("size", target.get("value")))
    return (shape, float(size) if size is not None else None) if shape in _AREAS else ("", None)


def _classes(system: Mapping[str, object]) -> list[dict[str, str]]:
    """The class that a character has the spell from: the application knows no lists of classes."""
    kind, _, name = text(system, "sourceItem").partition(":")
    named = text(system, "sourceClass") or (name if kind == "class" else "")
    return [{"name": named.title(), "key": slug(named)}] if named else []


def _uses(system: Mapping[str, object]) -> tuple[Section, ...]:
    return (Section(name="Uses", text=told),) if (told := uses(system)) else ()
