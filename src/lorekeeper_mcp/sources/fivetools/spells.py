"""Spells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lorekeeper_mcp.filters.argument_types import casting_time_key
from lorekeeper_mcp.models import Ref, Spell
from lorekeeper_mcp.sources.common_fields import CommonFields
from lorekeeper_mcp.sources.fivetools.context import Context
from lorekeeper_mcp.sources.fivetools.fields import Fields, decimal, texts, whole
from lorekeeper_mcp.sources.fivetools.texts.entry_markdown import markdown
from lorekeeper_mcp.sources.fivetools.texts.tags import plain_text, text_in
from lorekeeper_mcp.sources.imported import slug
from lorekeeper_mcp.sources.json_values import listed, mapping
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_texts import damage, spell_level
from lorekeeper_mcp.sources.stat_block import sections_of

SCHOOLS = {
    "A": "abjuration", "C": "conjuration", "D": "divination", "E": "enchantment", "I": "illusion", "N": "necromancy",
    "P": "psionic", "T": "transmutation", "V": "evocation",
}  # fmt: skip
_DAMAGE = re.compile(r"\{@(?:damage|dice|scaledamage) ([^}|]+)")
_SHAPES = ("cone", "cube", "cylinder", "line", "sphere", "radius", "emanation", "hemisphere", "wall")
_ONE = {"feet": "foot", "miles": "mile", "yards": "yard"}
_FEET = {"feet": 1.0, "miles": 5280.0, "yards": 3.0}
_RANGES = {"self": "Self", "touch": "Touch", "sight": "Sight", "unlimited": "Unlimited",
           "plane": "Unlimited on the same plane"}  # fmt: skip
_ENDED = {"dispel": "dispelled", "trigger": "triggered", "discharge": "discharged"}


def spell(head: CommonFields, fields: Fields, context: Context) -> Spell:
    """Return a spell. Raises ItemError if its level is not known."""
    level = spell_level(fields.whole("level"))
    found = _DAMAGE.search(str(fields.peek("entries")))
    # The site's filter lists, computed from the texts; the record keeps the first entry of some.
    fields.drop("damageInflict", "savingThrow", "spellAttack", "affectsCreatureType", "abilityCheck")
    time, time_text, condition = _time(fields)
    distance, unit, range_text, shape, shape_size = _range(fields)
    duration, concentration = _duration(fields)
    components = mapping(fields.take("components"))
    material = components.get("m")
    meta = mapping(fields.take("meta"))
    classes, subclasses = _classes(fields, context)
    cost, consumed = whole(mapping(material).get("cost")), mapping(material).get("consume")
    school = str(fields.take("school") or "")
    marks = [name for name, on in meta.items() if on and name != "ritual"]
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
        material_text=plain_text(
            str(mapping(material).get("text", material) if material not in (None, True, False) else "")
        ),
        material_cost=cost / 100 if cost is not None else None,
        material_consumed=bool(consumed) and consumed != "optional",
        duration=duration,
        concentration=concentration,
        ritual=meta.get("ritual") is True,
        classes=classes,
        subclasses=subclasses,
        damage_types=tuple(texts(listed(fields.peek("damageInflict"))) or damage(head["text"])[0]),
        damage_roll=found[1].partition(";")[0].strip() if found else "",
        saving_throw=next(iter(texts(listed(fields.peek("savingThrow")))), saving_throw(head["text"])),
        attack_roll=bool(fields.peek("spellAttack")),
        shape_type=shape,
        shape_size=shape_size,
        shape_unit="feet" if shape_size is not None else "",
        higher_level=_without_title(fields.entries("entriesHigherLevel")),
        other=(
            *sections_of(
                {
                    "components": "royalty" if components.get("r") else "",
                    "material": "consumed if the caster chooses so" if consumed == "optional" else "",
                    "meta": ", ".join(marks),
                }
            ),
            *fields.other(),
        ),
    )


def _time(fields: Fields) -> tuple[str, str, str]:
    """The key, text and condition of the first casting time; the text has all of them."""
    parts: list[str] = []
    key, condition = "", ""
    times = fields.entries("time")
    for one in map(mapping, times):
        number, unit = one.get("number", 1), str(one.get("unit") or "")
        unit = {"bonus": "bonus action"}.get(unit, unit)
        text = f"{number} {unit}{'s' if number != 1 else ''}" if unit != "special" else "special"
        when = text_in(one, "condition")
        note = text_in(one, "note")
        if not parts:
            key = casting_time_key(text)
        if len(times) == 1:  # each of several has its own
            condition, when = when, ""
        parts.append(f"{text}{f', {when}' if when else ''}{f' ({note})' if note else ''}")
    return key, " or ".join(parts), condition


def _range(fields: Fields) -> tuple[float | None, str, str, str, float | None]:
    """The distance, its unit, the text, and the area if it begins at the caster."""
    given = mapping(fields.take("range"))
    kind, spec = str(given.get("type") or ""), mapping(given.get("distance"))
    unit, amount = str(spec.get("type") or ""), decimal(spec.get("amount"))
    shape = kind if kind in _SHAPES else ""
    if unit in _FEET and amount is not None:
        shown = f"{amount:g} {unit if amount != 1 else _ONE.get(unit, unit)}"
        if shape:
            first, high = f"{amount:g}-{_ONE.get(unit, unit)}", spec.get("amountSecondary")
            second = str(spec.get("typeSecondary") or unit)
            height = f"-radius, {high}-{_ONE.get(second, second)}-high" if high is not None else ""
            text = f"Self ({first}{height} {shape})"
            return 0.0, "feet", text, shape, amount * _FEET[unit]
        times, unit = (1.0, unit) if unit == "miles" else (_FEET[unit], "feet")
        return amount * times, unit, shown, "", None
    words = "Special" if kind == "special" else " ".join(filter(None, (f"{amount:g}" if amount else "", unit)))
    at_hand = unit in ("self", "touch")
    return 0.0 if at_hand else None, "feet" if at_hand else "", _RANGES.get(unit, words), shape, None


def _duration(fields: Fields) -> tuple[str, bool]:
    parts: list[str] = []
    concentration = False
    for one in map(mapping, fields.entries("duration")):
        kind, spec = str(one.get("type") or ""), mapping(one.get("duration"))
        concentration = concentration or one.get("concentration") is True
        given = one.get("ends")
        ways = [_ENDED.get(str(end), str(end)) for end in given] if isinstance(given, list) else []
        if kind == "instant":
            parts.append("Instantaneous")
        elif kind == "timed":
            amount, unit = spec.get("amount", 1), str(spec.get("type") or "")
            up_to = "up to " if spec.get("upTo") or one.get("concentration") else ""
            parts.append(f"{up_to}{amount} {unit}{'s' if amount != 1 else ''}")
        elif kind == "permanent":
            parts.append(f"Until {' or '.join(ways)}" if ways else "Permanent")
        else:
            parts.append(kind.capitalize() or "Special")
        if ways and kind != "permanent":
            parts[-1] += f", until {' or '.join(ways)}"
        if one.get("condition"):
            parts[-1] += f" ({plain_text(str(one['condition']))})"
    return " or ".join(parts), concentration


def _classes(fields: Fields, context: Context) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
    given = mapping(fields.take("classes"))
    lists = ("fromClassList", "fromClassListVariant")
    of_classes = [mapping(one) for name in lists for one in listed(given.get(name))]
    classes = [
        Ref(name=str(one["name"]), key=context.class_key(str(one["name"]), str(one.get("source") or "")))
        for one in of_classes
        if one.get("name")
    ]
    subclasses = []
    for one in map(mapping, listed(given.get("fromSubclass"))):
        of, name = mapping(one.get("class")).get("name"), mapping(one.get("subclass")).get("name")
        if name:
            within = mapping(one.get("subclass")).get("subSubclass")
            title = f"{name}, {within}" if within else str(name)
            subclasses.append(Ref(name=f"{title} ({of})" if of else title, key=slug(str(name))))
    return tuple(dict.fromkeys(classes)), tuple(dict.fromkeys(subclasses))


def _without_title(entries: list[object]) -> str:
    """The text on higher slots, without its heading."""
    parts = []
    for entry in entries:
        spec = mapping(entry)
        title = str(spec.get("name") or "").lower()
        plain = isinstance(entry, Mapping) and ("higher" in title or "cantrip upgrade" in title)
        parts.append(markdown(spec.get("entries", [])) if plain else markdown(entry))
    return "\n\n".join(filter(None, parts))
