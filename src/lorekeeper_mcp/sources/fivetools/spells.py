"""Spells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.field_reader import (
    Fields,
    as_object,
    integer,
    listed,
    mapping,
    members,
    number,
    sections_of,
)
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.entries import markdown
from lorekeeper_mcp.sources.fivetools.tags import text_in
from lorekeeper_mcp.sources.fivetools.values import plain_texts, print_value
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.phrases import joined
from lorekeeper_mcp.sources.spell_form import damage, needs_attack_roll, saving_throw, spell_level

SCHOOLS = {
    "A": "abjuration", "C": "conjuration", "D": "divination", "E": "enchantment", "I": "illusion", "N": "necromancy",
    "P": "psionic", "T": "transmutation", "V": "evocation",
}  # fmt: skip
_DAMAGE = re.compile(r"\{@(?:damage|dice|scaledamage) ([^}|]+)")
_LEVEL = re.compile(r"(\d)(?:st|nd|rd|th)?[ -]level", re.IGNORECASE)
_SHAPES = ("cone", "cube", "cylinder", "line", "sphere", "radius", "emanation", "hemisphere", "wall")
_SINGULAR = {"feet": "foot", "miles": "mile", "yards": "yard"}
_FEET = {"feet": 1.0, "miles": 5280.0, "yards": 3.0}
_RANGES = {"self": "Self", "touch": "Touch", "sight": "Sight", "unlimited": "Unlimited",
           "plane": "Unlimited on the same plane"}  # fmt: skip
_ENDS = {"dispel": "dispelled", "trigger": "triggered", "discharge": "discharged"}


def spell(head: CommonFields, fields: Fields, context: Context) -> Spell:
    """Return a spell. Raises ItemError if its level is not known."""
    level = spell_level(fields.read(_level, "level"))
    damage_tag = _DAMAGE.search(str(fields.peek("entries")))
    # The site's filter lists, computed from the texts; the record keeps the first entry of some.
    fields.drop("damageInflict", "savingThrow", "spellAttack", "affectsCreatureType", "abilityCheck")
    time, time_text, condition = _time(fields.take("time"))
    distance, unit, range_text, shape, shape_size = _range(mapping(fields.take("range")))
    duration, concentration = _duration(fields.take("duration"))
    components, meta = mapping(fields.take("components")), mapping(fields.take("meta"))
    material = components.get("m")
    spec = as_object(material, "text") if material not in (None, True, False) else {}
    cost, consumed = integer(spec.get("cost")), spec.get("consume")
    classes, subclasses = _classes(mapping(fields.take("classes")), context)
    school = str(fields.take("school") or "")
    notes = {
        "components": print_value({name: part for name, part in components.items() if name not in ("v", "s", "m")}),
        "material": "consumed if the caster chooses so" if consumed == "optional" else "",
        "meta": print_value({name: part for name, part in meta.items() if name != "ritual"}),
    }
    return Spell(
        **head,
        level=level,
        school=SCHOOLS.get(school, slug(context.schools.get(school, school)) if school else ""),
        casting_time=time,
        casting_time_text=time_text,
        reaction_condition=condition,
        range=distance,
        range_unit=unit,
        range_text=range_text,
        verbal=bool(components.get("v")),
        somatic=bool(components.get("s")),
        material=bool(material),
        material_text=text_in(spec, "text"),
        material_cost=cost / 100 if cost is not None else None,
        material_consumed=bool(consumed) and consumed != "optional",
        duration=duration,
        concentration=concentration,
        ritual=meta.get("ritual") is True,
        classes=classes,
        subclasses=subclasses,
        damage_types=tuple(plain_texts(fields.peek("damageInflict")) or damage(head["text"])[0]),
        damage_roll=damage_tag[1].partition(";")[0].strip() if damage_tag else "",
        saving_throw=next(iter(plain_texts(fields.peek("savingThrow"))), saving_throw(head["text"])),
        attack_roll=bool(fields.peek("spellAttack")) or needs_attack_roll(head["text"]),
        shape_type=shape,
        shape_size=shape_size,
        shape_unit="feet" if shape_size is not None else "",
        higher_level=_without_title(fields.take("entriesHigherLevel")),
        other=(*sections_of(notes), *fields.also()),
    )


def _level(value: object) -> int | None:
    """A level, also from ``1st-level`` and ``Cantrip``."""
    if isinstance(value, str) and value.strip().lower() == "cantrip":
        return 0
    return integer(match[1] if isinstance(value, str) and (match := _LEVEL.match(value.strip())) else value)


def _time(times: object) -> tuple[str, str, str]:
    """The key, text and condition of the first casting time; the text has all of them."""
    texts: list[str] = []
    key, condition = "", ""
    specs = [as_object(time, "unit") for time in listed(times)]
    for time in specs:
        amount, unit = time.get("number", 1), str(time.get("unit") or "")
        unit = "bonus action" if unit == "bonus" else unit
        text = f"{amount} {unit}{'s' if amount != 1 else ''}" if unit != "special" else "special"
        key = key if texts else casting_time_key(text)
        time_condition, note = text_in(time, "condition"), text_in(time, "note")
        if len(specs) == 1:
            condition = time_condition
        else:
            text = joined(text, time_condition)
        texts.append(joined(text, f"({note})" if note else "", sep=" "))
    return key, " or ".join(texts), condition


def _range(range_: Mapping[str, object]) -> tuple[float | None, str, str, str, float | None]:
    """The distance, its unit, the text, and the area if it begins at the caster."""
    kind, distance = str(range_.get("type") or ""), mapping(range_.get("distance"))
    unit, amount = str(distance.get("type") or ""), number(distance.get("amount"))
    shape = kind if kind in _SHAPES else ""
    if unit not in _FEET or amount is None:
        text = "Special" if kind == "special" else f"{amount:g} {unit}".strip() if amount else unit
        is_at_hand = unit in ("self", "touch")
        return 0.0 if is_at_hand else None, "feet" if is_at_hand else "", _RANGES.get(unit, text), shape, None
    if not shape:
        text = f"{amount:g} {unit if amount != 1 else _SINGULAR[unit]}"
        return (amount, unit, text, "", None) if unit == "miles" else (amount * _FEET[unit], "feet", text, "", None)
    size = f"{amount:g}-{_SINGULAR[unit]}"
    if (height := distance.get("amountSecondary")) is not None:
        height_unit = str(distance.get("typeSecondary") or unit)
        size += f"-radius, {height}-{_SINGULAR.get(height_unit, height_unit)}-high"
    return 0.0, "feet", f"Self ({size} {shape})", shape, amount * _FEET[unit]


def _duration(durations: object) -> tuple[str, bool]:
    """The text, and whether it requires concentration."""
    texts: list[str] = []
    specs = [as_object(duration, "type") for duration in listed(durations)]
    for duration in specs:
        kind, spec = str(duration.get("type") or ""), mapping(duration.get("duration"))
        ends = " or ".join(_ENDS.get(str(end), str(end)) for end in members(duration.get("ends")))
        text = kind.capitalize() or "Special"
        if kind == "instant":
            text = "Instantaneous"
        elif kind == "timed":
            amount, unit = spec.get("amount", 1), str(spec.get("type") or "")
            up_to = "up to " if spec.get("upTo") or duration.get("concentration") else ""
            text = f"{up_to}{amount} {unit}{'s' if amount != 1 else ''}"
        if ends:
            text = f"Until {ends}" if kind == "permanent" else f"{text}, until {ends}"
        if duration.get("condition"):
            text += f" ({text_in(duration, 'condition')})"
        texts.append(text)
    return " or ".join(texts), any(duration.get("concentration") is True for duration in specs)


def _classes(lists: Mapping[str, object], context: Context) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
    """The classes and the subclasses whose lists have the spell."""
    specs = map(mapping, (*listed(lists.get("fromClassList")), *listed(lists.get("fromClassListVariant"))))
    classes = [
        Ref(name=name, key=context.class_key(name, str(spec.get("source") or "")))
        for spec in specs
        if (name := text_in(spec, "name"))
    ]
    subclasses = []
    for spec in map(mapping, listed(lists.get("fromSubclass"))):
        class_name, subclass = text_in(mapping(spec.get("class")), "name"), mapping(spec.get("subclass"))
        if name := text_in(subclass, "name"):
            title = joined(name, text_in(subclass, "subSubclass"))
            subclasses.append(Ref(name=f"{title} ({class_name})" if class_name else title, key=slug(name)))
    return tuple(dict.fromkeys(classes)), tuple(dict.fromkeys(subclasses))


def _without_title(entries: object) -> str:
    """The text on higher slots, without its heading."""
    texts = []
    for entry in listed(entries):
        title = str(mapping(entry).get("name") or "").lower()
        has_title = "higher" in title or "cantrip upgrade" in title
        texts.append(markdown(mapping(entry).get("entries") if has_title else entry))
    return "\n\n".join(filter(None, texts))
