"""Spells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.fields import Fields, plain_texts
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import decimal, listed, mapping, members, whole_number
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_texts import damage, needs_attack_roll, spell_level
from lorekeeper_mcp.sources.stat_block import sections_of

SCHOOLS = {
    "A": "abjuration", "C": "conjuration", "D": "divination", "E": "enchantment", "I": "illusion", "N": "necromancy",
    "P": "psionic", "T": "transmutation", "V": "evocation",
}  # fmt: skip
_DAMAGE = re.compile(r"\{@(?:damage|dice|scaledamage) ([^}|]+)")
_SHAPES = ("cone", "cube", "cylinder", "line", "sphere", "radius", "emanation", "hemisphere", "wall")
_SINGULAR = {"feet": "foot", "miles": "mile", "yards": "yard"}
_FEET = {"feet": 1.0, "miles": 5280.0, "yards": 3.0}
_RANGES = {"self": "Self", "touch": "Touch", "sight": "Sight", "unlimited": "Unlimited",
           "plane": "Unlimited on the same plane"}  # fmt: skip
_ENDS = {"dispel": "dispelled", "trigger": "triggered", "discharge": "discharged"}


def spell(head: CommonFields, fields: Fields, context: Context) -> Spell:
    """Return a spell. Raises ItemError if its level is not known."""
    level = spell_level(fields.whole_number("level"))
    damage_tag = _DAMAGE.search(str(fields.peek("entries")))
    # The site's filter lists, computed from the texts; the record keeps the first entry of some.
    fields.drop("damageInflict", "savingThrow", "spellAttack", "affectsCreatureType", "abilityCheck")
    time, time_text, condition = _time(fields.take_list("time"))
    distance, unit, range_text, shape, shape_size = _range(mapping(fields.take("range")))
    duration, concentration = _duration(fields.take_list("duration"))
    components, meta = mapping(fields.take("components")), mapping(fields.take("meta"))
    material = components.get("m")
    material_spec = mapping(material)
    material_text = material_spec.get("text", material) if material not in (None, True, False) else ""
    cost, consumed = whole_number(material_spec.get("cost")), material_spec.get("consume")
    classes, subclasses = _classes(mapping(fields.take("classes")), context)
    school = str(fields.take("school") or "")
    notes = {
        "components": "royalty" if components.get("r") else "",
        "material": "consumed if the caster chooses so" if consumed == "optional" else "",
        "meta": ", ".join(name for name, is_set in meta.items() if is_set and name != "ritual"),
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
        material_text=plain_text(str(material_text)),
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
        higher_level=_without_title(fields.take_list("entriesHigherLevel")),
        other=(*sections_of(notes), *fields.other()),
    )


def _time(times: list[object]) -> tuple[str, str, str]:
    """The key, text and condition of the first casting time; the text has all of them."""
    texts: list[str] = []
    key, condition = "", ""
    for time in map(mapping, times):
        number, unit = time.get("number", 1), str(time.get("unit") or "")
        unit = "bonus action" if unit == "bonus" else unit
        text = f"{number} {unit}{'s' if number != 1 else ''}" if unit != "special" else "special"
        key = key if texts else casting_time_key(text)
        time_condition, note = text_in(time, "condition"), text_in(time, "note")
        if len(times) == 1:
            condition = time_condition
        elif time_condition:
            text += f", {time_condition}"
        texts.append(f"{text} ({note})" if note else text)
    return key, " or ".join(texts), condition


def _range(range_: Mapping[str, object]) -> tuple[float | None, str, str, str, float | None]:
    """The distance, its unit, the text, and the area if it begins at the caster."""
    kind, distance = str(range_.get("type") or ""), mapping(range_.get("distance"))
    unit, amount = str(distance.get("type") or ""), decimal(distance.get("amount"))
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


def _duration(durations: list[object]) -> tuple[str, bool]:
    """The text, and whether it requires concentration."""
    texts: list[str] = []
    for duration in map(mapping, durations):
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
    return " or ".join(texts), any(mapping(duration).get("concentration") is True for duration in durations)


def _classes(lists: Mapping[str, object], context: Context) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
    """The classes and the subclasses whose lists have the spell."""
    classes, subclasses = [], []
    for field in ("fromClassList", "fromClassListVariant"):
        for spec in map(mapping, listed(lists.get(field))):
            if name := spec.get("name"):
                key = context.class_key(str(name), str(spec.get("source") or ""))
                classes.append(Ref(name=str(name), key=key))
    for spec in map(mapping, listed(lists.get("fromSubclass"))):
        class_name, subclass = mapping(spec.get("class")).get("name"), mapping(spec.get("subclass"))
        if name := subclass.get("name"):
            variant = subclass.get("subSubclass")
            title = f"{name}, {variant}" if variant else str(name)
            subclasses.append(Ref(name=f"{title} ({class_name})" if class_name else title, key=slug(str(name))))
    return tuple(dict.fromkeys(classes)), tuple(dict.fromkeys(subclasses))


def _without_title(entries: list[object]) -> str:
    """The text on higher slots, without its heading."""
    texts = []
    for entry in entries:
        title = str(mapping(entry).get("name") or "").lower()
        has_title = "higher" in title or "cantrip upgrade" in title
        texts.append(markdown(mapping(entry).get("entries") if has_title else entry))
    return "\n\n".join(filter(None, texts))
