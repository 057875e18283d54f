"""Spells, and the fields that only version 1 has: the classes, and ranges with the area in brackets."""

from __future__ import annotations

import re

from lorekeeper_mcp.models import CastingOption, Ref, Spell
from lorekeeper_mcp.models.vocabulary import SRD_CLASSES
from lorekeeper_mcp.sources.open5e.adapters import coercion
from lorekeeper_mcp.sources.open5e.adapters.coercion import Served
from lorekeeper_mcp.sources.open5e.adapters.record_head import Context, Open5eFields, move_to_guide
from lorekeeper_mcp.sources.saving_throws import saving_throw
from lorekeeper_mcp.sources.spell_texts import material_consumed, material_cost
from lorekeeper_mcp.text import slugify

_SPELLED = {"sorceror": "Sorcerer"}
_COUNTED = re.compile(r"(\d+)\s*(\D+)")
_EMPTY = "0"  # A5E has options with duration or range "0" if the spell's own does not change.


def spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v2/spells``."""
    casting_time = coercion.text(served.get("casting_time")).strip()
    material = coercion.text(served.get("material_specified"))
    return Spell(
        **head,
        level=coercion.integer(served.get("level")) or 0,
        school=coercion.key(served.get("school")),
        casting_time=casting_time,
        casting_time_text=_in_words(casting_time),
        reaction_condition=coercion.text(served.get("reaction_condition")),
        range=coercion.number(served.get("range")),
        range_unit=_unit(served.get("range_unit")),
        range_text=coercion.text(served.get("range_text")),
        verbal=bool(coercion.flag(served.get("verbal"))),
        somatic=bool(coercion.flag(served.get("somatic"))),
        material=bool(coercion.flag(served.get("material"))),
        material_text=material,
        material_cost=coercion.number(served.get("material_cost")) or material_cost(material),  # 0.00 is unknown
        material_consumed=bool(coercion.flag(served.get("material_consumed"))) or material_consumed(material),
        duration=coercion.text(served.get("duration")),
        concentration=bool(coercion.flag(served.get("concentration"))),
        ritual=bool(coercion.flag(served.get("ritual"))),
        classes=coercion.refs(served.get("classes")),
        damage_types=coercion.keys(served.get("damage_types")),
        damage_roll=coercion.text(served.get("damage_roll")),
        saving_throw=saving_throw(
            coercion.text(served.get("desc")), coercion.text(served.get("saving_throw_ability")).strip().lower()
        ),
        attack_roll=bool(coercion.flag(served.get("attack_roll"))),
        target_type=coercion.text(served.get("target_type")),
        target_count=coercion.integer(served.get("target_count")),
        shape_type=coercion.text(served.get("shape_type")),
        shape_size=coercion.number(served.get("shape_size")),
        shape_unit=_unit(served.get("shape_size_unit")),
        higher_level=coercion.prose(served.get("higher_level")),
        casting_options=_casting_options(served.get("casting_options")),
    )


def archived_spell(head: Open5eFields, served: Served, _: Context) -> Spell:
    """Adapt a record of ``v1/spells`` under its key in version 2, with only the fields that complete that record."""
    move_to_guide(head)
    names = (name.strip() for name in coercion.text(served.get("dnd_class")).split(","))
    return Spell(
        **head,
        level=coercion.integer(served.get("level_int")) or 0,
        range_text=coercion.text(served.get("range")).strip(),
        classes=tuple(_class(_SPELLED.get(name.lower(), name)) for name in names if name),
    )


def _class(name: str) -> Ref:
    """A class by name, with version 2's key for the classes of the SRD."""
    slug = slugify(name)
    return Ref(name=name, key=f"srd_{slug}" if slug in SRD_CLASSES else slug)


def _in_words(casting_time: str) -> str:
    """``10minutes`` is 10 minutes, ``bonus-action`` is 1 bonus action."""
    counted = _COUNTED.fullmatch(casting_time)
    if counted:
        return f"{counted[1]} {counted[2]}"
    return f"1 {casting_time.replace('-', ' ')}" if casting_time else ""


def _unit(value: object) -> str:
    """Both ``feet`` and ``ft`` are served."""
    unit = coercion.text(value).strip()
    return "feet" if unit == "ft" else unit


def _casting_options(value: object) -> tuple[CastingOption, ...]:
    options = (_casting_option(option) for option in coercion.objects(value))
    return tuple(option for option in options if option != CastingOption(type="default"))


def _casting_option(option: Served) -> CastingOption:
    duration, range_ = coercion.text(option.get("duration")), coercion.text(option.get("range"))
    return CastingOption(
        type=coercion.text(option.get("type")) or "default",
        damage_roll=coercion.text(option.get("damage_roll")),
        target_count=coercion.integer(option.get("target_count")),
        duration="" if duration == _EMPTY else f"{duration[:1].lower()}{duration[1:]}",
        range="" if range_ == _EMPTY else range_,
        concentration=coercion.flag(option.get("concentration")),
        shape_size=coercion.number(option.get("shape_size")),
        text=coercion.prose(option.get("desc")),
    )
